import { type EntityManager, type InferClassEntityDB, raw } from '@mikro-orm/postgresql';
import { Account, isOwn, isSynced } from '../accounts/account.entity.js';
import { coveredUntil } from '../../platform/time/covered-days.js';
import { loadLedger } from '../accounts/load-ledger.js';
import { Transaction } from '../transactions/transaction.entity.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import type { BalanceColumn, BalanceHistory } from '../engine/history.js';
import type { DayNumber } from '../engine/ledger.js';
import { type Derivation, deriveInSteps } from '../engine/derive-history.js';
import { currencyCode } from '../../platform/money/currency.js';
import { type CalendarDate, dateOfDayNumber, dayNumber } from '../../platform/time/calendar-date.js';
import type { RestatementReason } from '../record/keep-versions.js';
import type { ImportedList, StatedBalance } from '../own-knowledge/own-knowledge.entities.js';
import { settleRows } from '../own-knowledge/settle-rows.js';
import { writeCertainty } from './write-certainty.js';
import { writeHistory } from './write-history.js';
import type { BalanceReport } from '../accounts/balance-report.entity.js';
import type { BalanceRange } from '../record/balance-range.entity.js';
import { SumTooLargeError } from '../engine/check-ledger.js';
import type { Steps } from '../engine/steps.js';
import { DomainError } from '../../platform/domain-error.js';
import { inSlices } from '../../platform/time/work-slices.js';

type Tables = InferClassEntityDB<
  typeof BalanceRange | typeof BalanceReport | typeof ImportedList | typeof StatedBalance
>;

/**
 * Derives an account's history from all stored facts and writes the differences. An account whose currency has no minor
 * unit (a URL, points, unknown) has no history. A change of currency ends one history, which stays as it is, and begins
 * another on the day of the first report, unless the bank soon takes it back. A closed account's history ends on its
 * last day. Call it in the transaction that changed the facts.
 *
 * @param today in the person's timezone: the last day of an account that is still synced
 * @param reasons why the history may differ
 * @param isSignNew whether the sign of the bank is looked for; `false`: it was found a moment ago
 * @throws UncountableAmountsError
 */
export async function deriveAccountHistory(
  em: EntityManager,
  account: Account,
  today: CalendarDate,
  reasons: readonly RestatementReason[],
  isSignNew = true,
): Promise<WrittenHistory> {
  await settleRows(em, account);
  const currency = currencyCode(account.currency);
  if (!currency) return { written: 0, firstDay: null };
  const until = dayNumber(await lastDayOf(em, account, today));
  const { isReDenominated, ...ledger } = await loadLedger(em, account, until);
  const firstReport = ledger.observations.reduce((first, { day }) => Math.min(first, day), Infinity);
  if (isReDenominated && firstReport === Infinity) return { written: 0, firstDay: null };
  const derivation = await runDerivation(account, deriveInSteps(ledger), () => keepAlive(em));
  const isTurned = await writeSign(em, account, reversedSince(derivation));
  // Which rows of files are the bank's depends on the sign. Once more is enough: another turn would be the next sync's.
  if (isTurned && isSignNew && (await settleRows(em, account)))
    return deriveAccountHistory(em, account, today, reasons, false);
  const derived = derivation?.history ?? null;
  const { closedOn } = account;
  const history = derived && closedOn !== null ? endHistory(derived, dayNumber(closedOn)) : derived;
  const since = isReDenominated ? dateOfDayNumber(firstReport) : null;
  await writeCertainty(em, account, history, since);
  const written = await writeHistory(em, account, { currency, history, since, reasons });
  return { written, firstDay: since ?? (derived && dateOfDayNumber(derived.firstDay)) };
}

/** After which moment the bank lists transactions in the opposite sign; `null`: it does not. */
function reversedSince(derivation: Derivation | null): Date | null {
  const reversal = derivation?.explanation?.reversal;
  if (!derivation || reversal?.of !== 'transactions') return null;
  const { from } = reversal.spans[0]!;
  return new Date(from === 0 ? 0 : derivation.observations[from - 1]!.observedAt);
}

