import { ProviderError } from '../bank-provider/provider-error.js';
import type { ProviderHttp, RequestContext } from '../bank-provider/http/provider-http.js';
import { UNLIMITED } from '../bank-provider/bank-provider.js';
import type { Window } from '../bank-provider/transaction-history.js';
import { unixSecondsOf } from '../time/calendar-date.js';
import type { BasicAccess } from './credential.js';
import { type AccountSet, isAuthRefusal, readAccountSet, readServerVersions } from './payload.js';
import { accountsRefusal, claimRefusal, lostClaim, REVOKED } from './refusals.js';

const CLAIM_TIMEOUT_MS = 15_000;
const INFO_TIMEOUT_MS = 10_000;

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
    throw claimRefusal(reply);
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
    if (reply.status !== 200) throw accountsRefusal(reply);
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
    throw accountsRefusal(reply);
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
