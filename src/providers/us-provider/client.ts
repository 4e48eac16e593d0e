import { UNLIMITED } from '../bank-provider.js';
import { type Refusal, refusalError, UNPAID } from '../feed/refusals.js';
import { NotSentError } from '../http/network-failure.js';
import { isAllowedHost, type NetworkRules, refusalOf } from '../http/network-guard.js';
import type { ProviderHttp, ProviderReply, RequestContext } from '../http/provider-http.js';
import { MAX_SECRET_CHARS } from '../provider-descriptor.js';
import { ProviderError, ProviderInputError } from '../provider-error.js';
import { messageText } from '../read-values.js';
import type { Window } from '../transaction-history.js';
import { Secret } from '../../platform/config/secret.js';
import { unixSecondsOf } from '../../platform/time/calendar-date.js';
import {
  type AccountSet,
  errorText,
  isAuthRefusal,
  readAccountSet,
  readServerVersions,
  refusalErrorsOf,
} from './payload.js';

const CLAIM_TIMEOUT_MS = 15_000;
const INFO_TIMEOUT_MS = 10_000;

/** After a rate limit without `Retry-After`. */
const BACK_OFF_SECONDS = 4 * 3600;

const REVOKED =
  'The provider no longer accepts this connection’s access: it was revoked or disabled, or it has expired. ' +
  'Create a new setup token at the provider and reconnect with it. Accounts and history stay.';

const NEW_TOKEN = 'Create a new setup token at the provider, and disable the old one there.';

const OF_CLAIM: readonly Refusal[] = [
  {
    status: 403,
    kind: 'token_rejected',
    message: `The provider refused the setup token: it was already used, has expired, or is compromised. ${NEW_TOKEN}`,
  },
  {
    status: 429,
    kind: 'rate_limited',
    message: 'The provider is limiting requests and did not check the setup token. Try again later.',
  },
  {
    status: [300, 399],
    kind: 'unexpected_reply',
    message: `The address in the setup token redirects to another one, and Tidemark follows no redirects. ${NEW_TOKEN}`,
  },
  {
    status: [0, 999],
    kind: 'unexpected_reply',
    message: ({ status }) => `The provider answered the setup token with status ${status}. ${NEW_TOKEN}`,
  },
];

/** Of the answers to `/accounts`. A proxy in front answers bursts with a web page; only the server's own errors refuse. */
const OF_ACCESS: readonly Refusal[] = [
  { status: 402, kind: 'payment_required', message: paymentWords },
  { status: 401, when: isOwnRefusal, kind: 'access_revoked', message: REVOKED },
  { status: 403, when: isOwnRefusal, kind: 'access_revoked', message: REVOKED },
  { status: 401, kind: 'rate_limited', message: refusedInBetween },
  { status: 403, kind: 'rate_limited', message: refusedInBetween },
];

/** The protocol's three calls. */
export class UsProviderClient {
  constructor(
    private readonly http: ProviderHttp,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Spends a setup token. It is never retried, because a token is spent even when its answer is lost.
   *
   * @returns the body of the answer, unchecked
   */
  async claim(url: URL, signal = new AbortController().signal): Promise<string> {
    const request = {
      method: 'POST' as const,
      url: url.href,
      what: 'the access to a new connection',
      timeoutMs: CLAIM_TIMEOUT_MS,
      signal,
      budget: UNLIMITED,
    };
    const reply = await this.http.send(request).catch((error: unknown) => {
      throw error instanceof ProviderError ? lostClaim(error) : error;
    });
    if (reply.status === 200) return reply.body;
    throw refusalError(reply, OF_CLAIM, BACK_OFF_SECONDS);
  }

  /** Fetches accounts with current balances. Without a date the other lists are empty, which means nothing. */
  async balances(access: BasicAccess, context: RequestContext): Promise<AccountSet> {
    const query = new URLSearchParams({ version: '2', 'balances-only': '1' });
    const set = await this.#accounts(access, query, 'balances', context);
    return { ...set, accounts: set.accounts.map((wire) => ({ ...wire, transactions: null, holdings: null })) };
  }

  /** Fetches accounts with the transactions of a window and the current holdings. */
  transactions(
    access: BasicAccess,
    window: Window,
    includePending: boolean,
    context: RequestContext,
  ): Promise<AccountSet> {
    return this.#accounts(access, parameters(window, includePending), 'transactions', context);
  }

  /** @throws ProviderError with the kind of the refusal; `unexpected_reply` for an invalid answer */
  async #accounts(
    access: BasicAccess,
    query: URLSearchParams,
    what: string,
    context: RequestContext,
  ): Promise<AccountSet> {
    const reply = await this.http.send({
      method: 'GET',
      url: `${access.root}/accounts?${query.toString()}`,
      what,
      headers: { Authorization: access.authorization.reveal(), Accept: 'application/json' },
      timeoutMs: this.timeoutMs,
      budget: context.budget,
      signal: context.signal,
    });
    if (reply.status !== 200) throw accessRefusal(reply);
    const set = readAccountSet(reply);
    if (set.reportedErrors.some(isAuthRefusal)) throw new ProviderError('access_revoked', REVOKED);
    return set;
  }

  /**
   * The protocol versions that the server reports, "1.0". They are only shown, because servers support more than they
   * report.
   */
  async serverVersions({ root }: BasicAccess, { budget, signal }: RequestContext): Promise<string[]> {
    const request = { method: 'GET', url: `${root}/info`, what: 'server information', retries: false } as const;
    const reply = await this.http.send({ ...request, timeoutMs: INFO_TIMEOUT_MS, budget, signal });
    if (reply.status === 200) return readServerVersions(reply);
    // A permanent refusal means that it reports none.
    if (reply.status < 500 && reply.status !== 429) return [];
    throw accessRefusal(reply);
  }
}