/** Stores it, which changes the amounts of transactions in all lists. @returns whether it is another one */
async function writeSign(em: EntityManager, account: Account, since: Date | null): Promise<boolean> {
  if (account.transactionsReversedSince?.getTime() === since?.getTime()) return false;
  const { userId, id } = account;
  account.transactionsReversedSince = since;
  await em.nativeUpdate(Account, { userId, id }, { transactionsReversedSince: since });
  await em.nativeUpdate(Transaction, { userId, accountId: id }, { updatedAt: raw('transaction_timestamp()') });
  noteChanges(userId, { kind: 'transactions', accountId: id });
  return true;
}

interface WrittenHistory {
  /** How many rows were inserted, updated or deleted. */
  written: number;
  /** The first day of the present currency's history, also if the account was closed before it; `null`: there is none. */
  firstDay: CalendarDate | null;
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
    doubt: history.doubt.subarray(0, length),
  };
}

/**
 * The last day of an account's history: today while the account is synced, or where a person keeps it. The balance of any
 * other account is unknown after the last day of which anything says something. That a person closed it for a while changes
 * nothing of it.
 *
 * @param today in the person's timezone
 */
export async function lastDayOf(em: EntityManager, account: Account, today: CalendarDate): Promise<CalendarDate> {
  if (isSynced(account) || isOwn(account)) return today;
  const { userId, id, covered } = account;
  const { day } = await em
    .getKysely<Tables>()
    .selectNoFrom((eb) => {
      const lastOf = (
        table: 'observations' | 'imported_lists' | 'stated_balances',
        column: 'day' | 'last_date' | 'date',
      ) =>
        eb
          .selectFrom(table)
          .where('user_id', '=', userId)
          .where('account_id', '=', id)
          .select(({ fn }) => fn.max<CalendarDate | null>(column).as('day'));
      const lastDays = [
        lastOf('observations', 'day'),
        lastOf('imported_lists', 'last_date'),
        lastOf('stated_balances', 'date'),
      ];
      return eb.fn<CalendarDate | null>('greatest', lastDays).as('day');
    })
    .executeTakeFirstOrThrow();
  return (
    [day, coveredUntil(covered)]
      .filter((known) => known !== null)
      .sort()
      .at(-1) ?? today
  );
}

/** The day on which a current history ends: today, or the account's last day. */
function dueLastDay({ closedOn }: Account, today: CalendarDate): CalendarDate {
  return closedOn !== null && closedOn < today ? closedOn : today;
}

/**
 * Whether the stored history of an account ends on a day, or with the account. Then it is current unless facts changed.
 */
export async function historyReaches(em: EntityManager, account: Account, day: CalendarDate): Promise<boolean> {
  const range = await em
    .getKysely<Tables>()
    .selectFrom('balance_spans')
    .select('last_date')
    .where('user_id', '=', account.userId)
    .where('account_id', '=', account.id)
    .where('last_date', '=', dueLastDay(account, day))
    .executeTakeFirst();
  return range !== undefined;
}

/** Nothing can be derived of an account whose amounts add up to more than can be counted to the minor unit. */
export class UncountableAmountsError extends DomainError {
  constructor({ name }: Account) {
    const message = `The amounts of ${name} add up to more than Tidemark can count exactly.`;
    super('validation_failed', message, { errors: [`id: ${message}`] });
  }
}

/**
 * Derives of an account, and lets other work run between the steps.
 *
 * @param showAlive called every second
 * @throws UncountableAmountsError
 */
export async function runDerivation<T>(
  account: Account,
  steps: Steps<T>,
  showAlive?: () => Promise<unknown>,
): Promise<T> {
  try {
    return await inSlices(steps, showAlive);
  } catch (error) {
    throw error instanceof SumTooLargeError ? new UncountableAmountsError(account) : error;
  }
}

/** PostgreSQL ends a transaction that is idle too long. With this only one whose process has stopped is. */
function keepAlive(em: EntityManager): Promise<unknown> {
  return em
    .getKysely()
    .selectNoFrom((eb) => eb.lit(1).as('alive'))
    .execute();
}
