import { ProviderError } from '../bank-provider/provider-error.js';
import type { ProviderReply } from '../bank-provider/http/provider-http.js';
import { refusalTextOf } from './payload.js';

/** After a rate limit without `Retry-After`. */
const BACK_OFF_SECONDS = 3600;
const LIMIT = /\b(429|rate.?limit(ed|s)?|too many requests)\b/i;

const CHECK_KEY = 'Check at the provider that the key is still there and that your subscription is active';

/** The error for an answer other than 200 to a new key. Nothing was stored yet. */
export function keyRefusal(reply: ProviderReply): ProviderError {
  if (!isOwnRefusal(reply)) return listRefusal(reply);
  return new ProviderError('token_rejected', `The provider does not accept this API key. ${CHECK_KEY}.`);
}

/** The error for an answer other than 200 to the list of accounts. A wrong key gets 401 or 403. */
export function listRefusal(reply: ProviderReply): ProviderError {
  const { status } = reply;
  if (isOwnRefusal(reply)) {
    const words = 'The provider no longer accepts the API key.';
    const advice = `${CHECK_KEY}, or reconnect with a new key. Accounts and history stay.`;
    return new ProviderError('access_revoked', `${words} ${advice}`);
  }
  if (status === 402) {
    const words = 'Your subscription at the provider needs to be paid. Once it is, sync this connection.';
    return new ProviderError('payment_required', words);
  }
  return refusal(reply);
}

/** The error for an answer other than 200 about one account. */
export function accountRefusal(reply: ProviderReply): ProviderError {
  const { status } = reply;
  if (status === 404) {
    const words = 'The API key no longer gives access.';
    return new ProviderError('account_failed', `${words} Check Account Access at the provider.`);
  }
  if (status === 402 || isOwnRefusal(reply)) {
    return new ProviderError('account_failed', `The provider refuses access (status ${status}).`);
  }
  return refusal(reply);
}

/** Whether an account has no holdings to tell, which is reported with 501 and for some accounts with 404. */
export function hasNoHoldings({ status, body }: ProviderReply): boolean {
  return status === 501 || (status === 404 && refusalTextOf(body) !== null);
}

/** The error for an answer other than 200 about the holdings of an account that may have some. */
export function holdingsRefusal(reply: ProviderReply): ProviderError {
  const { status } = reply;
  if (status !== 404 && status !== 501) return accountRefusal(reply);
  const words = `The provider does not find the holdings (status ${status}).`;
  return new ProviderError('unexpected_reply', words);
}

/** A proxy in front answers bursts with 403 and a web page; only the provider's JSON is a refusal. */
function isOwnRefusal({ status, body }: ProviderReply): boolean {
  return status === 401 || (status === 403 && refusalTextOf(body) !== null);
}

function refusal({ status, body, retryAfterSeconds }: ProviderReply): ProviderError {
  // Some of its limits answer with 500 or 503.
  if (status === 429 || status === 403 || (status >= 500 && LIMIT.test(refusalTextOf(body) ?? ''))) {
    const words = `The provider is limiting requests (status ${status}).`;
    return new ProviderError('rate_limited', words, { retryAfterSeconds: retryAfterSeconds ?? BACK_OFF_SECONDS });
  }
  if (status >= 500 && status !== 501) {
    const words = `The provider is not working at the moment (status ${status}).`;
    return new ProviderError('network', words, retryAfterSeconds === null ? {} : { retryAfterSeconds });
  }
  return new ProviderError('unexpected_reply', `The provider ${refused(status)} (status ${status}).`);
}

function refused(status: number): string {
  // A redirect would send the key to another host.
  if (status >= 300 && status < 400)
    return 'redirects to another address, and Tidemark follows no redirects; check GLOBALPROVIDER_BASE_URL';
  if (status === 404) return 'has nothing at this address; check GLOBALPROVIDER_BASE_URL';
  return status === 501 ? 'does not offer this' : 'refuses the request';
}
