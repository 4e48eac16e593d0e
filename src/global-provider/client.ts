import type { ProviderError } from '../bank-provider/provider-error.js';
import type { ProviderHttp, ProviderReply, RequestContext } from '../bank-provider/http/provider-http.js';
import { UNLIMITED } from '../bank-provider/bank-provider.js';
import type { Secret } from '../config/secret.js';
import type { RawHoldings } from '../bank-provider/feed/holdings.js';
import type { RawBalance } from '../bank-provider/feed/to-account.js';
import type { Window } from '../bank-provider/transaction-history.js';
import { addDays } from '../time/calendar-date.js';
import {
  type ListedAccounts,
  readAccounts,
  readBalance,
  readHoldings,
  readTransactions,
  type WireTransactions,
} from './payload.js';
import type { RawLog } from './raw-log.js';
import { accountRefusal, hasNoHoldings, holdingsRefusal, keyRefusal, listRefusal } from './refusals.js';

const KEY_CHECK_TIMEOUT_MS = 15_000;

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
    readAccounts(await this.#get({ path: '/accounts', what: 'accounts', ...limits }, context, keyRefusal));
  }

  /** @throws ProviderError with the kind of the refusal; `unexpected_reply` for an invalid answer. All calls do. */
  async accounts(context: AuthorizedContext): Promise<ListedAccounts> {
    const reply = await this.#get({ path: '/accounts', what: 'accounts' }, context, listRefusal);
    return readAccounts(reply);
  }

  async balance(accountId: string, context: AuthorizedContext): Promise<RawBalance | null> {
    const path = `${pathOf(accountId)}/balance`;
    return readBalance(await this.#get({ path, what: 'a balance' }, context, accountRefusal));
  }

  async transactions(
    accountId: string,
    window: Window,
    includePending: boolean,
    context: AuthorizedContext,
  ): Promise<WireTransactions> {
    const path = `${pathOf(accountId)}/transactions?${parameters(window, includePending)}`;
    return readTransactions(await this.#get({ path, what: 'transactions' }, context, accountRefusal));
  }

  /**
   * @param hadSome whether the account had holdings, so that it cannot be one of those that never have
   * @returns `null`: not available for this account
   */
  async holdings(accountId: string, hadSome: boolean, context: AuthorizedContext): Promise<RawHoldings | null> {
    const reply = await this.#send({ path: `${pathOf(accountId)}/holdings`, what: 'holdings' }, context);
    if (!hadSome && hasNoHoldings(reply)) return null;
    if (reply.status !== 200) throw holdingsRefusal(reply);
    return readHoldings(reply);
  }

  async #get(call: ApiCall, context: AuthorizedContext, refusal: (reply: ProviderReply) => ProviderError) {
    const reply = await this.#send(call, context);
    if (reply.status !== 200) throw refusal(reply);
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
