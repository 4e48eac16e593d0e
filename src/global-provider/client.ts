import { Gate } from '../bank-provider/gate.js';
import type { ProviderError } from '../bank-provider/provider-error.js';
import type { ProviderHttp, ProviderReply } from '../bank-provider/provider-http.js';
import { type RequestBudget, UNLIMITED } from '../bank-provider/request-budget.js';
import type { Secret } from '../config/secret.js';
import type { Window } from '../bank-provider/transaction-history.js';
import { addDays } from '../time/calendar-date.js';
import {
  type AccountList,
  readAccounts,
  readBalance,
  readHoldings,
  readTransactions,
  type WireBalance,
  type WireHoldings,
  type WireTransactions,
} from './payload.js';
import type { RawLog } from './raw-log.js';
import { accountRefusal, keyRefusal, listRefusal } from './refusals.js';

const KEY_CHECK_TIMEOUT_MS = 15_000;
/** Of all connections of this instance together; each asks one request after the other. */
const REQUESTS_AT_ONCE = 4;

export interface ClientOptions {
  /** Without a slash at its end. */
  baseUrl: string;
  timeoutMs: number;
  /** `null`: nothing is written. */
  rawLog: RawLog | null;
}

/** On whose behalf a request is made. */
export interface Errand {
  credential: Secret;
  budget: RequestBudget;
  signal: AbortSignal;
}

interface Question {
  path: string;
  what: string;
  timeoutMs?: number;
  retries?: boolean;
}

/** The protocol's four calls. */
export class GlobalProviderClient {
  readonly #gate = new Gate(REQUESTS_AT_ONCE);

  constructor(
    private readonly http: ProviderHttp,
    private readonly options: ClientOptions,
  ) {}

  /** Whether a key that a person has just pasted opens anything: one short request, since somebody is waiting. */
  async checkKey(credential: Secret, signal = new AbortController().signal): Promise<void> {
    const errand = { credential, budget: UNLIMITED, signal };
    const hurry = { timeoutMs: KEY_CHECK_TIMEOUT_MS, retries: false };
    await readAccounts(await this.#get({ path: '/accounts', what: 'accounts', ...hurry }, errand, keyRefusal), signal);
  }

  /** @throws ProviderError with the kind of the refusal; `unexpected_reply` for an answer that makes no sense. All do. */
  async accounts(errand: Errand): Promise<AccountList> {
    const reply = await this.#get({ path: '/accounts', what: 'accounts' }, errand, listRefusal);
    return readAccounts(reply, errand.signal);
  }

  async balance(accountId: string, errand: Errand): Promise<WireBalance | null> {
    const path = `${pathOf(accountId)}/balance`;
    return readBalance(await this.#get({ path, what: 'a balance' }, errand, accountRefusal));
  }

  async transactions(
    accountId: string,
    window: Window,
    includePending: boolean,
    errand: Errand,
  ): Promise<WireTransactions> {
    const path = `${pathOf(accountId)}/transactions?${parameters(window, includePending)}`;
    return readTransactions(await this.#get({ path, what: 'transactions' }, errand, accountRefusal));
  }

  /** @returns `null`: not available for this account, which is said with 501 and, of some accounts, with 404 */
  async holdings(accountId: string, errand: Errand): Promise<WireHoldings | null> {
    const reply = await this.#send({ path: `${pathOf(accountId)}/holdings`, what: 'holdings' }, errand);
    if (reply.status === 501 || reply.status === 404) return null;
    if (reply.status !== 200) throw accountRefusal(reply);
    return readHoldings(reply);
  }

  async #get(question: Question, errand: Errand, refusal: (reply: ProviderReply) => ProviderError) {
    const reply = await this.#send(question, errand);
    if (reply.status !== 200) throw refusal(reply);
    return reply;
  }

  #send({ path, what, ...hurry }: Question, { credential, budget, signal }: Errand): Promise<ProviderReply> {
    const { baseUrl, timeoutMs, rawLog } = this.options;
    return this.#gate.pass(() =>
      this.http.send({
        method: 'GET',
        url: `${baseUrl}${path}`,
        what,
        timeoutMs,
        waitsOutLimit: true,
        budget,
        signal,
        // Who wants to see an answer as it comes needs all of its text.
        ...(rawLog ? {} : { parsedList: 'transactions' }),
        headers: { 'X-Api-Key': credential.reveal(), Accept: 'application/json' },
        onReply: (reply) => rawLog?.write(path, reply, credential),
        ...hurry,
      }),
    );
  }
}

function pathOf(accountId: string): string {
  return `/accounts/${encodeURIComponent(accountId)}`;
}

/** Both days are inclusive on this wire, which is said here and nowhere else. */
function parameters({ from, until }: Window, includePending: boolean): string {
  const all = new URLSearchParams({ from });
  if (until !== null) all.set('to', addDays(until, -1));
  if (includePending) all.set('include_pending', 'true');
  return all.toString();
}
