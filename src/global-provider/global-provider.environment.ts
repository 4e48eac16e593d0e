import { z } from 'zod';
import { flag, httpUrl, PROVIDER_ALLOW_PRIVATE_NETWORK, schemeOf } from '../config/environment-values.js';

export const GLOBAL_PROVIDER_ENVIRONMENT = z
  .object({
    GLOBALPROVIDER_INCLUDE_PENDING: flag.default(false),
    GLOBALPROVIDER_DEBUG_RAW: flag.default(false),
    GLOBALPROVIDER_BASE_URL: httpUrl.default('https://www.lunchflow.app/api/v1'),
    PROVIDER_ALLOW_PRIVATE_NETWORK,
  })
  .superRefine((env, context) => {
    // The key of a person's accounts travels in a header.
    if (schemeOf(env.GLOBALPROVIDER_BASE_URL) === 'http:' && !env.PROVIDER_ALLOW_PRIVATE_NETWORK) {
      context.addIssue({ code: 'custom', path: ['GLOBALPROVIDER_BASE_URL'], message: 'must be an https address' });
    }
  });
