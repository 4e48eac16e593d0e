import { knownCallerOf } from '../../http/caller.js';
import { clientAddressOf } from '../../http/client-network.js';
import { currentRequest } from '../../http/request-context.js';
import { describeDevice } from './device.js';

/** From where something is done, and by what. */
export interface Origin {
  clientAddress: string | null;
  device: string | null;
  apiKeyId: string | null;
}

/** Of what the service does by itself. */
export const OWN_ORIGIN: Origin = { clientAddress: null, device: null, apiKeyId: null };

/** Of the request under way; without one it is the command line. */
export function currentOrigin(): Origin {
  const request = currentRequest();
  if (!request) return { clientAddress: null, device: 'Command line', apiKeyId: null };
  return {
    clientAddress: clientAddressOf(request),
    device: describeDevice(request.get('user-agent')),
    apiKeyId: knownCallerOf(request)?.apiKeyId ?? null,
  };
}
