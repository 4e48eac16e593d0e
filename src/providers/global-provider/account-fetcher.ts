import { SnapshotSize } from '../answer-limits.js';
import type { SnapshotRequest } from '../bank-provider.js';
import { commonCurrency, readRows } from '../feed/rows.js';
import { type AccountDraft, toAccount, type TranslatedAccount } from '../feed/to-account.js';
import { fetchMissing, windowOf, type WindowRules } from '../feed/windows.js';
import { ProviderError, type ProviderProblem } from '../provider-error.js';
import { lineOf, messageText, reportedCurrency } from '../read-values.js';
import { TransactionHistory, type Window } from '../transaction-history.js';
import { currencyCode } from '../../platform/money/currency.js';
import type { GlobalProviderClient } from './client.js';
import { isAtBroker, isConnected, readTransaction, type WireAccount } from './payload.js';
import { type AnswerRows, wholeWindow } from './window-rows.js';

/**
 * A quarter, for answers of a reasonable size, because no limit is published. A rest of fewer than thirty days is not
 * worth a request, and a single day cannot be halved to verify that it has more rows.
 */
export const WINDOWS: WindowRules = { days: 90, overlapDays: 30, shortestDays: 30 };

export type Step = 'balance' | 'transactions' | 'holdings';

/** An account of the list, with what its own requests have brought. */
export interface ListedAccount extends AccountDraft {
  wire: WireAccount;
  isUnreadable: boolean;
  /** Whether a day has more transactions than the provider returns. */
  isCutShort: boolean;
  failures: { step: Step; error: ProviderError }[];
}

export function startAccount(wire: WireAccount, request: SnapshotRequest): ListedAccount {
  const { id: externalId, name } = wire;
  const isUnreadable = !isConnected(wire);
  return {
    externalId,
    name,
    wire,
    isUnreadable,
    balance: null,
    holdings: null,
    isCutShort: false,
    institution: lineOf(wire.institution_name),
    currency: null,
    isAtBroker: isAtBroker(wire),
    // Older windows can wait until the account is connected again.
    history: new TransactionHistory(externalId, request, WINDOWS.overlapDays, isUnreadable),
    known: request.knownAccounts?.get(externalId),
    isExplained: isUnreadable,
    failures: [],
  };
}

/**
 * Fetches balance, transactions and holdings of the accounts of one snapshot. What fails is a problem of the account,
 * and the rest is fetched.
 */
export class AccountFetcher {
  readonly #breaker = new CircuitBreaker();
  readonly #size = new SnapshotSize();

  constructor(
    private readonly client: GlobalProviderClient,
    private readonly request: SnapshotRequest,
    private readonly onStep: (draft: ListedAccount, step: Step, window?: Window) => void,
  ) {}

  async fetch(draft: ListedAccount): Promise<TranslatedAccount> {
    await this.#fetchParts(draft);
    draft.unnamedCurrency = unnamedCurrency(draft);
    draft.isExplained ||= draft.failures.some(({ step }) => step === 'balance');
    return toAccount({ ...draft, problems: [...problemsOf(draft)] }, this.request.today);
  }

  /** The balance comes first, because it has the currency if the list has none. */
  async #fetchParts(draft: ListedAccount): Promise<void> {
    if (!draft.isUnreadable) await this.#try(draft, 'balance', () => this.#fetchBalance(draft));
    // A text that is no code may be a mistake of one answer, so that the stored code counts.
    const currencies = [...namedCurrencies(draft), ...(draft.known?.currency ? [draft.known.currency] : [])];
    draft.currency = currencies.find((currency) => currencyCode(currency) !== null) ?? currencies[0] ?? null;
    if (draft.currency !== null && currencyCode(draft.currency) === null) {
      return this.#try(draft, 'transactions', () => this.#countTransactions(draft));
    }
    await this.#try(draft, 'transactions', () => this.#fetchTransactions(draft));
    const isKnownToHaveNone = this.request.withoutHoldings.has(draft.externalId);
    const hasFailed = draft.failures.length === 2;
    if (!draft.isUnreadable && !isKnownToHaveNone && !hasFailed)
      await this.#try(draft, 'holdings', () => this.#fetchHoldings(draft));
  }

  async #try(draft: ListedAccount, step: Step, fetch: () => Promise<void>): Promise<void> {
    const stop = this.#breaker.stopOf(draft);
    if (stop) return void draft.failures.push({ step, error: stop });
    try {
      await fetch();
      this.#breaker.recordAnswer();
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.#breaker.recordFailure(draft, error);
      draft.failures.push({ step, error });
    }
  }

  async #fetchBalance(draft: ListedAccount): Promise<void> {
    this.onStep(draft, 'balance');
    const balance = await this.client.balance(draft.externalId, this.request);
    // One that names no currency is in that of the list.
    draft.balance = balance && { ...balance, currency: reportedCurrency(balance.currency) ?? draft.wire.currency };
  }

  async #fetchTransactions(draft: ListedAccount): Promise<void> {
    const { history } = draft;
    const { today } = this.request;
    const fetch = (window: Window) => {
      this.onStep(draft, 'transactions', window);
      return wholeWindow(window, this.request, (...part) => this.#fetchWindow(draft, ...part));
    };
    await fetchMissing([history], { ...WINDOWS, today }, fetch, (window, found) => {
      draft.isCutShort ||= found.leavesGap;
      // The provider has no new transactions of an account that it no longer reads.
      history.add(window, { ...found, leavesGap: found.leavesGap || draft.isUnreadable });
    });
  }

  /** An amount without minor unit cannot be stored. The transactions are only counted. */
  async #countTransactions(draft: ListedAccount): Promise<void> {
    const { externalId, isUnreadable } = draft;
    // Older windows bring nothing.
    const history = new TransactionHistory(externalId, this.request, WINDOWS.overlapDays, true);
    draft.history = history;
    const window = windowOf(history.missing!, this.request.today, WINDOWS);
    this.onStep(draft, 'transactions', window);
    const { transactions: items } = await this.client.transactions(
      externalId,
      window,
      this.request.includePending,
      this.request,
    );
    const rows = readRows({ ...this.request, items, read: readTransaction, currency: null, isUnsupported: true });
    history.add(window, { ...rows, leavesGap: isUnreadable });
  }

  async #fetchWindow(draft: ListedAccount, window: Window, withPending: boolean): Promise<AnswerRows> {
    const { externalId: accountId, history } = draft;
    this.#size.refuseMore();
    const wire = await this.client.transactions(accountId, window, withPending, this.request);
    const { transactions: items } = wire;
    this.#size.add(items.length);
    const answer = { items, read: readTransaction, accountId };
    draft.currency ??= commonCurrency(answer);
    const rows = readRows({ ...this.request, ...answer, currency: unnamedCurrency(draft), from: history.wantedFrom });
    return { ...rows, count: items.length, total: wire.total ?? items.length };
  }

  async #fetchHoldings(draft: ListedAccount): Promise<void> {
    this.onStep(draft, 'holdings');
    this.#size.refuseMore();
    const hadSome = draft.known?.holdingsSupported ?? false;
    const holdings = await this.client.holdings(draft.externalId, hadSome, this.request);
    this.#size.add(holdings?.items.length ?? 0);
    draft.holdings = holdings ?? 'unavailable';
  }
}

