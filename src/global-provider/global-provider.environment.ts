import { z } from 'zod';
import { baseUrl, flag, PROVIDER_ALLOW_PRIVATE_NETWORK, schemeOf } from '../config/environment-values.js';

export const GLOBAL_PROVIDER_ENVIRONMENT = z
  .object({
    GLOBALPROVIDER_INCLUDE_PENDING: flag
      .prefault('0')
      .describe('1: pending transactions of the global provider are asked for and imported.'),
    GLOBALPROVIDER_DEBUG_RAW: flag
      .prefault('0')
      .describe(
        '1: raw responses of the global provider go to the log, whatever LOG_LEVEL says; secrets redacted, but personal data in them.',
      ),
    GLOBALPROVIDER_BASE_URL: baseUrl
      .prefault('https://www.lunchflow.app/api/v1')
      .describe('The key goes to this host and to no other; https, unless PROVIDER_ALLOW_PRIVATE_NETWORK is 1.'),
    PROVIDER_ALLOW_PRIVATE_NETWORK,
  })
  .superRefine((env, context) => {
    // The key of a person's accounts travels in a header.
    if (schemeOf(env.GLOBALPROVIDER_BASE_URL) === 'http:' && !env.PROVIDER_ALLOW_PRIVATE_NETWORK) {
      context.addIssue({ code: 'custom', path: ['GLOBALPROVIDER_BASE_URL'], message: 'must be an https address' });
    }
  });
