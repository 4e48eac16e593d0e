import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '../../accounts/account.entity.js';
import { loadLedger } from '../../accounts/load-ledger.js';
import type { BalanceColumn, BalanceHistory } from '../../balance-engine/history.js';
import type { DayNumber } from '../../balance-engine/ledger.js';
import { deriveInSteps } from '../../balance-engine/derive-history.js';
import { currencyCode } from '../../money/currency.js';
import { type CalendarDate, dateOfDayNumber, dayNumber } from '../../time/calendar-date.js';
import type { RestatementReason } from '../versions/restatement-reason.js';
import { lastDayOf } from './last-day.js';
import { deriving } from './uncountable-amounts.js';
import { writeCertainty } from './write-certainty.js';
import { writeHistory } from './write-history.js';

/**
 * Derives an account's history from all stored facts and writes the differences. An account whose currency has no minor
 * unit (a URL, points, unknown) has no history. A change of currency ends one history, which stays as it is, and begins
 * another on the day of the first report, unless the bank soon takes it back. A closed account's history ends on its
 * last day. Call it in the transaction that changed the facts.
 *
 * @param today in the person's timezone: the last day of an account that is still synced
 * @param reasons why the history may differ
 * @returns how many rows were inserted, updated or deleted
 * @throws UncountableAmounts
 */
export async function deriveAccountHistory(
  em: EntityManager,
  account: Account,
  today: CalendarDate,
  reasons: readonly RestatementReason[],
): Promise<number> {
  const currency = currencyCode(account.currency);
  if (!currency) return 0;
  const until = dayNumber(await lastDayOf(em, account, today));
  const { isReDenominated, ...ledger } = await loadLedger(em, account, until);
  const firstReport = ledger.observations.reduce((first, { day }) => Math.min(first, day), Infinity);
  if (isReDenominated && firstReport === Infinity) return 0;
  const derivation = await deriving(account, deriveInSteps(ledger));
  const derived = derivation?.history ?? null;
  const { closedOn } = account;
  const history = derived && closedOn !== null ? endHistory(derived, dayNumber(closedOn)) : derived;
  const since = isReDenominated ? dateOfDayNumber(firstReport) : null;
  await writeCertainty(em, account, history, since);
  return writeHistory(em, account, currency, history, since, reasons);
}

/**
 * The history without the days after `lastDay`. Where the last balance of a closed account went is unknown, so no
 * outflow is invented: the account has no balance any more.
 *
 * @returns `null` when no day is left
 */
function endHistory(history: BalanceHistory, lastDay: DayNumber): BalanceHistory | null {
  const length = Math.min(history.length, lastDay - history.firstDay + 1);
  if (length <= 0) return null;
  const columns = Object.entries(history.columns).map(([name, values]) => [name, values.subarray(0, length)]);
  return {
    ...history,
    length,
    columns: Object.fromEntries(columns) as Record<BalanceColumn, Float64Array>,
    certainty: history.certainty.subarray(0, length),
  };
}
