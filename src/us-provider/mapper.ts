import { accountTypeByName } from '../bank-provider/account-type-by-name.js';
import type { SnapshotBalance, SnapshotRequest, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import { dayOf, isBeyondLimit, lineOf, minorOf, rowCurrency } from '../bank-provider/read-values.js';
import { currencyCode } from '../money/currency.js';
import { type CalendarDate, dateOfUnixSeconds } from '../time/calendar-date.js';
import { readTransaction, type WireAccount, type WireConnection, type WireTransaction } from './payload.js';
import { LeftOutRows, type WindowRows } from '../bank-provider/transaction-history.js';

const MAX_DESCRIPTION_CHARS = 500;
/** 9999-12-31: beyond it there is no calendar day. */
const MAX_SECONDS = 253_402_300_799;
const HALF_DAY_SECONDS = 43_200;

/** Types that have no holdings, so that an empty list means nothing. */
export const WITHOUT_HOLDINGS: ReadonlySet<string | null> = new Set(['depository', 'credit_card', 'loan']);

/** The institution's name, in either dialect. */
export function institutionOf({ org, conn_name }: WireAccount, connection: WireConnection | undefined): string | null {
  const names = [connection?.org_name, connection?.name, conn_name, org?.name, org?.domain];
  return names.map((name) => lineOf(name)).find((name) => name !== null) ?? null;
}

/**
 * Guesses the type from holdings, name and balance, in this order: banks call anything savings, but only brokers list
 * securities; `null`: unknown.
 */
export function guessAccountType(
  name: string | null | undefined,
  balance: SnapshotBalance | null,
  hasHoldings: boolean,
): string | null {
  const named = accountTypeByName(name, balance);
  if (hasHoldings) return named === 'crypto' ? named : 'investment';
  // Who owns nothing here and may spend something has a card.
  const isCard = balance !== null && balance.amountMinor <= 0 && (balance.availableMinor ?? 0) > 0;
  return named ?? (isCard ? 'credit_card' : null);
}

/** In the currency's minor unit; `null`: not reported, unreadable, or the currency has no minor unit. */
export function mapBalance(wire: WireAccount): SnapshotBalance | null {
  const currency = currencyCode(wire.currency);
  if (currency === null) return null;
  const amountMinor = minorOf(wire.balance, currency);
  if (amountMinor === null) return null;
  return {
    amountMinor,
    availableMinor: minorOf(wire['available-balance'], currency),
    ...(writtenOf(wire['balance-date']) ?? { date: null }),
  };
}

/**
 * @param accountCurrency ISO 4217 code
 * @param today dates a row that has no date at all
 * @returns `null` for an amount or a currency that cannot be read: a foreign amount is never counted 1:1
 */
export function mapTransaction(
  wire: WireTransaction,
  accountCurrency: string,
  today: CalendarDate,
): SnapshotTransaction | null {
  const currency = rowCurrency(wire.currency, accountCurrency);
  const amountMinor = currency === null ? null : minorOf(wire.amount, currency);
  if (currency === null || amountMinor === null) return null;
  const merchant = lineOf(wire.payee);
  const description = lineOf(wire.description, MAX_DESCRIPTION_CHARS) ?? lineOf(wire.memo, MAX_DESCRIPTION_CHARS);
  return {
    externalId: wire.id,
    ...(dateOf(wire) ?? { date: today, dateIsGuess: true }),
    amountMinor,
    currency,
    description: description ?? merchant ?? '',
    merchant,
    pending: isPending(wire),
  };
}

/** By the flag, or by `posted: 0` with a transaction time. A missing `posted` proves nothing: some feeds omit it. */
function isPending({ pending, posted, transacted_at }: WireTransaction): boolean {
  return pending === true || (posted === 0 && (transacted_at ?? 0) > 0);
}

type Written = Required<Pick<SnapshotTransaction, 'date' | 'moment'>>;

/** Posted: when it was posted; pending: when it was made; else the other. */
function dateOf(wire: WireTransaction): Written | null {
  const { posted, transacted_at } = wire;
  const [first, other] = isPending(wire) ? [transacted_at, posted] : [posted, transacted_at];
  return writtenOf(first) ?? writtenOf(other);
}

function writtenOf(unixSeconds: number | null | undefined): Written | null {
  if (typeof unixSeconds !== 'number' || unixSeconds <= 0 || unixSeconds > MAX_SECONDS) return null;
  const date = dayOf(dateOfUnixSeconds(unixSeconds));
  return date === null ? null : { date, moment: { unixSeconds, isWhole: unixSeconds % HALF_DAY_SECONDS === 0 } };
}

type Wanted = Pick<SnapshotRequest, 'today' | 'includePending'>;

/**
 * Maps the transactions of one account in an answer.
 *
 * @param listed the account, as often as the answer lists it
 * @param saysGap whether a warning says that transactions may be missing
 */
export function windowRows(listed: readonly WireAccount[], saysGap: boolean, wanted: Wanted): WindowRows {
  const rows: SnapshotTransaction[] = [];
  const unreadable = new LeftOutRows();
  const unsupported = new LeftOutRows();
  for (const { currency: code, transactions } of listed) {
    const currency = currencyCode(code);
    for (const item of transactions ?? []) {
      // Amounts of points and miles cannot be stored, which is no fault of the rows.
      if (currency === null) {
        unsupported.add(item);
        continue;
      }
      const { value: wire } = readTransaction(item);
      const row = wire && mapTransaction(wire, currency, wanted.today);
      if (!row) unreadable.add(item, isBeyondLimit(wire?.amount, rowCurrency(wire?.currency, currency)));
      else if (!row.pending || wanted.includePending) rows.push(row);
    }
  }
  return { rows, unreadable, unsupported, leavesGap: saysGap || listed.length === 0 };
}
