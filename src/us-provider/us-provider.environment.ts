import { z } from 'zod';
import { list } from '../config/environment-values.js';

export const US_PROVIDER_ENVIRONMENT = z.object({
  USPROVIDER_ALLOWED_HOSTS: list.default(['*.simplefin.org']),
});
