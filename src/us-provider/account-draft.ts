import type {
  HoldingsAnswer,
  KnownAccount,
  SnapshotAccount,
  SnapshotHolding,
  SnapshotRequest,
} from '../bank-provider/bank-provider.js';
import {
  balanceOfFuture,
  NO_BALANCE,
  NO_CURRENCY,
  problemsOfRows,
  unsupportedCurrency,
  unreadableBalance,
  unreadableHoldings,
} from '../bank-provider/account-problems.js';
import type { ProviderProblem } from '../bank-provider/provider-error.js';
import { accountNameOf, reportedCurrency } from '../bank-provider/read-values.js';
import { neededFrom, TransactionHistory } from '../bank-provider/transaction-history.js';
import { currencyCode } from '../money/currency.js';
import { decimalOf } from '../money/minor-units.js';
import { addDays, type CalendarDate } from '../time/calendar-date.js';
import { hasHolding, mapHoldings } from './holdings.js';
import { guessAccountType, institutionOf, mapBalance, WITHOUT_HOLDINGS } from './mapper.js';
import { concerns, type Concerned, isGeneral, type ProviderWarning } from './warnings.js';
import type { WireAccount, WireConnection } from './payload.js';
import { OVERLAP_DAYS } from './windows.js';

/** An account of the newest answer, with what the windows have brought. */
export interface AccountDraft {
  externalId: string;
  /** Without its transactions. */
  wire: WireAccount;
  connection: WireConnection | undefined;
  concerned: Concerned;
  /** Whether the newest answer has a warning about this account or its bank. */
  hasWarnings: boolean;
  /** Whether the provider cannot read the account now, so that its balance is an old one. */
  isUnreadable: boolean;
  /** Whether that is said of the account itself, and not of its bank. */
  hasFailed: boolean;
  history: TransactionHistory;
  /** What is stored of it; absent: nothing. */
  known: KnownAccount | undefined;
}

const ZERO_BESIDE_FAILURE: ProviderProblem = {
  kind: 'data_incomplete',
  message: 'The provider could not read from the bank and reports a balance of 0, so the balance was not updated.',
};

export function startAccount(
  externalId: string,
  wire: WireAccount,
  connection: WireConnection | undefined,
  warnings: readonly ProviderWarning[],
  request: SnapshotRequest,
): AccountDraft {
  const institutions = [wire.org?.name, wire.org?.domain, connection?.org_name, connection?.name];
  const concerned = { id: wire.id, connectionId: wire.conn_id ?? null, institutions };
  const ownWarnings = warnings.filter((warning) => !isGeneral(warning) && concerns(warning, concerned));
  const isUnreadable = ownWarnings.some(({ stale }) => stale);
  // Older windows bring nothing for an account that cannot be read now or whose amounts cannot be stored.
  const isUnavailable = isUnreadable || currencyCode(wire.currency) === null;
  const needed = isUnavailable ? null : neededFrom(externalId, request, OVERLAP_DAYS);
  return {
    externalId,
    wire: { ...wire, transactions: null },
    connection,
    concerned,
    hasWarnings: ownWarnings.length > 0,
    isUnreadable,
    hasFailed: ownWarnings.some(({ stale, accountId }) => stale && accountId !== null),
    history: new TransactionHistory(externalId, request, needed),
    known: request.knownAccounts?.get(externalId),
  };
}

/** An account in our terms, with the problems of reading it. */
export function toAccount(draft: AccountDraft, today: CalendarDate) {
  const { externalId, wire, connection, history } = draft;
  const currency = currencyCode(wire.currency);
  const reported = mapBalance(wire);
  const futureDate = reported?.date && reported.date > addDays(today, 1) ? reported.date : null;
  // It says nothing of when the balance was read.
  const balance = reported && futureDate ? { ...reported, date: null } : reported;
  const holdings = wire.holdings && currency ? mapHoldings(wire.holdings, currency) : undefined;
  // A server that could not read an account may say 0, with today's date.
  const isNoFact = draft.hasFailed && balance?.amountMinor === 0;
  // An old balance is not reported again. One of today was read although something else failed.
  const isOld = isNoFact || (draft.isUnreadable && !(balance?.date && balance.date >= addDays(today, -1)));
  const suggestedType = guessAccountType(wire.name, balance, hasHolding(wire.holdings ?? []));
  const account: SnapshotAccount = {
    externalId,
    name: accountNameOf(wire.name),
    institution: institutionOf(wire, connection),
    currency: reportedCurrency(wire.currency),
    balance: isOld ? null : balance,
    suggestedType,
    unsupportedBalance: currency === null ? decimalOf(wire.balance) : null,
    ...history.inSnapshot,
    complete: history.isComplete && reportedCurrency(wire.currency) !== null,
    holdings: toHoldings(
      isOld ? null : holdings?.value,
      mayHaveHoldings(draft.known, suggestedType),
      draft.hasWarnings,
    ),
  };
  const problems = [...problemsOfRows(history)];
  if (account.currency === null) problems.push(NO_CURRENCY);
  else if (currency === null) problems.push(unsupportedCurrency(account.currency, history.unsupported.count));
  if (currency && !balance) {
    if (wire.balance?.trim()) problems.push(unreadableBalance(wire.balance, currency));
    else if (!draft.hasWarnings) problems.push(NO_BALANCE);
  }
  if (futureDate && account.balance) problems.push(balanceOfFuture(futureDate));
  if (isNoFact) problems.push(ZERO_BESIDE_FAILURE);
  if (holdings && holdings.issue !== null) problems.push(unreadableHoldings(holdings));
  return { account, problems: problems.map((problem) => ({ ...problem, accountExternalId: externalId })) };
}

/**
 * An empty list of holdings may mean that the type has none, or that the bank could not be read. It counts as none only
 * for an account that may have holdings and has no warnings.
 */
function toHoldings(
  items: SnapshotHolding[] | null | undefined,
  mayHaveSome: boolean,
  hasWarnings: boolean,
): HoldingsAnswer {
  if (!items || (items.length === 0 && hasWarnings)) return { status: 'unknown' };
  if (items.length === 0 && !mayHaveSome) return { status: 'unavailable' };
  return { status: 'available', items, total: null };
}

/** An account of any name may have had holdings, or be of a type that a person chose. */
function mayHaveHoldings(known: KnownAccount | undefined, suggestedType: string | null): boolean {
  const types = [suggestedType, known?.accountType ?? suggestedType];
  return known?.holdingsSupported === true || types.some((type) => !WITHOUT_HOLDINGS.has(type));
}
