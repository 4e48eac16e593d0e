import { ProviderError } from '../bank-provider/provider-error.js';
import type { ProviderHttp } from '../bank-provider/provider-http.js';
import { type RequestBudget, UNLIMITED } from '../bank-provider/request-budget.js';
import type { Access } from './credential.js';
import { type AccountSet, isAuthRefusal, readAccountSet, readServerVersions } from './payload.js';
import { accountsRefusal, claimRefusal, lostClaim, REVOKED } from './refusals.js';

const CLAIM_TIMEOUT_MS = 15_000;
const INFO_TIMEOUT_MS = 10_000;

export interface TransactionsQuery {
  /** Inclusive. */
  startSeconds: number;
  /** Exclusive; `null`: until now. */
  endSeconds: number | null;
  includePending: boolean;
}

/** On whose behalf a request is made. */
export interface Errand {
  budget: RequestBudget;
  signal: AbortSignal;
}

/** The protocol's three calls. */
export class UsProviderClient {
  constructor(
    private readonly http: ProviderHttp,
    private readonly timeoutMs: number,
  ) {}

  /**
   * Spends a setup token, once: a code whose answer was lost is spent all the same.
   *
   * @returns the body of the answer, unchecked
   */
  async claim(url: URL, signal = new AbortController().signal): Promise<string> {
    const request = {
      ...({ method: 'POST', url: url.href, what: 'the access to a new connection' } as const),
      timeoutMs: CLAIM_TIMEOUT_MS,
      signal,
      budget: UNLIMITED,
    };
    const reply = await this.http.send(request).catch((error: unknown) => {
      throw error instanceof ProviderError ? lostClaim(error) : error;
    });
    if (reply.status === 200) return reply.body;
    throw claimRefusal(reply);
  }

  /** Accounts with the balances of now, since no date is asked for. Their other lists are empty and mean nothing. */
  async balances(access: Access, errand: Errand): Promise<AccountSet> {
    const query = new URLSearchParams({ version: '2', 'balances-only': '1' });
    const set = await this.#accounts(access, query, 'balances', errand);
    return { ...set, accounts: set.accounts.map((wire) => ({ ...wire, transactions: null, holdings: null })) };
  }

  /** Accounts with the transactions of a window, and what is held now. */
  transactions(access: Access, query: TransactionsQuery, errand: Errand): Promise<AccountSet> {
    return this.#accounts(access, parameters(query), 'transactions', errand);
  }

  /** @throws ProviderError with the kind of the refusal; `unexpected_reply` for an answer that makes no sense */
  async #accounts(access: Access, query: URLSearchParams, what: string, errand: Errand): Promise<AccountSet> {
    const reply = await this.http.send({
      method: 'GET',
      url: `${access.root}/accounts?${query.toString()}`,
      what,
      headers: { Authorization: access.authorization.reveal(), Accept: 'application/json' },
      timeoutMs: this.timeoutMs,
      budget: errand.budget,
      signal: errand.signal,
      parsedList: 'transactions',
    });
    if (reply.status !== 200) throw accountsRefusal(reply);
    const set = await readAccountSet(reply, errand.signal);
    if (set.complaints.some(isAuthRefusal)) throw new ProviderError('access_revoked', REVOKED);
    return set;
  }

  /** What the server says it speaks, "1.0". No gate: it says less than it speaks, so that everything is tried anyway. */
  async serverVersions({ root }: Access, { budget, signal }: Errand): Promise<string[]> {
    const request = { method: 'GET', url: `${root}/info`, what: 'server information', retries: false } as const;
    const reply = await this.http.send({ ...request, timeoutMs: INFO_TIMEOUT_MS, budget, signal });
    if (reply.status === 200) return readServerVersions(reply);
    // Who refuses to answer has nothing to say, unless it is for now.
    if (reply.status < 500 && reply.status !== 429) return [];
    throw accountsRefusal(reply);
  }
}

function parameters({ startSeconds, endSeconds, includePending }: TransactionsQuery): URLSearchParams {
  const all = new URLSearchParams({ version: '2', 'start-date': String(startSeconds) });
  if (endSeconds !== null) all.set('end-date', String(endSeconds));
  // Only its presence counts: `pending=0` would ask for them, too.
  if (includePending) all.set('pending', '1');
  return all;
}
