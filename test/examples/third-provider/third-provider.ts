import { unreadableAccount } from '../../../src/providers/account-problems.js';
import { BankProvider, type BankSnapshot, type SnapshotRequest } from '../../../src/providers/bank-provider.js';
import { readRows } from '../../../src/providers/feed/rows.js';
import { type AccountDraft, toAccount } from '../../../src/providers/feed/to-account.js';
import { fetchAsFarAsPossible, type WindowRules } from '../../../src/providers/feed/windows.js';
import { lineOf, writtenInText } from '../../../src/providers/read-values.js';
import { TransactionHistory, type Window } from '../../../src/providers/transaction-history.js';
import type { Secret } from '../../../src/platform/config/secret.js';
import { currencyCode } from '../../../src/platform/money/currency.js';
import { longDate } from '../../../src/platform/time/calendar-date.js';
import { accessTokenOf, type ThirdProviderClient } from './client.js';
import { readTransaction, type WireAccount } from './payload.js';

/** The provider answers for 90 days at once, and its banks list a transaction up to a week late. */
export const WINDOWS: WindowRules = { days: 90, overlapDays: 7, shortestDays: 0 };

export class ThirdProvider extends BankProvider {
  /** Each connection decides whether it imports pending transactions. */
  readonly pendingSwitch = null;

  constructor(private readonly client: ThirdProviderClient) {
    super();
  }

  async connect(pasted: Secret, signal?: AbortSignal): Promise<Secret> {
    const token = accessTokenOf(pasted);
    await this.client.checkToken(token, signal);
    return token;
  }

  /** The accounts with their balances, then the transactions of all of them, newest window first. */
  async fetchSnapshot(request: SnapshotRequest): Promise<BankSnapshot> {
    const { today, includePending, onProgress } = request;
    onProgress({ step: 'accounts', accountsTotal: null });
    const { accounts, issues } = await this.client.accounts(request);
    const drafts = accounts.map((wire) => startDraft(wire, request));
    const histories = drafts.map(({ history }) => history);
    const fetch = (window: Window) => {
      onProgress({ step: `transactions since ${longDate(window.from)}`, accountsTotal: drafts.length });
      return this.client.transactions(window, request);
    };
    const interruption = await fetchAsFarAsPossible(histories, { ...WINDOWS, today }, fetch, (window, items) => {
      for (const { externalId, currency: reported, history } of drafts) {
        const currency = currencyCode(reported);
        const isUnsupported = currency === null;
        // An item that names no account may be one of this account, and cannot be read.
        const own = [...(items.get(externalId) ?? []), ...(items.get(null) ?? [])];
        const wanted = { items: own, read: readTransaction, currency, isUnsupported, today, includePending };
        history.add(window, { ...readRows(wanted), leavesGap: false });
      }
    });
    const translated = drafts.map((draft) => toAccount(draft, today));
    return {
      accounts: translated.map(({ account }) => account),
      problems: [
        ...(interruption ? [interruption.problem] : []),
        ...issues.map(({ id, issue }) => unreadableAccount(id, issue)),
        ...translated.flatMap(({ problems }) => problems),
      ],
      retryAfterSeconds: interruption?.retryAfterSeconds ?? null,
    };
  }
}

function startDraft(wire: WireAccount, request: SnapshotRequest): AccountDraft {
  const { id: externalId, name, bank, currency, balance: amount, balance_date: date } = wire;
  // Amounts without a minor unit cannot be stored, so that older windows bring nothing.
  const isNewestOnly = currencyCode(currency) === null;
  return {
    externalId,
    name,
    institution: lineOf(bank),
    currency,
    balance: { amount, available: null, written: writtenInText(date ?? '') },
    // This provider lists no securities.
    holdings: 'unavailable',
    history: new TransactionHistory(externalId, request, WINDOWS.overlapDays, isNewestOnly),
    known: request.knownAccounts?.get(externalId),
  };
}
