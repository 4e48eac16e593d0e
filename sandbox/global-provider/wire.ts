import { hash } from 'node:crypto';
import { minorDigits } from '../../src/platform/money/currency.js';
import { decimalText } from '../../src/platform/money/minor-units.js';
import { type CalendarDate, dateOfUnixSeconds } from '../../src/platform/time/calendar-date.js';
import {
  balanceMinor,
  type HouseholdAccount,
  type HouseholdConnection,
  type HouseholdHolding,
  type Household,
  type HouseholdTransaction,
} from '../household.js';
import type {
  WireAccount,
  WireAccountList,
  WireBalance,
  WireHolding,
  WireHoldingList,
  WireTransaction,
  WireTransactionList,
} from './body.js';
import type { RequestedTransactions } from './query.js';

/** The server's behaviour where the protocol leaves a choice or is violated. */
export interface WireHabits {
  /** Some servers send everything, whatever range is asked for. */
  filtersByDate: boolean;
  /** Whether pending transactions are sent only on request. */
  waitsToBeAskedForHolds: boolean;
  /** More rows are cut off, the oldest first; `total` counts all. */
  mostRows: number;
}

export const USUAL_HABITS: WireHabits = {
  filtersByDate: true,
  waitsToBeAskedForHolds: true,
  mostRows: Infinity,
};

/** Aggregators that report no currency, or no status. */
const REPORTS_NO_CURRENCY = 'gocardless';
const REPORTS_NO_STATUS = 'fjordlink';
const HAS_HOLDINGS: ReadonlySet<string> = new Set(['snaptrade', 'mx', 'finicity', 'pluggy', 'quiltt']);

export function accountListBody({ accounts, connections }: Household): WireAccountList {
  const list = accounts.map((account) => accountBody(account, connectionOf(account, connections)));
  return { accounts: list, total: list.length };
}

export function balanceBody(account: HouseholdAccount): WireBalance {
  return { balance: { amount: amount(balanceMinor(account), account.currency), currency: account.currency } };
}

/** The rows of the requested range, newest first. */
export function transactionListBody(
  account: HouseholdAccount,
  query: RequestedTransactions,
  habits: WireHabits,
): WireTransactionList {
  const isInRange = (date: string) => (query.from ?? '') <= date && date <= (query.to ?? '9999');
  const isAsked = (transaction: HouseholdTransaction) =>
    (transaction.posted !== null || query.includePending || !habits.waitsToBeAskedForHolds) &&
    (!habits.filtersByDate || isInRange(dateOf(transaction)));
  const rows = account.transactions
    .filter(isAsked)
    .map((transaction) => transactionBody(transaction, account))
    .sort((one, other) => (one.date < other.date ? 1 : one.date > other.date ? -1 : 0));
  return { transactions: rows.slice(0, habits.mostRows), total: rows.length };
}

/** `null`: the aggregator reports no securities. */
export function holdingListBody(account: HouseholdAccount, { connections }: Household): WireHoldingList | null {
  const upstream = upstreamOf(connectionOf(account, connections));
  if (!HAS_HOLDINGS.has(upstream) && account.holdings.length === 0) return null;
  const totalMinor = account.holdings.reduce((sum, { valueMinor }) => sum + valueMinor, 0);
  return {
    holdings: account.holdings.map((holding) => holdingBody(holding, account, upstream)),
    totalValue: amount(totalMinor, account.currency),
    currency: account.currency,
  };
}

/** Accounts and connections have whole numbers for ids. */
export function numberOf(id: string): number {
  return Number.parseInt(hex(id).slice(0, 7), 16) + 10_000;
}

function accountBody(account: HouseholdAccount, connection: HouseholdConnection): WireAccount {
  const upstream = upstreamOf(connection);
  return {
    id: numberOf(account.id),
    connection_id: numberOf(connection.id),
    name: account.name,
    institution_name: connection.institution.name,
    institution_logo:
      upstream === REPORTS_NO_STATUS ? null : `https://logos.example/${connection.institution.domain}.png`,
    provider: upstream,
    ...(upstream === REPORTS_NO_CURRENCY ? {} : { currency: account.currency }),
    ...(upstream === REPORTS_NO_STATUS ? {} : { status: 'ACTIVE' }),
  };
}

function dateOf({ posted, transactedAt }: HouseholdTransaction): CalendarDate {
  return dateOfUnixSeconds(posted ?? transactedAt);
}

/** A pending transaction has an id only if it is posted under the same one. */
function transactionBody(transaction: HouseholdTransaction, { id, currency }: HouseholdAccount): WireTransaction {
  const { posted, amountMinor, payee, memo, description } = transaction;
  return {
    id: posted === null && transaction.id !== transaction.originId ? null : hex(transaction.id),
    accountId: numberOf(id),
    amount: amount(amountMinor, currency),
    currency,
    date: dateOf(transaction),
    // Without a clean name the bank's raw text takes its place, with its lines.
    merchant: payee || memo || null,
    description,
    isPending: posted === null,
  };
}

function holdingBody(holding: HouseholdHolding, account: HouseholdAccount, upstream: string): WireHolding {
  const { valueMinor, costMinor, currency } = holding.traded ?? { ...holding, currency: account.currency };
  const quantity = Number(holding.shares);
  const value = amount(valueMinor, currency);
  return {
    security: {
      name: holding.description,
      currency,
      tickerSymbol: holding.symbol || null,
      figi: null,
      cusp: null,
      isin: holding.isin ?? null,
    },
    quantity,
    price: Number((value / quantity).toFixed(4)),
    value,
    costBasis: costMinor === 0 ? null : amount(costMinor, currency),
    currency,
    raw: holding.symbol === '' ? {} : { [upstream]: { id: holding.id } },
  };
}

/** A JSON number with no more digits than it needs; a custom currency has no decimals. */
function amount(minor: number, currency: string): number {
  return Number(decimalText(minor, minorDigits(currency) ?? 0));
}

function upstreamOf({ upstream }: HouseholdConnection): string {
  return upstream ?? 'gocardless';
}

function connectionOf(
  { id, connectionId }: HouseholdAccount,
  connections: readonly HouseholdConnection[],
): HouseholdConnection {
  const connection = connections.find((one) => one.id === connectionId);
  if (!connection) throw new RangeError(`no connection ${connectionId} for account ${id}`);
  return connection;
}

function hex(id: string): string {
  return hash('sha256', id, 'hex').slice(0, 32);
}
