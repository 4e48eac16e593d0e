import { z } from 'zod';
import { httpUrl } from '../../../src/config/environment-values.js';

export const THIRD_PROVIDER_ENVIRONMENT = z.object({
  THIRDPROVIDER_BASE_URL: httpUrl
    .prefault('https://api.third-provider.example/v1')
    .describe('The access token goes to this host and to no other.'),
});
