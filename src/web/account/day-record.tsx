import type { BalanceRow } from '../../balances/record/balance.response.js';
import type { UncertainDays } from '../../balances/record/uncertain-days.entity.js';
import { addDays, type CalendarDate, dateInTimeZone } from '../../platform/time/calendar-date.js';
import type { PendingTotal } from '../../balances/transactions/transactions.repository.js';
import { changeText, Money } from '../components/money.js';
import { Day } from '../components/when.js';
import { Column } from '../components/table.js';
import type { BalanceVersion } from '../../balances/record/balance-versions.repository.js';
import type { RestatementReason } from '../../balances/record/keep-versions.js';
import { uncertaintyText, uncertainOn } from './chart-views.js';

interface Line {
  label: string;
  cash: number;
  nonCash: number;
  change: boolean;
}

/** From the day's start to its end, signed by the effect on the balance. */
function linesOf(row: BalanceRow, isByHand: boolean): Line[] {
  const { flows_factor: factor } = row;
  const moves: Line[] = [
    {
      label: factor === 1 ? 'In' : 'Payments',
      cash: row.cash_inflows * factor,
      nonCash: row.non_cash_inflows * factor,
      change: true,
    },
    {
      label: factor === 1 ? 'Out' : 'Charges',
      cash: -row.cash_outflows * factor,
      nonCash: -row.non_cash_outflows * factor,
      change: true,
    },
    { label: 'Market', cash: 0, nonCash: row.net_market_flows, change: true },
    {
      label: isByHand ? 'Value you gave' : 'Adjustment',
      cash: row.cash_adjustments,
      nonCash: row.non_cash_adjustments,
      change: true,
    },
  ];
  return [
    { label: 'Start', cash: row.start_cash, nonCash: row.start_non_cash, change: false },
    ...moves.filter(({ cash, nonCash }) => cash !== 0 || nonCash !== 0),
    { label: 'End', cash: row.end_cash, nonCash: row.end_non_cash, change: false },
  ];
}

/** What moved without a transaction. */
function driftOf(row: BalanceRow): string {
  const market = row.net_market_flows !== 0 && 'Market';
  const adjustment = (row.cash_adjustments !== 0 || row.non_cash_adjustments !== 0) && 'Adjustment';
  return [market, adjustment].filter(Boolean).join(' and ');
}

/** What is known about a day. */
export interface ShownDay {
  day: CalendarDate;
  record: BalanceRow | null;
  /** All uncertain days of the account. */
  uncertain: readonly UncertainDays[];
  restatement: Restatement | null;
  /** Of the day of the newest balance that the bank reported: what is pending now. */
  pending: readonly PendingTotal[] | null;
  /** Of a day after some without a report: the day of the last report before them. */
  silentSince: CalendarDate | null;
  /** Whether a person, and no bank, says what the account is worth. */
  isByHand: boolean;
  /** Of an account by hand: the last day up to this one with a value that was given. */
  valuedOn: CalendarDate | null;
}

interface DayRecordProps extends ShownDay {
  accountId: string;
  /** The query that other days keep, that of the range. */
  rest: string;
}

/** Another day is morphed into it, so that the link or the field that was used keeps the focus. */
export function DayRecord(props: DayRecordProps) {
  const { day, record, uncertain, restatement, silentSince, pending, isByHand, valuedOn, accountId, rest } = props;
  const doubt = uncertainOn(uncertain, day);
  return (
    <section class="card" id="day">
      <div class="card-head">
        <h2 aria-live="polite">
          <Day date={day} />
        </h2>
        <nav class="actions" aria-label="Other days">
          <DayLink accountId={accountId} rest={rest} day={addDays(day, -1)} label="The day before" arrow="←" />
          <DayLink accountId={accountId} rest={rest} day={addDays(day, 1)} label="The day after" arrow="→" />
        </nav>
      </div>
      {record ? <DayTable row={record} isByHand={isByHand} /> : <p class="quiet">No balance for this day.</p>}
      {record && doubt && (
        <p class="quiet small">
          {pending ? (
            reportedText(pending)
          ) : valuedOn ? (
            <>
              Carried forward from the value of <Day date={valuedOn} />.
            </>
          ) : (
            uncertaintyText(doubt.level, 'this day', isByHand)
          )}
          {!pending && doubt.doubtMinor !== null && (
            <>
              {' '}
              The other one is <Money minor={endOf(record) + doubt.doubtMinor} currency={record.currency} />.
            </>
          )}
        </p>
      )}
      {record && silentSince && (
        <p class="quiet small">
          {driftOf(record)} since <Day date={silentSince} />: nothing was reported in between.
        </p>
      )}
      {record && restatement && <Restated record={record} restatement={restatement} />}
      <div class="day-foot">
        <DayChoice accountId={accountId} rest={rest} day={day} />
        <a class="small" href={`/accounts/${accountId}/balances`}>
          All days
        </a>
      </div>
    </section>
  );
}

