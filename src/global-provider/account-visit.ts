import type { SnapshotSize } from '../bank-provider/answer-limits.js';
import type { SnapshotRequest } from '../bank-provider/bank-provider.js';
import { ProviderError } from '../bank-provider/provider-error.js';
import type { Window } from '../bank-provider/transaction-history.js';
import { currencyCode } from '../money/currency.js';
import type { AccountDraft, Step } from './account-draft.js';
import type { GlobalProviderClient } from './client.js';
import { currencyText } from './mapper.js';
import type { Patience } from './patience.js';
import { wholeWindow } from './whole-window.js';
import { answerRows, type AnswerRows, commonCurrency } from './window-rows.js';
import { newestWindow, nextWindow } from './windows.js';

/** Asks for all that is wanted of one account. What fails is noted and leaves the rest, and the other accounts, alone. */
export class AccountVisit {
  constructor(
    private readonly client: GlobalProviderClient,
    private readonly patience: Patience,
    private readonly size: SnapshotSize,
    private readonly request: SnapshotRequest,
    private readonly onStep: (step: Step, window?: Window) => void,
  ) {}

  /** The balance comes first: where the list has no currency, it is what tells it. */
  async of(draft: AccountDraft): Promise<void> {
    if (draft.isConnected) await this.#try(draft, 'balance', () => this.#askBalance(draft));
    if (draft.currency !== null && currencyCode(draft.currency) === null) {
      return this.#try(draft, 'transactions', () => this.#countTransactions(draft));
    }
    await this.#try(draft, 'transactions', () => this.#askTransactions(draft));
    const isKnownToHaveNone = this.request.withoutHoldings.has(draft.externalId);
    const isLost = draft.failures.length === 2;
    if (draft.isConnected && !isKnownToHaveNone && !isLost)
      await this.#try(draft, 'holdings', () => this.#askHoldings(draft));
  }

  async #try(draft: AccountDraft, step: Step, ask: () => Promise<void>): Promise<void> {
    const { lostOver } = this.patience;
    if (lostOver) return void draft.failures.push({ step, error: lostOver });
    try {
      await ask();
      this.patience.succeeded();
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      this.patience.failed(error);
      draft.failures.push({ step, error });
    }
  }

  async #askBalance(draft: AccountDraft): Promise<void> {
    this.onStep('balance');
    draft.balance = await this.client.balance(draft.externalId, this.request);
    draft.currency ??= currencyText(draft.balance?.currency);
  }

  async #askTransactions(draft: AccountDraft): Promise<void> {
    const { today } = this.request;
    const { history } = draft;
    let window = newestWindow(draft.externalId, this.request);
    for (;;) {
      this.onStep('transactions', window);
      const found = await wholeWindow(window, today, (part) => this.#ask(draft, part));
      draft.isCutShort ||= found.leavesGap;
      // What has happened since an account is not read any more is not known.
      history.add(window, { ...found, leavesGap: found.leavesGap || !draft.isConnected });
      const { missing } = history;
      if (missing === null) return;
      window = nextWindow(missing);
    }
  }

  /** Points without minor units are no amounts of ours: only how many transactions that leaves out is told. */
  async #countTransactions(draft: AccountDraft): Promise<void> {
    const window = newestWindow(draft.externalId, this.request);
    this.onStep('transactions', window);
    const { includePending } = this.request;
    const wire = await this.client.transactions(draft.externalId, window, includePending, this.request);
    draft.unsupported = wire.transactions.length;
  }

  async #ask(draft: AccountDraft, window: Window): Promise<AnswerRows> {
    const { includePending, signal } = this.request;
    this.size.refuseMore();
    const wire = await this.client.transactions(draft.externalId, window, includePending, this.request);
    this.size.add(wire.transactions.length);
    draft.currency ??= await commonCurrency(wire, signal);
    const wanted = { currency: currencyCode(draft.currency), from: draft.wantedFrom, includePending };
    return answerRows(wire, wanted, signal);
  }

  async #askHoldings(draft: AccountDraft): Promise<void> {
    this.onStep('holdings');
    this.size.refuseMore();
    const holdings = await this.client.holdings(draft.externalId, this.request);
    this.size.add(holdings?.holdings.length ?? 0);
    draft.holdings = holdings ?? 'unavailable';
  }
}
