import { UNLIMITED } from '../../../src/providers/bank-provider.js';
import { type Refusal, refusalError } from '../../../src/providers/feed/refusals.js';
import type { ProviderHttp, ProviderReply, RequestContext } from '../../../src/providers/http/provider-http.js';
import type { CheckedAccounts } from '../../../src/providers/parse-payload.js';
import { ProviderInputError } from '../../../src/providers/provider-error.js';
import type { Window } from '../../../src/providers/transaction-history.js';
import { Secret } from '../../../src/platform/config/secret.js';
import { addDays } from '../../../src/platform/time/calendar-date.js';
import { readAccounts, readTransactions, type WireAccount } from './payload.js';

const ACCESS_TOKEN = /^tp_[a-z0-9]{8,64}$/;

/** After a rate limit without `Retry-After`. */
const BACK_OFF_SECONDS = 3600;

/** While a person connects, when nothing is stored yet. */
const OF_NEW_TOKEN: readonly Refusal[] = [
  {
    status: 401,
    kind: 'token_rejected',
    message: 'The provider does not accept this access token. Create a new one there.',
  },
];

const OF_STORED_TOKEN: readonly Refusal[] = [
  {
    status: 401,
    kind: 'access_revoked',
    message: 'The provider no longer accepts the access token. Give this connection a new one.',
  },
];

interface AuthorizedContext extends RequestContext {
  credential: Secret;
}

/**
 * The access token in what a person pasted.
 *
 * @throws ProviderInputError with words to put after the field's name; nothing was contacted
 */
export function accessTokenOf(pasted: Secret): Secret {
  const token = pasted.reveal().trim();
  if (!ACCESS_TOKEN.test(token)) {
    throw new ProviderInputError('does not look like tp_… with letters and digits: paste the whole token');
  }
  return new Secret(token);
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
    readAccounts(await this.#get('/accounts', 'accounts', context, OF_NEW_TOKEN));
  }

  async accounts(context: AuthorizedContext): Promise<CheckedAccounts<WireAccount>> {
    return readAccounts(await this.#get('/accounts', 'accounts', context));
  }

  /** Transactions of all accounts, by the id of the account. Both days are inclusive on this wire. */
  async transactions({ from, until }: Window, context: AuthorizedContext): Promise<Map<string | null, unknown[]>> {
    const query = new URLSearchParams({ from });
    if (until !== null) query.set('to', addDays(until, -1));
    return readTransactions(await this.#get(`/transactions?${query.toString()}`, 'transactions', context));
  }

  async #get(
    path: string,
    what: string,
    { credential, budget, signal }: AuthorizedContext,
    refusals = OF_STORED_TOKEN,
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
    if (reply.status !== 200) throw refusalError(reply, refusals, BACK_OFF_SECONDS);
    return reply;
  }
}
