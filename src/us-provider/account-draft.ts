import type {
  HoldingsAnswer,
  SnapshotAccount,
  SnapshotHolding,
  SnapshotRequest,
} from '../bank-provider/bank-provider.js';
import {
  NO_CURRENCY,
  troublesOfRows,
  unsupportedCurrency,
  UNREADABLE_BALANCE,
  UNREADABLE_HOLDINGS,
} from '../bank-provider/account-problems.js';
import { neededFrom } from '../bank-provider/needed-days.js';
import { TransactionHistory } from '../bank-provider/transaction-history.js';
import { currencyCode } from '../money/currency.js';
import { decimalOf } from '../money/minor-units.js';
import { addDays, type CalendarDate } from '../time/calendar-date.js';
import { mapHoldings } from './holdings.js';
import {
  accountCurrency,
  accountName,
  guessAccountType,
  institutionOf,
  mapBalance,
  WITHOUT_HOLDINGS,
} from './mapper.js';
import { concerns, type Concerned, isGeneral, type Notice } from './notices.js';
import type { WireAccount, WireConnection } from './payload.js';
import { OVERLAP_DAYS } from './windows.js';

/** An account of the newest answer, and what the windows bring of it. */
export interface AccountDraft {
  externalId: string;
  /** Without its transactions. */
  wire: WireAccount;
  connection: WireConnection | undefined;
  concerned: Concerned;
  /** Whether the newest answer complains of this account or its bank. */
  isTroubled: boolean;
  /** Whether the provider cannot read it now: its balance is that of an earlier day. */
  isUnreadable: boolean;
  history: TransactionHistory;
}

export function startAccount(
  externalId: string,
  wire: WireAccount,
  connection: WireConnection | undefined,
  notices: readonly Notice[],
  request: SnapshotRequest,
): AccountDraft {
  const institutions = [wire.org?.name, wire.org?.domain, connection?.org_name, connection?.name];
  const concerned = { id: wire.id, connectionId: wire.conn_id ?? null, institutions };
  const troubles = notices.filter((notice) => !isGeneral(notice) && concerns(notice, concerned));
  const isUnreadable = troubles.some(({ stale }) => stale);
  // Of an account that cannot be read now, or never be counted, older windows would bring nothing.
  const isHopeless = isUnreadable || currencyCode(wire.currency) === null;
  const history = new TransactionHistory({
    today: request.today,
    neededFrom: isHopeless ? null : neededFrom(externalId, request, OVERLAP_DAYS),
    isNew: !request.completeUntil.has(externalId),
    known: request.partlyKnown?.get(externalId),
  });
  const isTroubled = troubles.length > 0;
  return {
    externalId,
    wire: { ...wire, transactions: null },
    connection,
    concerned,
    isTroubled,
    isUnreadable,
    history,
  };
}

/** The account as the snapshot tells it, and what of it could not be understood. */
export function toAccount(draft: AccountDraft, today: CalendarDate) {
  const { externalId, wire, connection, history } = draft;
  const currency = currencyCode(wire.currency);
  const balance = mapBalance(wire);
  const holdings = wire.holdings && currency ? mapHoldings(wire.holdings, currency) : undefined;
  // An old balance is no news; one with a date of now was read although something else went wrong.
  const isOld = draft.isUnreadable && !(balance?.date && balance.date >= addDays(today, -1));
  const suggestedType = guessAccountType(wire, (wire.holdings ?? []).length > 0);
  const account: SnapshotAccount = {
    externalId,
    name: accountName(wire),
    institution: institutionOf(wire, connection),
    currency: accountCurrency(wire),
    balance: isOld ? null : balance,
    suggestedType,
    unsupportedBalance: currency === null ? decimalOf(wire.balance) : null,
    transactions: history.transactions,
    coveredFrom: history.coveredFrom,
    knownFrom: history.knownFrom,
    unreadableRows: history.unreadable,
    complete: history.isComplete && accountCurrency(wire) !== null,
    holdings: toHoldings(isOld ? null : holdings, suggestedType, draft.isTroubled),
  };
  const problems = [...troublesOfRows(history)];
  if (account.currency === null) problems.push(NO_CURRENCY);
  else if (currency === null) problems.push(unsupportedCurrency(account.name, account.currency, history.unsupported));
  if (currency && wire.balance?.trim() && !balance) problems.push(UNREADABLE_BALANCE);
  if (holdings === null) problems.push(UNREADABLE_HOLDINGS);
  return { account, problems: problems.map((problem) => ({ ...problem, accountExternalId: externalId })) };
}

/**
 * An empty list is what most accounts have that could never hold anything, and what comes of a bank that could not be
 * read: only an account that may hold securities and is well is told to hold none.
 */
function toHoldings(
  items: SnapshotHolding[] | null | undefined,
  type: string | null,
  isTroubled: boolean,
): HoldingsAnswer {
  if (!items || (items.length === 0 && isTroubled)) return { status: 'unknown' };
  if (items.length === 0 && WITHOUT_HOLDINGS.has(type)) return { status: 'unavailable' };
  return { status: 'available', items, total: null };
}