/** What the bank reported is not uncertain; only what it is about may be. */
function reportedText(pending: readonly PendingTotal[]): string {
  const totals = pending.map(({ count, currency, amountMinor }) => {
    return `${count === 1 ? 'the pending transaction' : `the ${count} pending transactions`} (${changeText(amountMinor, currency)})`;
  });
  return `Reported by the bank.${totals.length > 0 ? ` May include ${totals.join(' and ')}.` : ''}`;
}

/** Of links and field, the day that was chosen last replaces `#day`. htmx by itself drops it while two others wait. */
const NEWEST_DAY = '#day:replace';

/** Chooses any day, as the chart does by it; without scripts a button submits it. */
function DayChoice({ accountId, rest, day }: Pick<DayRecordProps, 'accountId' | 'rest' | 'day'>) {
  return (
    <form
      class="row"
      method="get"
      action={`/accounts/${accountId}#day`}
      hx-get={`/accounts/${accountId}/day`}
      hx-trigger="change, submit"
      hx-target="#day"
      hx-sync={NEWEST_DAY}
      hx-swap="outerMorph"
    >
      {[...new URLSearchParams(rest)].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <input id="day-choice" type="date" name="day" value={day} required aria-label="Show another day" />
      <noscript>
        <button type="submit" class="second small">
          Show
        </button>
      </noscript>
    </form>
  );
}

interface DayLinkProps extends Pick<DayRecordProps, 'accountId' | 'rest' | 'day'> {
  label: string;
  arrow: string;
}

/** A link to another day: with scripts it replaces only the record. */
function DayLink({ accountId, rest, day, label, arrow }: DayLinkProps) {
  return (
    <a
      href={`/accounts/${accountId}?${rest}&day=${day}#day`}
      hx-get={`/accounts/${accountId}/day?${rest}&day=${day}`}
      hx-target="#day"
      hx-sync={NEWEST_DAY}
      hx-swap="outerMorph"
      class="button second small"
      aria-label={label}
    >
      {arrow}
    </a>
  );
}

function DayTable({ row, isByHand }: { row: BalanceRow; isByHand: boolean }) {
  const lines = linesOf(row, isByHand);
  const both = lines.some(({ cash }) => cash !== 0) && lines.some(({ nonCash }) => nonCash !== 0);
  const cell = (minor: number, change: boolean) => (
    <td class="number">
      {change && minor === 0 ? '' : <Money minor={minor} currency={row.currency} change={change} />}
    </td>
  );
  return (
    <div class="table-scroll" {...(both && { tabIndex: 0, role: 'region', 'aria-label': 'Balance of the day' })}>
      <table class={both ? 'both' : ''}>
        <caption class="hidden-text">How the day began, what changed, and how it ended</caption>
        <thead class={both ? '' : 'hidden-text'}>
          <tr>
            <Column>
              <span class="hidden-text">What</span>
            </Column>
            {both && (
              <>
                <Column class="number">Cash</Column>
                <Column class="number">Holdings</Column>
              </>
            )}
            <Column class="number">Total</Column>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ label, cash, nonCash, change }, i) => (
            <tr key={label} class={i === lines.length - 1 ? 'total' : ''}>
              <th scope="row">{label}</th>
              {both && cell(cash, change)}
              {both && cell(nonCash, change)}
              {cell(cash + nonCash, change)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const REASONS: Record<RestatementReason, string> = {
  late_transaction: 'a transaction arrived late',
  changed_transaction: 'the bank changed a transaction',
  removed_transaction: 'the bank no longer lists a transaction',
  new_reading: 'the bank reported another balance',
  corrected_type: 'the type of the account was corrected',
  merged_account: 'another account was merged into this one',
  imported: 'you imported a file, or took one back',
  stated_balance: 'you stated a balance',
  corrected: 'you corrected a transaction',
  recalculated: 'it was recalculated',
};

/** A balance that was restated after its day was over. */
interface Restatement {
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

function Restated({ record, restatement }: { record: BalanceRow; restatement: Restatement }) {
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
