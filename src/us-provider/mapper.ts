import type { SnapshotAccount, SnapshotBalance, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { oneLine } from '../bank-provider/text.js';
import { currencyCode, minorDigits } from '../money/currency.js';
import { parseMinor } from '../money/minor-units.js';
import { type CalendarDate, dateOfUnixSeconds } from '../time/calendar-date.js';
import { guessAccountType } from './account-type-guess.js';
import { mapHoldings } from './holdings.js';
import type { WireAccount, WireConnection, WireTransaction } from './payload.js';

const MAX_NAME_CHARS = 200;
const MAX_DESCRIPTION_CHARS = 500;
/** 9999-12-31: beyond it there is no calendar day. */
const MAX_SECONDS = 253_402_300_799;

/** What is known of an account once all answers are in. */
export interface AccountFacts {
  /** From the undated answer: its balance is today's for certain. */
  wire: WireAccount;
  connection: WireConnection | undefined;
  /** From the newest window; `null`: not told. */
  holdings: WireAccount['holdings'];
  transactions: SnapshotTransaction[];
  coveredFrom: CalendarDate | null;
  complete: boolean;
  /** The balance is an old one: no news. */
  stale: boolean;
}

export function mapAccount(externalId: string, facts: AccountFacts): SnapshotAccount {
  const { wire, connection, holdings, transactions, coveredFrom, complete, stale } = facts;
  const currency = currencyCode(wire.currency);
  const listed = currency && holdings ? mapHoldings(holdings, currency) : [];
  return {
    externalId,
    name: oneLine(wire.name ?? '', MAX_NAME_CHARS) || 'Unnamed account',
    institution: institutionOf(wire, connection),
    currency: currency ?? (oneLine(wire.currency ?? '', MAX_NAME_CHARS) || null),
    balance: stale || !currency ? null : mapBalance(wire, currency),
    suggestedType: guessAccountType(wire, listed.length > 0),
    transactions,
    complete,
    coveredFrom,
    holdings: holdings ? { status: 'available', items: listed } : { status: 'unknown' },
  };
}

/** The institution as a person calls it, in either dialect. */
export function institutionOf({ org }: WireAccount, connection: WireConnection | undefined): string | null {
  const name = connection?.org_name ?? connection?.name ?? org?.name ?? org?.domain ?? '';
  return oneLine(name, MAX_NAME_CHARS) || null;
}

function mapBalance(wire: WireAccount, currency: string): SnapshotBalance | null {
  const digits = minorDigits(currency)!;
  const amountMinor = parsed(wire.balance, digits);
  if (amountMinor === null) return null;
  const at = wire['balance-date'];
  return {
    amountMinor,
    availableMinor: parsed(wire['available-balance'], digits),
    date: isInstant(at) ? dateOfUnixSeconds(at) : null,
  };
}

function parsed(amount: string | null | undefined, digits: number): number | null {
  return amount === null || amount === undefined ? null : parseMinor(amount, digits);
}

/**
 * @param today dates a row that has no date at all
 * @returns `null` for a row in a currency without minor units, or an amount out of range
 */
export function mapTransaction(
  wire: WireTransaction,
  account: WireAccount,
  today: CalendarDate,
): SnapshotTransaction | null {
  const currency = currencyCode(wire.currency) ?? currencyCode(account.currency);
  const amountMinor = currency === null ? null : parseMinor(wire.amount, minorDigits(currency)!);
  if (currency === null || amountMinor === null) return null;
  const merchant = oneLine(wire.payee ?? '', MAX_NAME_CHARS) || null;
  const description =
    oneLine(wire.description ?? '', MAX_DESCRIPTION_CHARS) || oneLine(wire.memo ?? '', MAX_DESCRIPTION_CHARS);
  return {
    externalId: wire.id,
    date: dateOf(wire) ?? today,
    amountMinor,
    currency,
    description: description || (merchant ?? ''),
    merchant,
    pending: isPending(wire),
  };
}

/** By the flag, or by an explicit 0 beside a real moment. A missing `posted` is no sign: some feeds leave it out. */
export function isPending({ pending, posted, transacted_at }: WireTransaction): boolean {
  return pending === true || (posted === 0 && (transacted_at ?? 0) > 0);
}

/** The UTC day: rows with a calendar date only carry its noon or midnight in UTC, which a local zone would move. */
function dateOf({ posted, transacted_at }: WireTransaction): CalendarDate | null {
  if (isInstant(posted)) return dateOfUnixSeconds(posted);
  return isInstant(transacted_at) ? dateOfUnixSeconds(transacted_at) : null;
}

function isInstant(seconds: number | null | undefined): seconds is number {
  return typeof seconds === 'number' && seconds > 0 && seconds <= MAX_SECONDS;
}
