import { z } from 'zod';
import { baseUrl } from '../../../src/config/environment-values.js';

export const THIRD_PROVIDER_ENVIRONMENT = z.object({
  THIRDPROVIDER_BASE_URL: baseUrl
    .prefault('https://api.third-provider.example/v1')
    .describe('The access token goes to this host and to no other.'),
});
