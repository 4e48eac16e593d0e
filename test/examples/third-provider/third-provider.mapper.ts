import { accountTypeByName } from '../../../src/bank-provider/account-type-by-name.js';
import type {
  SnapshotAccount,
  SnapshotBalance,
  SnapshotTransaction,
} from '../../../src/bank-provider/bank-provider.js';
import {
  LeftOutRows,
  type TransactionHistory,
  type WindowRows,
} from '../../../src/bank-provider/transaction-history.js';
import { accountNameOf, isBeyondLimit, lineOf, minorOf } from '../../../src/bank-provider/read-values.js';
import { currencyCode } from '../../../src/money/currency.js';
import { readTransaction, type WireAccount, type WireTransaction } from './third-provider.schemas.js';

const MAX_DESCRIPTION_CHARS = 500;

export function mapAccount(wire: WireAccount, history: TransactionHistory): SnapshotAccount {
  const currency = currencyCode(wire.currency);
  const name = accountNameOf(wire.name);
  const balance = mapBalance(wire, currency);
  return {
    externalId: wire.id,
    name,
    institution: lineOf(wire.bank),
    currency,
    balance,
    suggestedType: accountTypeByName(name, balance),
    ...history.inSnapshot,
    // Without a currency no amount can be read, so that the account is never complete.
    complete: history.isComplete && currency !== null,
    // This provider lists no securities. One that does says 'unknown' when it could not be asked.
    holdings: { status: 'unavailable' },
  };
}

/** `null`: not reported or unreadable, which is never zero. */
function mapBalance({ balance, balance_date: date }: WireAccount, currency: string | null): SnapshotBalance | null {
  const amountMinor = currency === null ? null : minorOf(balance, currency);
  return amountMinor === null ? null : { amountMinor, availableMinor: null, date: date ?? null };
}

/** The transactions of one account in an answer about all of them. Unreadable ones are counted, not guessed. */
export function mapTransactions(
  account: WireAccount,
  byAccount: ReadonlyMap<string | null, readonly unknown[]>,
  includePending: boolean,
): WindowRows {
  const currency = currencyCode(account.currency);
  const rows: SnapshotTransaction[] = [];
  const unreadable = new LeftOutRows();
  for (const item of byAccount.get(account.id) ?? []) {
    const { value: wire } = readTransaction(item);
    const row = wire && mapTransaction(wire, currency);
    if (!row) unreadable.add(item, isBeyondLimit(wire?.amount, currency));
    else if (includePending || !row.pending) rows.push(row);
  }
  // An item that names no account may be one of this account.
  for (const item of byAccount.get(null) ?? []) unreadable.add(item);
  return { rows, unreadable, leavesGap: false };
}

function mapTransaction(wire: WireTransaction, currency: string | null): SnapshotTransaction | null {
  const amountMinor = currency === null ? null : minorOf(wire.amount, currency);
  if (currency === null || amountMinor === null) return null;
  return {
    externalId: wire.id,
    date: wire.date,
    amountMinor,
    currency,
    description: lineOf(wire.description, MAX_DESCRIPTION_CHARS) ?? '',
    merchant: null,
    pending: wire.status === 'pending',
  };
}
