import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { noteChanges } from '../../change-log/note-changes.js';
import { BALANCE_COLUMNS, type BalanceColumn, type BalanceHistory } from '../../balance-engine/history.js';
import { type CalendarDate, dateOfDayNumber } from '../../time/calendar-date.js';
import { recountSpans } from './recount-spans.js';

/** Snake case, as in the table: `startCash` is `start_cash`. */
const columnName = (column: BalanceColumn): string => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const NAMES = BALANCE_COLUMNS.map(columnName);
const columns = (prefix = '') => sql.raw(NAMES.map((name) => prefix + name).join(', '));
const assignments = sql.raw(NAMES.map((name) => `${name} = excluded.${name}`).join(', '));

/**
 * Makes the stored history equal to the derived one. A row that is already right is not touched: it keeps `updated_at`;
 * every row keeps `id` and `created_at`. Rows of another currency are replaced and never relabelled.
 *
 * @param since the first day to write, where an earlier history in another currency has ended; `null`: all days
 * @returns how many rows were inserted, changed or removed
 */
export async function writeHistory(
  em: EntityManager,
  account: Account,
  currency: string,
  history: BalanceHistory | null,
  since: CalendarDate | null,
): Promise<number> {
  const relabelled = history ? await deleteOtherCurrencies(em, account, currency, since) : NOTHING;
  const stored = history ? await storeRows(em, account, currency, history, since) : NOTHING;
  const outside = await deleteOutside(em, account, history, since);
  const all = [relabelled, stored, outside].filter(({ count }) => count > 0);
  if (all.length === 0) return 0;
  const { userId, id } = account;
  noteChanges(
    userId,
    { kind: 'accounts', ids: [id] },
    ...all.map(({ from, to }) => ({ kind: 'balances' as const, accountId: id, from: from!, to: to! })),
  );
  await recountSpans(em, account);
  // The rows of another currency are inserted again in this one.
  return stored.count + outside.count;
}

/** How many rows of an account a statement has written or deleted, and of which days. */
interface WrittenDays {
  count: number;
  from: CalendarDate | null;
  to: CalendarDate | null;
}

const NOTHING: WrittenDays = { count: 0, from: null, to: null };

/** @param statement returns the `date` of every row that it touches */
async function daysOf(em: EntityManager, statement: RawBuilder<unknown>): Promise<WrittenDays> {
  const { rows } = await sql<WrittenDays>`
    with written as (${statement})
    select count(*)::float8 as count, min(date)::text as from, max(date)::text as to from written
  `.execute(em.getKysely());
  return rows[0]!;
}

function storeRows(
  em: EntityManager,
  { userId, id }: Account,
  currency: string,
  history: BalanceHistory,
  since: CalendarDate | null,
): Promise<WrittenDays> {
  const arrays = BALANCE_COLUMNS.map((column) => sql`${`{${history.columns[column].join(',')}}`}::bigint[]`);
  const statement = sql`
    insert into balances (user_id, account_id, date, currency, flows_factor, has_cash, ${columns()})
    select ${userId}::uuid, ${id}::uuid, derived.date, ${currency}, ${history.factor}, ${history.hasCash}, ${columns('derived.')}
    from (
      select ${dateOfDayNumber(history.firstDay)}::date + (row_number - 1)::integer as date, ${columns()}
      from unnest(${sql.join(arrays)}) with ordinality as row(${columns()}, row_number)
    ) derived
    left join balances stored
      on stored.user_id = ${userId} and stored.account_id = ${id} and stored.date = derived.date
    where derived.date >= coalesce(${since}::date, '-infinity') and (stored.date is null
      or (stored.flows_factor, stored.has_cash, ${columns('stored.')})
        is distinct from (${history.factor}, ${history.hasCash}, ${columns('derived.')}))
    on conflict (user_id, account_id, date) do update set
      flows_factor = excluded.flows_factor, has_cash = excluded.has_cash, ${assignments}, updated_at = now()
    returning date`;
  return daysOf(em, statement);
}

function deleteOtherCurrencies(
  em: EntityManager,
  { userId, id }: Account,
  currency: string,
  since: CalendarDate | null,
): Promise<WrittenDays> {
  const statement = sql`
    delete from balances
    where user_id = ${userId} and account_id = ${id} and currency <> ${currency} and ${isSince(since)} returning date`;
  return daysOf(em, statement);
}

function deleteOutside(
  em: EntityManager,
  { userId, id }: Account,
  history: BalanceHistory | null,
  since: CalendarDate | null,
): Promise<WrittenDays> {
  const outside = history
    ? sql`and (date < ${dateOfDayNumber(history.firstDay)} or date > ${dateOfDayNumber(history.firstDay + history.length - 1)})`
    : sql``;
  const statement = sql`
    delete from balances where user_id = ${userId} and account_id = ${id} and ${isSince(since)} ${outside}
    returning date`;
  return daysOf(em, statement);
}

function isSince(since: CalendarDate | null) {
  return since === null ? sql`true` : sql`date >= ${since}`;
}
