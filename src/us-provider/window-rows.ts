import type { SnapshotRequest, SnapshotTransaction } from '../bank-provider/bank-provider.js';
import type { WindowRows } from '../bank-provider/transaction-history.js';
import { currencyCode } from '../money/currency.js';
import type { WorkSlices } from '../time/work-slices.js';
import { mapTransaction } from './mapper.js';
import { readTransaction, type WireAccount } from './payload.js';

type Wanted = Pick<SnapshotRequest, 'today' | 'includePending'>;

/**
 * Maps the transactions of one account in an answer.
 *
 * @param listed the account, as often as the answer lists it
 * @param saysGap whether a warning says that transactions may be missing
 */
export async function windowRows(
  listed: readonly WireAccount[],
  saysGap: boolean,
  wanted: Wanted,
  slices: WorkSlices,
): Promise<WindowRows> {
  const rows: SnapshotTransaction[] = [];
  let unreadable = 0;
  let unsupported = 0;
  for (const { currency: code, transactions } of listed) {
    const currency = currencyCode(code);
    // Amounts of points and miles cannot be stored, which is no fault of the rows.
    if (currency === null) {
      unsupported += transactions?.length ?? 0;
      continue;
    }
    for (const item of transactions ?? []) {
      if (slices.isOver) await slices.giveWay();
      const { value: wire } = readTransaction(item);
      const row = wire && mapTransaction(wire, currency, wanted.today);
      if (!row) unreadable++;
      else if (!row.pending || wanted.includePending) rows.push(row);
    }
  }
  return { rows, unreadable, unsupported, leavesGap: saysGap || listed.length === 0 };
}
