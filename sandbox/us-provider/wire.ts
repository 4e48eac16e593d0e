import { dateOfUnixSeconds, unixSecondsOf, type CalendarDate } from '../../src/platform/time/calendar-date.js';
import { minorDigits } from '../../src/platform/money/currency.js';
import {
  balanceMinor,
  cashMinor,
  type HouseholdAccount,
  type HouseholdConnection,
  type Household,
  type HouseholdOn,
  type HouseholdTransaction,
} from '../household.js';
import {
  amount,
  connectionBody,
  wireError,
  holdingBody,
  organization,
  transactionBody,
  type AccountSet,
  type Trouble,
} from './body.js';
import { answeredWindow, type AccountsQuery, type AnsweredWindow, type WindowLimits } from './query.js';

/** The server's data. */
export interface Knowledge {
  today: CalendarDate;
  /** Asked for `today` and, when a query ends in the past, for that day. */
  householdOn: HouseholdOn;
  troubles: readonly Trouble[];
}

/** The server's behaviour where the protocol leaves a choice. */
export interface WireHabits {
  windowLimits: WindowLimits;
  /** The answer to a request without `start-date`. */
  undatedTransactions: 'none' | 'last 30 days';
  /** Pending transactions have no posting date, so they are selected by the day of purchase, or always sent. */
  pendingOutsideWindow: boolean;
}

export const USUAL_HABITS: WireHabits = {
  windowLimits: { adviceDays: 45, capDays: 90 },
  undatedTransactions: 'none',
  pendingOutsideWindow: false,
};

const DAY_SECONDS = 86_400;

/**
 * The answer to a query. Pure: the same household, query and habits give the same answer.
 *
 * @param root the server's own address, without credentials
 */
export function accountSet(
  { today, householdOn, troubles }: Knowledge,
  query: AccountsQuery,
  root: string,
  habits: WireHabits = USUAL_HABITS,
): AccountSet {
  const household = householdOn(today);
  const past = pastHousehold(query, household, householdOn);
  const window = windowOf(query, household, habits);
  const asked = household.accounts.filter(({ id }) => query.accountIds.length === 0 || query.accountIds.includes(id));
  const accounts = asked.map((account) => ({
    ...(query.version === 1
      ? { org: organization(connectionOf(account, household), root) }
      : { conn_id: account.connectionId }),
    ...identity(account, root),
    ...balanceBlock(account, query, past),
    transactions: window && !query.balancesOnly ? transactions(account, query, window, habits) : [],
    holdings: query.balancesOnly ? [] : account.holdings.map((holding) => holdingBody(holding, account)),
    ...(account.openedAt === null ? {} : { extra: { 'account-open-date': account.openedAt } }),
  }));
  const said = window?.notice ? [{ code: 'gen.api', message: window.notice }, ...troubles] : troubles;
  if (query.version === 1) return { errors: said.map((trouble) => errorText(trouble, household)), accounts };
  const connections = household.connections.map((connection) => connectionBody(connection, root));
  return { errlist: said.map(wireError), connections, accounts };
}

function windowOf(query: AccountsQuery, { today }: Household, habits: WireHabits): AnsweredWindow | null {
  if (query.startAt !== null) return answeredWindow(query.startAt, query.endAt, today, habits.windowLimits);
  if (habits.undatedTransactions === 'none') return null;
  return { startAt: unixSecondsOf(today) - 30 * DAY_SECONDS, endAt: query.endAt ?? Infinity, notice: null };
}

function identity(account: HouseholdAccount, root: string) {
  const isOfficial = minorDigits(account.currency) !== undefined;
  return {
    id: account.id,
    name: account.name,
    currency: isOfficial ? account.currency : `${root}/currency/${encodeURIComponent(account.currency)}`,
  };
}

/** The household on the last day of a query, or today. */
function pastHousehold({ endAt }: AccountsQuery, { today }: Household, householdOn: HouseholdOn): Household | null {
  const endsOn = endAt === null ? null : dateOfUnixSeconds(endAt);
  return endsOn !== null && endsOn <= today ? householdOn(endsOn) : null;
}

/** A query that ends in the past gets the balance of that day; only an open one gets today's. */
function balanceBlock(account: HouseholdAccount, { endAt }: AccountsQuery, past: Household | null) {
  if (past && endAt !== null) {
    const then = past.accounts.find(({ id }) => id === account.id);
    const securitiesMinor = then ? balanceMinor(then) - cashMinor(then) : 0;
    return { balance: amount(cashMinor(account, endAt) + securitiesMinor, account), 'balance-date': endAt };
  }
  const available = account.availableMinor;
  return {
    balance: amount(balanceMinor(account), account),
    ...(available === null ? {} : { 'available-balance': amount(available, account) }),
    'balance-date': account.refreshedAt,
  };
}

function transactions(account: HouseholdAccount, query: AccountsQuery, window: AnsweredWindow, habits: WireHabits) {
  const inWindow = ({ posted, transactedAt }: HouseholdTransaction) => {
    if (posted === null && habits.pendingOutsideWindow) return true;
    const at = posted ?? transactedAt;
    return at >= window.startAt && at < window.endAt;
  };
  return account.transactions
    .filter((transaction) => (query.pending || transaction.posted !== null) && inWindow(transaction))
    .map((transaction) => transactionBody(transaction, account))
    .sort((one, other) => one.posted - other.posted);
}

/** Version 1 has no codes and names the bank in a sentence. */
function errorText({ code, message, connectionId }: Trouble, { connections }: Household): string {
  const connection = connections.find(({ id }) => id === connectionId);
  return connection && code.startsWith('con.')
    ? `Connection to ${connection.institution.name} may need attention`
    : message;
}

function connectionOf(account: HouseholdAccount, { connections }: Household): HouseholdConnection {
  const connection = connections.find(({ id }) => id === account.connectionId);
  if (!connection) throw new RangeError(`no connection ${account.connectionId} for account ${account.id}`);
  return connection;
}
