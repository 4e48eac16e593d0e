import {
  NO_BALANCE,
  NO_CURRENCY,
  problemsOfRows,
  unreadableBalance,
  unreadableHoldings,
  unsupportedCurrency,
} from '../bank-provider/account-problems.js';
import type { HoldingsAnswer, SnapshotAccount, SnapshotRequest } from '../bank-provider/bank-provider.js';
import type { Read } from '../bank-provider/positions.js';
import type { ProviderError, ProviderErrorKind, ProviderProblem } from '../bank-provider/provider-error.js';
import { accountNameOf, messageText, reportedCurrency } from '../bank-provider/read-values.js';
import { neededFrom, TransactionHistory } from '../bank-provider/transaction-history.js';
import { currencyCode } from '../money/currency.js';
import { decimalOf } from '../money/minor-units.js';
import type { CalendarDate } from '../time/calendar-date.js';
import { mapHoldings, mapTotal } from './holdings.js';
import { guessAccountType, institutionOf, isConnected, mapBalance, reportedAmount } from './mapper.js';
import type { WireAccount, WireBalance, WireHoldings } from './payload.js';
import { newestWindow, OVERLAP_DAYS } from './windows.js';

export type Step = 'balance' | 'transactions' | 'holdings';

/** An account of the list, with what its own requests have brought. */
export interface AccountDraft {
  externalId: string;
  wire: WireAccount;
  /** Whether the provider still reads the account; otherwise its balance is an old one. */
  isConnected: boolean;
  /** The first ISO 4217 code of the list, the balance, an earlier sync or the rows; else the first text in its place. */
  currency: string | null;
  /** The first day wanted. */
  wantedFrom: CalendarDate;
  history: TransactionHistory;
  /** `null`: not reported. */
  balance: WireBalance | null;
  holdings: WireHoldings | 'unavailable' | null;
  /** Whether a day has more transactions than the provider returns. */
  isCutShort: boolean;
  failures: { step: Step; error: ProviderError }[];
}

export function startAccount(wire: WireAccount, request: SnapshotRequest): AccountDraft {
  const { id: externalId } = wire;
  const needed = neededFrom(externalId, request, OVERLAP_DAYS);
  const connected = isConnected(wire);
  return {
    externalId,
    wire,
    isConnected: connected,
    currency: null,
    // Older windows can wait until the account is connected again.
    wantedFrom: connected ? needed : newestWindow(externalId, request).from,
    history: new TransactionHistory(externalId, request, connected ? needed : null),
    balance: null,
    holdings: null,
    isCutShort: false,
    failures: [],
  };
}

/** What the list and the balance name as currency, ISO 4217 code or not. */
export function namedCurrencies({ wire, balance }: AccountDraft): string[] {
  return [wire.currency, balance?.currency].flatMap((text) => reportedCurrency(text) ?? []);
}

/** The ISO 4217 code for amounts that name no currency; `null`: unknown, also where list and balance name only others. */
export function unnamedCurrency(draft: AccountDraft): string | null {
  const named = namedCurrencies(draft);
  const isOther = named.length > 0 && named.every((currency) => isForeign(currency, draft));
  return isOther ? null : currencyCode(draft.currency);
}

/** A text that is no code stands for a currency of its own. */
function isForeign(named: string, { currency }: AccountDraft): boolean {
  return named.toUpperCase() !== currency?.toUpperCase();
}

/** Whether a balance is in another currency than the account. One that names none is in that of the list. */
function hasForeignBalance(draft: AccountDraft): boolean {
  const named = reportedCurrency(draft.balance?.currency) ?? reportedCurrency(draft.wire.currency);
  return isReported(draft.balance) && named !== null && isForeign(named, draft);
}

/** An account in our terms, with the problems of fetching and reading it. */
export interface TranslatedAccount {
  account: SnapshotAccount;
  problems: ProviderProblem[];
}

export function toAccount(draft: AccountDraft): TranslatedAccount {
  const { externalId, wire, history, currency } = draft;
  const code = currencyCode(currency);
  const reported = hasForeignBalance(draft) ? null : draft.balance;
  const balance = reported && code ? mapBalance(reported, code) : null;
  const holdings = toHoldings(draft.holdings, unnamedCurrency(draft));
  const hasHoldings = holdings.value?.status === 'available' && holdings.value.items.length > 0;
  const account: SnapshotAccount = {
    externalId,
    name: accountNameOf(wire.name),
    institution: institutionOf(wire),
    currency,
    balance,
    suggestedType: guessAccountType(wire, balance, hasHoldings),
    unsupportedBalance: code === null ? decimalOf(reported?.amount ?? reported?.current) : null,
    ...history.inSnapshot,
    complete: history.isComplete && currency !== null,
    holdings: holdings.value ?? { status: 'unknown' },
  };
  const problems = [...problemsOfDraft(draft), ...problemsOfRows(history)];
  if (reported !== draft.balance) problems.push(FOREIGN_BALANCE);
  else if (currency !== null && code === null) problems.push(unsupportedCurrency(currency, history.unsupported.count));
  if (currency === null && draft.failures.length === 0) problems.push(NO_CURRENCY);
  if (code && !balance && isReported(reported)) problems.push(unreadableBalance(reportedAmount(reported), code));
  if (code && !isReported(draft.balance) && !hasOldBalance(draft)) problems.push(NO_BALANCE);
  if (holdings.issue !== null) problems.push(unreadableHoldings(holdings));
  else problems.push(...problemsOfTotal(draft.holdings));
  return { account, problems: problems.map((problem) => ({ ...problem, accountExternalId: externalId })) };
}

const FOREIGN_BALANCE: ProviderProblem = {
  kind: 'data_incomplete',
  message: 'The provider reports the balance in another currency than the account’s, so it was not updated.',
};
const CUT_SHORT: ProviderProblem = {
  kind: 'data_incomplete',
  message: 'The provider returns only part of the transactions of one day, so some are missing.',
};

/** The problems of fetching an account, each reason once with what it concerns. */
function* problemsOfDraft({ wire, isConnected, isCutShort, failures }: AccountDraft): Generator<ProviderProblem> {
  if (!isConnected) {
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

/** Whether the balance was not read at all, for which there is a problem. */
function hasOldBalance({ isConnected, failures }: AccountDraft): boolean {
  return !isConnected || failures.some(({ step }) => step === 'balance');
}

function isReported(balance: WireBalance | null): boolean {
  return [balance?.amount, balance?.current, balance?.available].some((text) => text?.trim());
}

function* problemsOfTotal(wire: AccountDraft['holdings']): Generator<ProviderProblem> {
  if (wire === null || wire === 'unavailable') return;
  const total = mapTotal(wire);
  if (total.issue === null) return;
  const [kind, why]: [ProviderErrorKind, string] = total.isTooLarge
    ? ['amount_too_large', 'is larger than Tidemark can keep exactly']
    : ['unexpected_reply', 'could not be read'];
  const message = `The total of the holdings ${why} and was left out. The holdings were updated.`;
  yield { kind, message };
}

function toHoldings(wire: AccountDraft['holdings'], currency: string | null): Read<HoldingsAnswer> {
  if (wire === null) return { value: { status: 'unknown' }, issue: null };
  if (wire === 'unavailable') return { value: { status: 'unavailable' }, issue: null };
  const read = mapHoldings(wire, currency);
  if (read.issue !== null) return read;
  return { value: { status: 'available', items: read.value, total: mapTotal(wire).value }, issue: null };
}
