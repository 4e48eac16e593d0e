import { ProviderError } from '../../../src/bank-provider/provider-error.js';
import type { ProviderReply } from '../../../src/bank-provider/http/provider-http.js';

const BACK_OFF_SECONDS = 3600;

/** What an answer other than 200 means while a person connects. Nothing is stored yet. */
export function connectError(reply: ProviderReply): ProviderError {
  if (reply.status !== 401) return syncError(reply);
  return new ProviderError('token_rejected', 'The provider does not accept this access token. Create a new one there.');
}

/** What an answer other than 200 means during a sync. */
export function syncError({ status, retryAfterSeconds }: ProviderReply): ProviderError {
  if (status === 401) {
    const message = 'The provider no longer accepts the access token. Give this connection a new one.';
    return new ProviderError('access_revoked', message);
  }
  if (status === 429) {
    const message = 'The provider accepts no more requests for now. Tidemark tries again later.';
    return new ProviderError('rate_limited', message, { retryAfterSeconds: retryAfterSeconds ?? BACK_OFF_SECONDS });
  }
  if (status >= 500) {
    return new ProviderError('network', `The provider has a fault (status ${status}). Tidemark tries again later.`);
  }
  return new ProviderError('unexpected_reply', `The provider refuses the request (status ${status}).`);
}
