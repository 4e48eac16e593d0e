import { NotSentError } from '../bank-provider/http/network-failure.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import type { ProviderReply } from '../bank-provider/http/provider-http.js';
import { messageText } from '../bank-provider/read-values.js';
import { errorText, refusalErrorsOf } from './payload.js';

/** After a rate limit without `Retry-After`. */
const BACK_OFF_SECONDS = 4 * 3600;

export const REVOKED =
  'The provider no longer accepts this connection’s access: it was revoked or disabled, or it has expired. ' +
  'Create a new setup token at the provider and reconnect with it. Accounts and history stay.';

const NEW_TOKEN = 'Create a new setup token at the provider, and disable the old one there.';

/** The error for a refused claim. */
export function claimRefusal({ status, retryAfterSeconds }: ProviderReply): ProviderError {
  if (status === 403) {
    const words = 'The provider refused the setup token: it was already used, has expired, or is compromised.';
    return new ProviderError('token_rejected', `${words} ${NEW_TOKEN}`);
  }
  if (status === 429) {
    const words = 'The provider is limiting requests and did not check the setup token. Try again later.';
    return new ProviderError('rate_limited', words, { retryAfterSeconds: retryAfterSeconds ?? BACK_OFF_SECONDS });
  }
  if (isRedirect(status)) {
    const words = 'The address in the setup token redirects to another one, and Tidemark follows no redirects.';
    return new ProviderError('unexpected_reply', `${words} ${NEW_TOKEN}`);
  }
  return new ProviderError(
    'unexpected_reply',
    `The provider answered the setup token with status ${status}. ${NEW_TOKEN}`,
  );
}

/** The error for a claim without an answer, which may have spent the token. */
export function lostClaim(error: ProviderError): ProviderError {
  const words =
    error instanceof NotSentError
      ? 'The setup token was not used; you can try it again.'
      : 'The setup token may be used up now. Try it once more; if it is refused, ' +
        'create a new one at the provider and disable the old one there.';
  return new ProviderError(error.kind, `${error.message} ${words}`, { cause: error });
}

/** The error for an answer to `/accounts` other than 200. */
export function accountsRefusal({ status, body, retryAfterSeconds }: ProviderReply): ProviderError {
  if (status === 402) return new ProviderError('payment_required', paymentWords(body));
  if (status === 401 || status === 403) {
    // A proxy in front answers bursts with a web page; only the server's own errors are a refusal.
    if (refusalErrorsOf(body) !== null) return new ProviderError('access_revoked', REVOKED);
  }
  if (status === 401 || status === 403 || status === 429) {
    const words = status === 429 ? `The provider is limiting requests (status ${status}).` : refusedInBetween(status);
    return new ProviderError('rate_limited', words, { retryAfterSeconds: retryAfterSeconds ?? BACK_OFF_SECONDS });
  }
  if (status >= 500) {
    const words = `The provider is not working at the moment (status ${status}).`;
    return new ProviderError('network', words, retryAfterSeconds === null ? {} : { retryAfterSeconds });
  }
  const words = isRedirect(status)
    ? 'redirects to another address, and Tidemark follows no redirects'
    : 'refuses the request';
  return new ProviderError('unexpected_reply', `The provider ${words} (status ${status}).`);
}

/** Some older servers refuse a revoked access with a web page, too. */
function refusedInBetween(status: number): string {
  const words = `The provider, or a service in front of it, refuses requests at the moment (status ${status}).`;
  return `${words} If this lasts for more than a day, create a new setup token at the provider and reconnect with it.`;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

function paymentWords(body: string): string {
  const reported = (refusalErrorsOf(body) ?? []).map(errorText).find((words) => words.trim() !== '');
  const quote = messageText(reported ?? '');
  const words = 'Your subscription at the provider needs to be paid. Once it is, sync this connection.';
  return quote === '' ? words : `${words} The provider reports: “${quote}”`;
}
