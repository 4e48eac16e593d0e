import { z } from 'zod';
import { hostPatterns } from '../config/host-patterns.js';

export const US_PROVIDER_ENVIRONMENT = z.object({
  USPROVIDER_ALLOWED_HOSTS: hostPatterns('*')
    .prefault('*.simplefin.org')
    .describe('Host patterns a setup token or access URL of the US provider may name; * = any public host.'),
});
