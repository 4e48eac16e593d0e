import { messageText } from '../bank-provider/text.js';
import { parsePayload } from '../bank-provider/parse-payload.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import type { ProviderHttp, ProviderReply } from '../bank-provider/provider-http.js';
import type { RequestBudget } from '../bank-provider/request-budget.js';
import { retryAfterSeconds } from '../bank-provider/retry.js';
import type { Access } from './credential.js';
import { ACCOUNT_SET, type AccountSet } from './payload.js';

const CLAIM_TIMEOUT_MS = 15_000;
const ANSWER = 'The provider’s answer';

export interface AccountsQuery {
  /** No transactions and no holdings: the one request whose balances are today's for certain. */
  balancesOnly: boolean;
  /** Unix seconds, inclusive. */
  startSeconds?: number;
  /** Unix seconds, exclusive; absent: until now. */
  endSeconds?: number;
  includePending: boolean;
}

/** The protocol's calls, and what each status means. */
export class UsProviderClient {
  constructor(
    private readonly http: ProviderHttp,
    private readonly timeoutMs: number,
    private readonly now: () => Date,
  ) {}

  /** Spends a setup token, once: never retried, since a code whose answer was lost is spent all the same. */
  async claim(url: URL): Promise<string> {
    const request = { method: 'POST', url: url.href, timeoutMs: CLAIM_TIMEOUT_MS, what: 'the claim' } as const;
    const reply = await this.http.send({ ...request, signal: new AbortController().signal }).catch((error: unknown) => {
      throw lostAnswer(error);
    });
    if (reply.status === 200) return reply.body;
    if (reply.status === 403) throw new ProviderError('token_rejected', CLAIM_REFUSED);
    throw new ProviderError(
      'unexpected_reply',
      `The provider answered the setup token with status ${reply.status}. Nothing was stored; make a new setup token at the provider.`,
    );
  }

  async accounts(
    access: Access,
    query: AccountsQuery,
    budget: RequestBudget,
    signal: AbortSignal,
  ): Promise<AccountSet> {
    const reply = await this.http.send({
      ...{ method: 'GET', url: `${access.root}/accounts?${parameters(query)}`, what: 'accounts' },
      headers: { Authorization: access.authorization.reveal(), Accept: 'application/json' },
      ...{ timeoutMs: this.timeoutMs, budget, signal },
    });
    if (reply.status !== 200) throw this.#refusal(reply);
    return parsePayload(ACCOUNT_SET, reply.body, ANSWER);
  }

  #refusal(reply: ProviderReply): ProviderError {
    const { status } = reply;
    const wait = retryAfterSeconds(reply.headers['retry-after'], this.now());
    const later = wait === null ? {} : { retryAfterSeconds: wait };
    // A front end before the server answers bursts with pages of its own; only the server's words count as a refusal.
    if ((status === 401 || status === 403) && isAccountSet(reply.body))
      return new ProviderError('access_revoked', REVOKED);
    if (status === 402) return new ProviderError('payment_required', paymentWords(reply.body));
    if (status === 401 || status === 403 || status === 429) {
      return new ProviderError(
        'rate_limited',
        `The provider turns requests away for now (${status}); your access stays. It will be tried again later.`,
        later,
      );
    }
    if (status >= 500)
      return new ProviderError(
        'network',
        `The provider has trouble of its own (${status}). It will be tried again later.`,
        later,
      );
    if (status >= 300 && status < 400)
      return new ProviderError(
        'unexpected_reply',
        `The provider redirects to another address (${status}), which is never followed.`,
      );
    return new ProviderError('unexpected_reply', `The provider answered with status ${status}.`);
  }
}

const CLAIM_REFUSED =
  'The provider refused the setup token: it was already used, has expired, or is compromised. Make a new setup token at the provider, and disable the old one there if you did not use it yourself.';

const REVOKED =
  'The provider does not accept the access any more: it was revoked, has expired, or was disabled. Make a new setup token at the provider and give it to this connection; accounts and history stay.';

/** The code may be spent although nothing arrived: said as it is. */
function lostAnswer(error: unknown): unknown {
  if (!(error instanceof ProviderError) || error.kind !== 'network') return error;
  return new ProviderError(
    'network',
    `${error.message.replace(' It will be tried again later.', '')} Whether the setup token was used up is not known: if it is refused now, make a new one at the provider and disable the old one.`,
    { cause: error },
  );
}

function parameters(query: AccountsQuery): string {
  const all = new URLSearchParams({ version: '2' });
  if (query.balancesOnly) all.set('balances-only', '1');
  if (query.startSeconds !== undefined) all.set('start-date', String(query.startSeconds));
  if (query.endSeconds !== undefined) all.set('end-date', String(query.endSeconds));
  // A presence switch: even `pending=0` would include them.
  if (query.includePending) all.set('pending', '1');
  return all.toString();
}

function isAccountSet(body: string): boolean {
  try {
    return ACCOUNT_SET.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}

function paymentWords(body: string): string {
  let said = '';
  try {
    const { errors, errlist } = ACCOUNT_SET.parse(JSON.parse(body));
    const [first] = errlist ?? [];
    said = errors?.[0] ?? (typeof first === 'string' ? first : (first?.msg ?? first?.message ?? ''));
  } catch {
    // A page instead of the protocol's answer says the same with its status.
  }
  const quote = said ? ` It says: “${messageText(said)}”` : '';
  return `Your subscription at the provider needs payment; nothing is synced until then.${quote}`;
}
