import type { SnapshotAccount, SnapshotTransaction } from '../../src/providers/bank-provider.js';
import type { CalendarDate } from '../../src/platform/time/calendar-date.js';
import type { CoveredDays } from '../../src/platform/time/covered-days.js';

export { createConnection, writeSnapshot } from '../../src/kit/testing.js';

let serial = 0;

export function transaction(
  date: string,
  amountMinor: number,
  more: Partial<SnapshotTransaction> = {},
): SnapshotTransaction {
  const externalId = `T${++serial}`;
  return {
    externalId,
    date,
    amountMinor,
    currency: 'USD',
    description: 'Shop',
    merchant: null,
    pending: false,
    ...more,
  };
}

export function snapshotAccount(more: Partial<SnapshotAccount> = {}): SnapshotAccount {
  return {
    externalId: `A${++serial}`,
    name: 'Checking',
    institution: 'Test bank',
    currency: 'USD',
    balance: null,
    suggestedType: 'depository',
    transactions: [],
    covered: coveredSince('2024-01-01'),
    unreadableRows: 0,
    holdings: { status: 'unavailable' },
    ...more,
  };
}

/** What a list covers that is whole from a day on. */
export function coveredSince(from: CalendarDate): CoveredDays {
  return [{ from, until: '9999-12-31' }];
}

export function balance(amountMinor: number): SnapshotAccount['balance'] {
  return { amountMinor, availableMinor: null, date: null };
}