/**
 * How many failures without an answer in between stop the requests: of one institution those for it, of so many
 * institutions all. A request that ended in a network error was attempted four times, and an account is asked for nothing
 * more after a rate limit.
 */
const FAILURES_TO_STOP = { network: 3, rate_limited: 2 } as const;

interface Failure {
  institution: string;
  error: ProviderError;
}

/** Stops the requests for an account, an institution or all of them. One broken bank does not stop the others. */
class CircuitBreaker {
  /** Since the last answer. */
  #failures: Failure[] = [];
  readonly #stopped = new Map<string, ProviderError>();
  #stoppedAll: ProviderError | null = null;

  /** The error after which nothing more is requested of an account; `null`: there was none. */
  stopOf(draft: ListedAccount): ProviderError | null {
    const limit = draft.failures.find(({ error }) => error.kind === 'rate_limited')?.error;
    return this.#stoppedAll ?? this.#stopped.get(keyOf(draft)) ?? limit ?? null;
  }

  recordAnswer(): void {
    this.#failures = [];
  }

  recordFailure(draft: ListedAccount, error: ProviderError): void {
    const { kind } = error;
    if (kind !== 'network' && kind !== 'rate_limited') return this.recordAnswer();
    const institution = keyOf(draft);
    this.#failures.push({ institution, error });
    const alike = this.#failures.filter((failure) => failure.error.kind === kind);
    const own = alike.filter((failure) => failure.institution === institution);
    if (own.length >= FAILURES_TO_STOP[kind]) this.#stopped.set(institution, error);
    const institutions = new Set(alike.map((failure) => failure.institution));
    if (institutions.size >= FAILURES_TO_STOP[kind]) this.#stoppedAll = error;
  }
}

/** An account without an institution stands for itself. */
function keyOf({ institution, externalId }: ListedAccount): string {
  return institution ?? externalId;
}

/** What the list and the balance name as currency, ISO 4217 code or not. */
function namedCurrencies({ wire, balance }: ListedAccount): string[] {
  return [wire.currency, balance?.currency].flatMap((text) => reportedCurrency(text) ?? []);
}

/** The ISO 4217 code for amounts that name no currency; `null`: unknown, also where list and balance name only others. */
function unnamedCurrency(draft: ListedAccount): string | null {
  const named = namedCurrencies(draft);
  // A text that is no code stands for a currency of its own.
  const isOther = named.length > 0 && named.every((other) => other.toUpperCase() !== draft.currency?.toUpperCase());
  return isOther ? null : currencyCode(draft.currency);
}

const CUT_SHORT: ProviderProblem = {
  kind: 'data_incomplete',
  message: 'The provider returns only part of the transactions of one day, so some are missing.',
};

/** The problems of fetching an account, each reason once with what it concerns. */
function* problemsOf({ wire, isUnreadable, isCutShort, failures }: ListedAccount): Generator<ProviderProblem> {
  if (isUnreadable) {
    const what = `The provider can no longer read from the bank (status “${messageText(wire.status ?? '')}”).`;
    yield {
      kind: 'account_failed',
      message: `${what} Renew the access at the provider; what is known stays until then.`,
    };
  }
  if (isCutShort) yield CUT_SHORT;
  for (const { kind, message } of new Map(failures.map(({ error }) => [error.message, error])).values()) {
    const steps = failures.filter(({ error }) => error.message === message).map(({ step }) => step);
    const what = `${new Intl.ListFormat('en').format(steps)} ${steps.join() === 'balance' ? 'was' : 'were'}`;
    yield { kind, message: `${message} The ${what} not updated.` };
  }
}
