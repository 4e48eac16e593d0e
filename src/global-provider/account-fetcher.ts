import { SnapshotSize } from '../bank-provider/answer-limits.js';
import type { SnapshotRequest } from '../bank-provider/bank-provider.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import { TransactionHistory, type Window } from '../bank-provider/transaction-history.js';
import { currencyCode } from '../money/currency.js';
import { type AccountDraft, namedCurrencies, type Step, unnamedCurrency } from './account-draft.js';
import { CircuitBreaker } from './circuit-breaker.js';
import type { GlobalProviderClient } from './client.js';
import { answerRows, type AnswerRows, commonCurrency, unsupportedRows, wholeWindow } from './window-rows.js';
import { newestWindow, nextWindow } from './windows.js';

/**
 * Fetches balance, transactions and holdings of the accounts of one snapshot. What fails is noted in the draft of the
 * account, and the rest is fetched.
 */
export class AccountFetcher {
  readonly #breaker = new CircuitBreaker();
  readonly #size = new SnapshotSize();

  constructor(
    private readonly client: GlobalProviderClient,
    private readonly request: SnapshotRequest,
    private readonly onStep: (draft: AccountDraft, step: Step, window?: Window) => void,
  ) {}

  /**
   * The balance comes first, because it has the currency if the list has none.
   */
  async fetch(draft: AccountDraft): Promise<void> {
    if (draft.isConnected) await this.#try(draft, 'balance', () => this.#fetchBalance(draft));
    draft.currency = this.#currencyOf(draft);
    if (draft.currency !== null && currencyCode(draft.currency) === null) {
      return this.#try(draft, 'transactions', () => this.#countTransactions(draft));
    }
    await this.#try(draft, 'transactions', () => this.#fetchTransactions(draft));
    const isKnownToHaveNone = this.request.withoutHoldings.has(draft.externalId);
    const hasFailed = draft.failures.length === 2;
    if (draft.isConnected && !isKnownToHaveNone && !hasFailed)
      await this.#try(draft, 'holdings', () => this.#fetchHoldings(draft));
  }

  async #try(draft: AccountDraft, step: Step, fetch: () => Promise<void>): Promise<void> {
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

  /** A text that is no code may be a mistake of one answer, so that the stored code counts. */
  #currencyOf(draft: AccountDraft): string | null {
    const stored = this.request.knownAccounts?.get(draft.externalId)?.currency ?? null;
    const all = [...namedCurrencies(draft), ...(stored === null ? [] : [stored])];
    return all.find((currency) => currencyCode(currency) !== null) ?? all[0] ?? null;
  }

  async #fetchBalance(draft: AccountDraft): Promise<void> {
    this.onStep(draft, 'balance');
    draft.balance = await this.client.balance(draft.externalId, this.request);
  }

  async #fetchTransactions(draft: AccountDraft): Promise<void> {
    const { history } = draft;
    let window = newestWindow(draft.externalId, this.request);
    for (;;) {
      this.onStep(draft, 'transactions', window);
      const found = await wholeWindow(window, this.request, (...part) => this.#fetchWindow(draft, ...part));
      draft.isCutShort ||= found.leavesGap;
      // The provider has no new transactions of an account that it no longer reads.
      history.add(window, { ...found, leavesGap: found.leavesGap || !draft.isConnected });
      const { missing } = history;
      if (missing === null) return;
      window = nextWindow(missing);
    }
  }

  /** An amount without minor unit cannot be stored. The transactions are only counted. */
  async #countTransactions(draft: AccountDraft): Promise<void> {
    const window = newestWindow(draft.externalId, this.request);
    this.onStep(draft, 'transactions', window);
    const { includePending } = this.request;
    const wire = await this.client.transactions(draft.externalId, window, includePending, this.request);
    // Older windows bring nothing.
    draft.history = new TransactionHistory(draft.externalId, this.request, null);
    draft.history.add(window, unsupportedRows(wire, !draft.isConnected));
  }

  async #fetchWindow(draft: AccountDraft, window: Window, withPending: boolean): Promise<AnswerRows> {
    const { includePending } = this.request;
    const { externalId: accountId, wantedFrom: from } = draft;
    this.#size.refuseMore();
    const wire = await this.client.transactions(accountId, window, withPending, this.request);
    this.#size.add(wire.transactions.length);
    draft.currency ??= commonCurrency(wire, accountId);
    return answerRows(wire, { accountId, currency: unnamedCurrency(draft), from, includePending });
  }

  async #fetchHoldings(draft: AccountDraft): Promise<void> {
    this.onStep(draft, 'holdings');
    this.#size.refuseMore();
    const hadSome = this.request.knownAccounts?.get(draft.externalId)?.holdingsSupported ?? false;
    const holdings = await this.client.holdings(draft.externalId, hadSome, this.request);
    this.#size.add(holdings?.holdings.length ?? 0);
    draft.holdings = holdings ?? 'unavailable';
  }
}
