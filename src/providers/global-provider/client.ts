import { Logger } from '@nestjs/common';
import { UNLIMITED } from '../bank-provider.js';
import type { RawHoldings } from '../feed/holdings.js';
import { type Refusal, refusalError } from '../feed/refusals.js';
import type { RawBalance } from '../feed/to-account.js';
import type { ProviderHttp, ProviderReply, RequestContext } from '../http/provider-http.js';
import { redact } from '../../platform/logging/redact.js';
import type { Window } from '../transaction-history.js';
import type { Secret } from '../../platform/config/secret.js';
import { addDays } from '../../platform/time/calendar-date.js';
import {
  type ListedAccounts,
  readAccounts,
  readBalance,
  readHoldings,
  readTransactions,
  refusalTextOf,
  type WireTransactions,
} from './payload.js';

const KEY_CHECK_TIMEOUT_MS = 15_000;

/** After a rate limit without `Retry-After`. */
const BACK_OFF_SECONDS = 3600;
const LIMIT = /\b(429|rate.?limit(ed|s)?|too many requests)\b/i;
const CHECK_KEY = 'Check at the provider that the key is still there and that your subscription is active';
const CHECK_ADDRESS = 'check GLOBALPROVIDER_BASE_URL';

/** A proxy in front answers bursts with 403 and a web page; only the provider's JSON is a refusal. */
const isOwnRefusal = ({ body }: ProviderReply) => refusalTextOf(body) !== null;
const limitWords = ({ status }: ProviderReply) => `The provider is limiting requests (status ${status}).`;
const noAccess = ({ status }: ProviderReply) => `The provider refuses access (status ${status}).`;

const OF_EVERYTHING: readonly Refusal[] = [
  { status: 403, kind: 'rate_limited', message: limitWords },
  // Some of its limits answer with 500 or 503.
  {
    status: [500, 599],
    when: ({ body }) => LIMIT.test(refusalTextOf(body) ?? ''),
    kind: 'rate_limited',
    message: limitWords,
  },
  { status: 501, kind: 'unexpected_reply', message: 'The provider does not offer this (status 501).' },
  {
    // It would send the key to another host.
    status: [300, 399],
    kind: 'unexpected_reply',
    message: ({ status }) =>
      `The provider redirects to another address, and Tidemark follows no redirects; ${CHECK_ADDRESS} (status ${status}).`,
  },
  {
    status: 404,
    kind: 'unexpected_reply',
    message: `The provider has nothing at this address; ${CHECK_ADDRESS} (status 404).`,
  },
];

const REVOKED: Pick<Refusal, 'kind' | 'message'> = {
  kind: 'access_revoked',
  message: `The provider no longer accepts the API key. ${CHECK_KEY}, or reconnect with a new key. Accounts and history stay.`,
};

/** Of the list of accounts. A wrong key gets 401 or 403. */
const OF_LIST: readonly Refusal[] = [
  { status: 401, ...REVOKED },
  { status: 403, when: isOwnRefusal, ...REVOKED },
  ...OF_EVERYTHING,
];

const REJECTED: Pick<Refusal, 'kind' | 'message'> = {
  kind: 'token_rejected',
  message: `The provider does not accept this API key. ${CHECK_KEY}.`,
};

/** Of a new key, while nothing is stored yet. */
const OF_NEW_KEY: readonly Refusal[] = [
  { status: 401, ...REJECTED },
  { status: 403, when: isOwnRefusal, ...REJECTED },
  ...OF_EVERYTHING,
];

const OF_ACCOUNT: readonly Refusal[] = [
  {
    status: 404,
    kind: 'account_failed',
    message: 'The API key no longer gives access. Check Account Access at the provider.',
  },
  { status: [401, 402], kind: 'account_failed', message: noAccess },
  { status: 403, when: isOwnRefusal, kind: 'account_failed', message: noAccess },
  ...OF_EVERYTHING,
];

const notFound = ({ status }: ProviderReply) => `The provider does not find the holdings (status ${status}).`;

/** Of the holdings of an account that may have some. */
const OF_HOLDINGS: readonly Refusal[] = [
  { status: 404, kind: 'unexpected_reply', message: notFound },
  { status: 501, kind: 'unexpected_reply', message: notFound },
  ...OF_ACCOUNT,
];

interface ClientOptions {
  /** Without a slash at the end. */
  baseUrl: string;
  timeoutMs: number;
  /** `null`: answers are not logged. */
  rawLog: RawLog | null;
}

interface AuthorizedContext extends RequestContext {
  credential: Secret;
}

interface ApiCall {
  path: string;
  what: string;
  timeoutMs?: number;
  retries?: boolean;
}

/** The protocol's four calls. */
export class GlobalProviderClient {
  constructor(
    private readonly http: ProviderHttp,
    private readonly options: ClientOptions,
  ) {}

