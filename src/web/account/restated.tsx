import type { BalanceVersion } from '../../balances/record/balance-versions.repository.js';
import type { BalanceRow } from '../../balances/record/balance.response.js';
import type { RestatementReason } from '../../balances/record/keep-versions.js';
import { type CalendarDate, dateInTimeZone } from '../../time/calendar-date.js';
import { Money } from '../components/money.js';
import { Day } from '../components/when.js';

const REASONS: Record<RestatementReason, string> = {
  late_transaction: 'a transaction arrived late',
  changed_transaction: 'the bank changed a transaction',
  removed_transaction: 'the bank no longer lists a transaction',
  new_reading: 'the bank reported another balance',
  corrected_type: 'the type of the account was corrected',
  merged_account: 'another account was merged into this one',
  recalculated: 'it was recalculated',
};

/** A balance that was restated after its day was over. */
export interface Restatement {
  on: CalendarDate;
  before: number;
  reasons: readonly RestatementReason[];
}

/**
 * The newest replaced value with another balance. Changes while the day lasted are not restatements.
 *
 * @param versions newest first
 */
export function restatementOf(
  record: BalanceRow,
  versions: readonly BalanceVersion[],
  timeZone: string,
): Restatement | null {
  for (const { row, until, reasons } of versions) {
    const on = dateInTimeZone(new Date(until * 1000), timeZone);
    if (on > record.date && endOf(row) !== endOf(record)) return { on, before: endOf(row), reasons };
  }
  return null;
}

export function Restated({ record, restatement }: { record: BalanceRow; restatement: Restatement }) {
  const { on, before, reasons } = restatement;
  const why = reasons.map((reason) => REASONS[reason]).join(', and ');
  return (
    <p class="quiet">
      Restated on <Day date={on} />: <Money minor={before} currency={record.currency} /> became{' '}
      <Money minor={endOf(record)} currency={record.currency} />
      {why ? `, because ${why}` : ''}.
    </p>
  );
}

function endOf({ end_cash, end_non_cash }: BalanceRow): number {
  return end_cash + end_non_cash;
}
