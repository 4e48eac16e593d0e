import { currencyCode } from '../../platform/money/currency.js';
import { decimalOf } from '../../platform/money/minor-units.js';
import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';
import {
  balanceOfFuture,
  NO_BALANCE,
  NO_CURRENCY,
  problemsOfRows,
  unreadableBalance,
  unreadableHoldings,
  unreadableTotal,
  unsupportedCurrency,
} from '../account-problems.js';
import { guessAccountType, WITHOUT_HOLDINGS } from '../account-type-by-name.js';
import type { HoldingsAnswer, KnownAccount, SnapshotAccount, SnapshotBalance } from '../bank-provider.js';
import type { ProviderProblem } from '../provider-error.js';
import { accountNameOf, minorOf, reportedCurrency, type WireText, type Written } from '../read-values.js';
import type { TransactionHistory } from '../transaction-history.js';
import { hasHolding, type RawHoldings, type Read, readHoldings, readTotal } from './holdings.js';

/** A balance in the words of its vendor, as decimal text. */
export interface RawBalance {
  amount: WireText;
  available: WireText;
  /** Absent: that of the account. */
  currency?: WireText;
  /** When it was read; absent: the vendor does not say. */
  written?: Written | null;
}

/** An account of a snapshot, with what the vendor's answers say of it. */
export interface AccountDraft {
  externalId: string;
  name: WireText;
  institution: string | null;
  /** ISO 4217 code, or the vendor's text in its place; `null`: unknown. */
  currency: WireText;
  /** ISO 4217 code for amounts that name none; absent: that of the account; `null`: unknown. */
  unnamedCurrency?: string | null;
  /** `null`: none is reported, or none that counts. */
  balance: RawBalance | null;
  /** `null`: not reported. */
  holdings: RawHoldings | 'unavailable' | null;
  /** Whether the vendor reaches it through a network of brokers. */
  isAtBroker?: boolean;
  history: TransactionHistory;
  /** What is stored of it; absent: nothing. */
  known?: KnownAccount | undefined;
  /** Whether the vendor cannot read the account now, so that its balance is an old one. */
  isUnreadable?: boolean;
  /** Whether that is said of the account itself, and not of its bank. */
  hasFailed?: boolean;
  /** Whether a problem says already why its balance does not come. */
  isExplained?: boolean;
  /** Those of fetching it. */
  problems?: readonly ProviderProblem[];
}

/** An account in our terms, with the problems of fetching and reading it. */
export interface TranslatedAccount {
  account: SnapshotAccount;
  problems: ProviderProblem[];
}

const UNKNOWN: Read<HoldingsAnswer> = { value: { status: 'unknown' }, issue: null };

const FOREIGN_BALANCE: ProviderProblem = {
  kind: 'data_incomplete',
  message: 'The provider reports the balance in another currency than the account’s, so it was not updated.',
};

const ZERO_BESIDE_FAILURE: ProviderProblem = {
  kind: 'data_incomplete',
  message: 'The provider could not read from the bank and reports a balance of 0, so the balance was not updated.',
};

/** @returns `null`: not reported, unreadable, or in a currency without minor units */
export function readBalance({ amount, available, written }: RawBalance, currency: WireText): SnapshotBalance | null {
  const code = currencyCode(currency);
  const amountMinor = code === null ? null : minorOf(amount, code);
  if (code === null || amountMinor === null) return null;
  return { amountMinor, availableMinor: minorOf(available, code), ...(written ?? { date: null }) };
}

