import type { ProviderError } from '../../../src/bank-provider/provider-error.js';
import type { ProviderHttp, ProviderReply, RequestContext } from '../../../src/bank-provider/http/provider-http.js';
import type { CheckedAccounts } from '../../../src/bank-provider/parse-payload.js';
import { UNLIMITED } from '../../../src/bank-provider/bank-provider.js';
import type { Secret } from '../../../src/config/secret.js';
import type { Window } from '../../../src/bank-provider/transaction-history.js';
import { addDays } from '../../../src/time/calendar-date.js';
import { connectError, syncError } from './third-provider.errors.js';
import { readAccounts, readTransactions, type WireAccount } from './third-provider.schemas.js';

interface AuthorizedContext extends RequestContext {
  credential: Secret;
}

/** The two calls of the provider's API. All methods throw ProviderError. */
export class ThirdProviderClient {
  constructor(
    private readonly http: ProviderHttp,
    private readonly baseUrl: string,
    private readonly timeoutMs: number,
  ) {}

  async checkToken(credential: Secret, signal = new AbortController().signal): Promise<void> {
    const context = { credential, budget: UNLIMITED, signal };
    readAccounts(await this.#get('/accounts', 'accounts', context, connectError));
  }

  async accounts(context: AuthorizedContext): Promise<CheckedAccounts<WireAccount>> {
    return readAccounts(await this.#get('/accounts', 'accounts', context, syncError));
  }

  /** Transactions of all accounts, by the id of the account. Both days are inclusive on this wire. */
  async transactions({ from, until }: Window, context: AuthorizedContext): Promise<Map<string | null, unknown[]>> {
    const query = new URLSearchParams({ from });
    if (until !== null) query.set('to', addDays(until, -1));
    const path = `/transactions?${query.toString()}`;
    return readTransactions(await this.#get(path, 'transactions', context, syncError));
  }

  async #get(
    path: string,
    what: string,
    { credential, budget, signal }: AuthorizedContext,
    errorOf: (reply: ProviderReply) => ProviderError,
  ): Promise<ProviderReply> {
    const reply = await this.http.send({
      method: 'GET',
      url: this.baseUrl + path,
      headers: { Authorization: `Bearer ${credential.reveal()}`, Accept: 'application/json' },
      timeoutMs: this.timeoutMs,
      what,
      budget,
      signal,
    });
    if (reply.status !== 200) throw errorOf(reply);
    return reply;
  }
}