/** The first moment is inclusive on this wire, the last one exclusive. */
function parameters({ from, until }: Window, includePending: boolean): URLSearchParams {
  const all = new URLSearchParams({ version: '2', 'start-date': String(unixSecondsOf(from)) });
  if (until !== null) all.set('end-date', String(unixSecondsOf(until)));
  // Only the presence of `pending` counts; `pending=0` includes them, too.
  if (includePending) all.set('pending', '1');
  return all;
}

/** The error for an answer to `/accounts` other than 200. */
export function accessRefusal(reply: ProviderReply): ProviderError {
  return refusalError(reply, OF_ACCESS, BACK_OFF_SECONDS);
}

/** The error for a claim without an answer, which may have spent the token. */
function lostClaim(error: ProviderError): ProviderError {
  const words =
    error instanceof NotSentError
      ? 'The setup token was not used; you can try it again.'
      : 'The setup token may be used up now. Try it once more; if it is refused, ' +
        'create a new one at the provider and disable the old one there.';
  return new ProviderError(error.kind, `${error.message} ${words}`, { cause: error });
}

function isOwnRefusal({ body }: ProviderReply): boolean {
  return refusalErrorsOf(body) !== null;
}

/** Some older servers refuse a revoked access with a web page, too. */
function refusedInBetween({ status }: ProviderReply): string {
  const words = `The provider, or a service in front of it, refuses requests at the moment (status ${status}).`;
  return `${words} If this lasts for more than a day, create a new setup token at the provider and reconnect with it.`;
}

function paymentWords({ body }: ProviderReply): string {
  const reported = (refusalErrorsOf(body) ?? []).map(errorText).find((words) => words.trim() !== '');
  const quote = messageText(reported ?? '');
  return quote === '' ? UNPAID : `${UNPAID} The provider reports: “${quote}”`;
}

/** An access URL taken apart. */
export interface BasicAccess {
  /** Without credentials and without a slash at the end. */
  root: string;
  /** Value of the `Authorization` header. */
  authorization: Secret;
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/**
 * Reads the claim address from a setup token. White space and missing padding are accepted.
 *
 * @throws ProviderInputError with words to put after the field's name; nothing was contacted
 */
export function claimUrlOf(setupToken: Secret, rules: NetworkRules): URL {
  const compact = setupToken.reveal().replace(/\s+/g, '');
  if (!BASE64.test(compact))
    throw new ProviderInputError('is not base64 text: paste the whole token as the provider shows it');
  const decoded = Buffer.from(compact, 'base64').toString('utf8').trim();
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(decoded) || !URL.canParse(decoded)) {
    throw new ProviderInputError('contains no address: paste the whole token as the provider shows it');
  }
  const url = new URL(decoded);
  if (url.username || url.password)
    throw new ProviderInputError('must not contain an address with a user name or password');
  const refusal = addressRefusal(url, rules);
  if (refusal) throw new ProviderInputError(refusal);
  return url;
}

/**
 * Reads the access URL from the answer to a claim.
 *
 * @throws ProviderError `unexpected_reply`, which quotes nothing of the answer
 */
export function accessUrlOf(body: string, rules: NetworkRules): Secret {
  const text = body.trim();
  const isAddress = text.length <= MAX_SECRET_CHARS && /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
  const url = isAddress ? new URL(text) : null;
  const problem = !url
    ? 'is not an address'
    : !url.username || !url.password
      ? 'is an address without user name and password'
      : addressRefusal(url, rules);
  if (problem) {
    const advice = 'Nothing was stored. The setup token is used up: create a new one at the provider.';
    throw new ProviderError('unexpected_reply', `The provider’s answer to the setup token ${problem}. ${advice}`);
  }
  return new Secret(text);
}

/** @throws ProviderError when the stored access URL is no longer allowed */
export function accessOf(accessUrl: Secret, rules: NetworkRules): BasicAccess {
  const url = new URL(accessUrl.reveal());
  const refusal = addressRefusal(url, rules);
  if (refusal) throw new ProviderError('network', `The stored access address ${refusal}.`);
  // URL keeps them percent-encoded, and the header needs them decoded.
  const [user, password] = [url.username, url.password].map(percentDecoded);
  return {
    root: `${url.origin}${url.pathname.replace(/\/+$/, '')}`,
    authorization: new Secret(`Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`),
  };
}

/** People may have a server of their own, so a refusal names the settings by which whoever runs the service allows it. */
function addressRefusal(url: URL, rules: NetworkRules): string | null {
  const refusal = refusalOf(url, rules);
  const settings = [
    isAllowedHost(url.hostname, rules) ? [] : 'USPROVIDER_ALLOWED_HOSTS',
    /^https?:$/.test(url.protocol) && refusalOf(url, { ...rules, allowedHosts: ['*'] })
      ? 'PROVIDER_ALLOW_PRIVATE_NETWORK'
      : [],
  ].flat();
  return refusal && settings.length > 0 ? `${refusal}; check ${settings.join(' and ')}` : refusal;
}

const ENCODED_CHARACTER = /%[0-7][0-9a-f]|%[c-f][0-9a-f](?:%[89ab][0-9a-f])+/gi;

/** Each character by itself: a password may have a percent sign beside characters that URL encodes. */
function percentDecoded(text: string): string {
  return text.replace(ENCODED_CHARACTER, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