  /** Tries a new key with one short request, because a person is waiting. */
  async checkKey(credential: Secret, signal = new AbortController().signal): Promise<void> {
    const context = { credential, budget: UNLIMITED, signal };
    const limits = { timeoutMs: KEY_CHECK_TIMEOUT_MS, retries: false };
    readAccounts(await this.#get({ path: '/accounts', what: 'accounts', ...limits }, context, OF_NEW_KEY));
  }

  /** @throws ProviderError with the kind of the refusal; `unexpected_reply` for an invalid answer. All calls do. */
  async accounts(context: AuthorizedContext): Promise<ListedAccounts> {
    const reply = await this.#get({ path: '/accounts', what: 'accounts' }, context, OF_LIST);
    return readAccounts(reply);
  }

  async balance(accountId: string, context: AuthorizedContext): Promise<RawBalance | null> {
    const path = `${pathOf(accountId)}/balance`;
    return readBalance(await this.#get({ path, what: 'a balance' }, context, OF_ACCOUNT));
  }

  async transactions(
    accountId: string,
    window: Window,
    includePending: boolean,
    context: AuthorizedContext,
  ): Promise<WireTransactions> {
    const path = `${pathOf(accountId)}/transactions?${parameters(window, includePending)}`;
    return readTransactions(await this.#get({ path, what: 'transactions' }, context, OF_ACCOUNT));
  }

  /**
   * @param hadSome whether the account had holdings, so that it cannot be one of those that never have
   * @returns `null`: not available for this account
   */
  async holdings(accountId: string, hadSome: boolean, context: AuthorizedContext): Promise<RawHoldings | null> {
    const reply = await this.#send({ path: `${pathOf(accountId)}/holdings`, what: 'holdings' }, context);
    // Of an account without holdings, reported with 501 and for some accounts with 404.
    const hasNone = reply.status === 501 || (reply.status === 404 && isOwnRefusal(reply));
    if (!hadSome && hasNone) return null;
    if (reply.status !== 200) throw refusalError(reply, OF_HOLDINGS, BACK_OFF_SECONDS);
    return readHoldings(reply);
  }

  async #get(call: ApiCall, context: AuthorizedContext, refusals: readonly Refusal[]) {
    const reply = await this.#send(call, context);
    if (reply.status !== 200) throw refusalError(reply, refusals, BACK_OFF_SECONDS);
    return reply;
  }

  #send({ path, what, ...limits }: ApiCall, { credential, budget, signal }: AuthorizedContext): Promise<ProviderReply> {
    const { baseUrl, timeoutMs, rawLog } = this.options;
    return this.http.send({
      method: 'GET',
      url: `${baseUrl}${path}`,
      what,
      timeoutMs,
      waitsOutLimit: true,
      budget,
      signal,
      headers: { 'X-Api-Key': credential.reveal(), Accept: 'application/json' },
      onReply: (reply) => rawLog?.write(path, reply, credential),
      ...limits,
    });
  }
}

function pathOf(accountId: string): string {
  return `/accounts/${encodeURIComponent(accountId)}`;
}

/** Both days are inclusive on this wire only. */
function parameters({ from, until }: Window, includePending: boolean): string {
  const all = new URLSearchParams({ from });
  if (until !== null) all.set('to', addDays(until, -1));
  if (includePending) all.set('include_pending', 'true');
  return all.toString();
}

/** The logger that GLOBALPROVIDER_DEBUG_RAW enables at any LOG_LEVEL. */
export const RAW_LOG = 'GlobalProviderRaw';
/** Of a body. Its beginning usually explains a figure. */
const MAX_BODY_CHARS = 16_384;

/** Logs raw answers, to explain a figure. They contain personal data and no secret. */
export class RawLog {
  readonly #log = new Logger(RAW_LOG);

  /** @param path of the request, without its host */
  write(path: string, { status, body }: ProviderReply, apiKey: Secret): void {
    // More than is logged, because it may become shorter without its secrets.
    const text = wholeWords(body, 2 * MAX_BODY_CHARS);
    // Headers are never logged, but a server may repeat the key in its answer.
    const key = apiKey.reveal();
    const clean = redact(
      [key, key.replaceAll('/', '\\/')].reduce((text, key) => text.replaceAll(key, '[secret]'), text),
    );
    const shown = clean.slice(0, MAX_BODY_CHARS);
    const cutChars = clean.length - shown.length + body.length - text.length;
    this.#log.debug({ message: `GET ${path}`, status, body: shown, ...(cutChars > 0 ? { cut_chars: cutChars } : {}) });
  }
}

/** The beginning of a text without the word at its end, if that is cut off: a part of a secret would not be recognised. */
function wholeWords(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const cut = text.slice(0, maxChars);
  return cut.slice(0, 1 + Math.max(...[' ', '\n', '"'].map((end) => cut.lastIndexOf(end))));
}