export function toAccount(draft: AccountDraft, today: CalendarDate): TranslatedAccount {
  const { externalId, history } = draft;
  const [currency, code] = [reportedCurrency(draft.currency), currencyCode(draft.currency)];
  const isForeign = draft.balance !== null && isInOther(draft.balance, currency);
  const rawBalance = isForeign ? null : draft.balance;
  const reported = rawBalance && readBalance(rawBalance, code);
  const futureDate = reported?.date && reported.date > addDays(today, 1) ? reported.date : null;
  // It says nothing of when the balance was read.
  const balance = reported && futureDate ? dateless(reported) : reported;
  // A server that could not read an account may say 0, with today's date.
  const isNoFact = draft.hasFailed && balance?.amountMinor === 0;
  // An old balance is not reported again. One of today was read although something else failed.
  const isOld = isNoFact || (draft.isUnreadable && !(balance?.date && balance.date >= addDays(today, -1)));
  const raw = draft.holdings === 'unavailable' ? null : draft.holdings;
  const suggestedType = guessAccountType(draft.name, balance, {
    hasHoldings: raw !== null && hasHolding(raw),
    isAtBroker: draft.isAtBroker ?? false,
  });
  const holdings = toHoldings(draft, code, suggestedType);
  const account: SnapshotAccount = {
    externalId,
    name: accountNameOf(draft.name),
    institution: draft.institution,
    currency,
    balance: isOld ? null : balance,
    suggestedType,
    unsupportedBalance: code === null ? decimalOf(rawBalance?.amount) : null,
    ...history.inSnapshot,
    // No amount could be read.
    ...(currency === null && { covered: [] }),
    holdings: (isOld ? null : holdings.value) ?? { status: 'unknown' },
  };
  const problems = [...(draft.problems ?? []), ...problemsOfRows(history)];
  if (isForeign) problems.push(FOREIGN_BALANCE);
  else if (currency !== null && code === null) problems.push(unsupportedCurrency(currency, history.unsupported.count));
  if (currency === null && !draft.isExplained) problems.push(NO_CURRENCY);
  if (code && !balance && !isForeign) {
    if (rawBalance?.amount?.trim()) problems.push(unreadableBalance(rawBalance.amount, code));
    else if (!draft.isExplained) problems.push(NO_BALANCE);
  }
  if (futureDate && account.balance) problems.push(balanceOfFuture(futureDate));
  if (isNoFact) problems.push(ZERO_BESIDE_FAILURE);
  if (holdings.issue !== null) problems.push(unreadableHoldings(holdings));
  else if (raw) problems.push(...unreadableTotal(readTotal(raw)));
  return { account, problems: problems.map((problem) => ({ ...problem, accountExternalId: externalId })) };
}

/** Whether a balance with an amount is in another currency than the account. A text that is no code stands for one of its own. */
function isInOther(balance: RawBalance, currency: string | null): boolean {
  const named = reportedCurrency(balance.currency);
  return named !== null && Boolean(balance.amount?.trim()) && named.toUpperCase() !== currency?.toUpperCase();
}

function dateless({ amountMinor, availableMinor }: SnapshotBalance): SnapshotBalance {
  return { amountMinor, availableMinor, date: null };
}

/**
 * Where all types of accounts have a list of holdings, an empty one may mean that the type has none, or that the bank
 * could not be read. It counts as none only for an account that may have holdings and is not in trouble.
 */
function toHoldings(draft: AccountDraft, code: string | null, suggestedType: string | null): Read<HoldingsAnswer> {
  const { holdings: raw, unnamedCurrency = code, known } = draft;
  if (raw === 'unavailable') return { value: { status: 'unavailable' }, issue: null };
  if (raw === null || (code === null && raw.isForAllTypes)) return UNKNOWN;
  const read = readHoldings(raw, unnamedCurrency);
  if (read.issue !== null) return read;
  if (read.value.length === 0 && raw.isForAllTypes) {
    if (draft.isExplained) return UNKNOWN;
    // An account of any name may have had holdings, or be of a type that a person chose.
    const types = [suggestedType, known?.accountType ?? suggestedType];
    const mayHaveSome = known?.holdingsSupported === true || types.some((type) => !WITHOUT_HOLDINGS.has(type));
    if (!mayHaveSome) return { value: { status: 'unavailable' }, issue: null };
  }
  return { value: { status: 'available', items: read.value, total: readTotal(raw).value }, issue: null };
}
