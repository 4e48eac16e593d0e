import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { noteChanges } from '../../change-log/note-changes.js';
import { BALANCE_COLUMNS, type BalanceHistory } from '../../balance-engine/history.js';
import { type CalendarDate, dateOfDayNumber } from '../../time/calendar-date.js';
import type { Balance } from '../record/balance.entity.js';
import type { BalanceRange } from '../record/balance-range.entity.js';
import { AMOUNT_NAMES, keepBalanceVersions, type RestatementReason } from '../record/keep-versions.js';
import { certaintyRanges, KNOWN, UNKNOWN } from '../../balance-engine/certainty.js';

// Raw, because one statement reads the derived days from arrays, keeps the replaced values and upserts the rest.

const columns = (prefix = '') => sql.raw(AMOUNT_NAMES.map((name) => prefix + name).join(', '));
const assignments = sql.raw(AMOUNT_NAMES.map((name) => `${name} = excluded.${name}`).join(', '));

/**
 * Makes the stored history equal to the derived one. An unchanged row keeps `updated_at`; every row keeps `id` and
 * `created_at`. Rows in another currency are replaced, never relabelled.
 *
 * @param since the first day to write, if an earlier history in another currency has ended; `null`: all days
 * @param reasons why it may differ from the stored history; replaced values are stored with them
 * @returns how many rows were inserted, updated or deleted
 */
export async function writeHistory(
  em: EntityManager,
  account: Account,
  currency: string,
  history: BalanceHistory | null,
  since: CalendarDate | null,
  reasons: readonly RestatementReason[],
): Promise<number> {
  const other = sql`currency <> ${currency} and ${sinceCondition(since)}`;
  const relabelled = history ? await deleteRows(em, account, other, reasons) : NOTHING;
  const stored = history ? await storeRows(em, account, { currency, history, since, reasons }) : NOTHING;
  const outside = await deleteRows(
    em,
    account,
    sql`${sinceCondition(since)} and ${outsideCondition(history)}`,
    reasons,
  );
  const all = [relabelled, stored, outside].filter(({ count }) => count > 0);
  if (all.length === 0) return 0;
  const { userId, id } = account;
  noteChanges(
    userId,
    { kind: 'accounts', ids: [id] },
    ...all.map(({ from, to }) => ({ kind: 'balances' as const, accountId: id, from: from!, to: to! })),
  );
  await updateBalanceRanges(em, account);
  // Rows in another currency are inserted again in this one.
  return stored.count + outside.count;
}

/** How many rows of an account a statement wrote or deleted, and of which days. */
interface WrittenDays {
  count: number;
  from: CalendarDate | null;
  to: CalendarDate | null;
}

const NOTHING: WrittenDays = { count: 0, from: null, to: null };

function storeRows(
  em: EntityManager,
  account: Account,
  { currency, history, since, reasons }: DerivedRows,
): Promise<WrittenDays> {
  const { userId, id } = account;
  const arrays = BALANCE_COLUMNS.map((column) => sql`${`{${history.columns[column].join(',')}}`}::bigint[]`);
  // The statement that changes rows also reads their previous values.
  return writtenDays(
    em,
    sql`
      with differing as (
        select derived.*, stored.date is null as is_new
        from (
          select ${dateOfDayNumber(history.firstDay)}::date + (row_number - 1)::integer as date, ${columns()}
          from unnest(${sql.join(arrays)}) with ordinality as row(${columns()}, row_number)
        ) derived
        left join balances stored
          on stored.user_id = ${userId} and stored.account_id = ${id} and stored.date = derived.date
        where derived.date >= coalesce(${since}::date, '-infinity') and (stored.date is null
          or (stored.flows_factor, stored.has_cash, ${columns('stored.')})
            is distinct from (${history.factor}, ${history.hasCash}, ${columns('derived.')}))
      ), kept as (
        ${keepBalanceVersions(account, reasons, {
          before: sql`select b.* from balances b join differing using (date) where b.user_id = ${userId} and b.account_id = ${id}`,
          absent: sql`select date from differing where is_new`,
        })}
      ), written as (
        insert into balances (user_id, account_id, date, currency, flows_factor, has_cash, ${columns()})
        select ${userId}::uuid, ${id}::uuid, date, ${currency}, ${history.factor}, ${history.hasCash}, ${columns()}
        from differing
        on conflict (user_id, account_id, date) do update set
          flows_factor = excluded.flows_factor, has_cash = excluded.has_cash, ${assignments},
          updated_at = excluded.updated_at
        returning date
      )`,
  );
}

/** The rows derived from an account's facts. */
interface DerivedRows {
  currency: string;
  history: BalanceHistory;
  since: CalendarDate | null;
  reasons: readonly RestatementReason[];
}

function deleteRows(
  em: EntityManager,
  account: Account,
  condition: RawBuilder<unknown>,
  reasons: readonly RestatementReason[],
): Promise<WrittenDays> {
  return writtenDays(
    em,
    sql`
      with written as (
        delete from balances where user_id = ${account.userId} and account_id = ${account.id} and ${condition} returning *
      ), kept as (${keepBalanceVersions(account, reasons, { before: sql`select * from written`, absent: null })})`,
  );
}

/** @param statements define the table expression `written` */
async function writtenDays(em: EntityManager, statements: RawBuilder<unknown>): Promise<WrittenDays> {
  const { rows } = await sql<WrittenDays>`
    ${statements}
    select count(*)::float8 as count, min(date)::text as from, max(date)::text as to from written
  `.execute(em.getKysely());
  return rows[0]!;
}

function outsideCondition(history: BalanceHistory | null) {
  if (!history) return sql`true`;
  const { firstDay, length } = history;
  return sql`(date < ${dateOfDayNumber(firstDay)} or date > ${dateOfDayNumber(firstDay + length - 1)})`;
}

function sinceCondition(since: CalendarDate | null) {
  return since === null ? sql`true` : sql`date >= ${since}`;
}

/** Updates the range of an account's records in each currency, after they changed. */
export async function updateBalanceRanges(
  em: EntityManager,
  { userId, id }: Pick<Account, 'userId' | 'id'>,
): Promise<void> {
  const kysely = em.getKysely<InferClassEntityDB<typeof Balance | typeof BalanceRange>>();
  const records = kysely.selectFrom('balances').where('user_id', '=', userId).where('account_id', '=', id);
  await kysely
    .deleteFrom('balance_spans')
    .where('user_id', '=', userId)
    .where('account_id', '=', id)
    .where('currency', 'not in', records.select('currency'))
    .execute();
  await kysely
    .insertInto('balance_spans')
    .columns(['user_id', 'account_id', 'currency', 'first_date', 'last_date', 'record_count'])
    .expression(
      records
        .select(['user_id', 'account_id', 'currency'])
        .select(({ fn }) => [
          fn.min('date').as('first_date'),
          fn.max('date').as('last_date'),
          fn.countAll<number>().as('record_count'),
        ])
        .groupBy(['user_id', 'account_id', 'currency']),
    )
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'account_id', 'currency']).doUpdateSet((eb) => ({
        first_date: eb.ref('excluded.first_date'),
        last_date: eb.ref('excluded.last_date'),
        record_count: eb.ref('excluded.record_count'),
      })),
    )
    .execute();
}

/**
 * Makes the stored uncertain days equal to the derived ones. Raw, because one statement deletes and upserts what it reads
 * from arrays.
 *
 * @param since the first day to write, if an earlier history in another currency has ended; `null`: all days
 */
export async function writeCertainty(
  em: EntityManager,
  { userId, id }: Account,
  history: BalanceHistory | null,
  since: CalendarDate | null,
): Promise<void> {
  const ranges = history ? certaintyRanges(history).filter(({ certainty }) => certainty !== KNOWN) : [];
  const starts = ranges.map(({ from }) => dateOfDayNumber(from)).join(',');
  const ends = ranges.map(({ until }) => dateOfDayNumber(until)).join(',');
  const levels = ranges.map(({ certainty }) => (certainty === UNKNOWN ? 'unknown' : 'estimated')).join(',');
  await sql`
    with derived as (
      select greatest(start_date, coalesce(${since}::date, '-infinity')) as start_date, end_date, level
      from unnest(${`{${starts}}`}::date[], ${`{${ends}}`}::date[], ${`{${levels}}`}::text[])
        as range(start_date, end_date, level)
      where end_date >= coalesce(${since}::date, '-infinity')
    ), deleted as (
      delete from uncertain_days stored
      where user_id = ${userId} and account_id = ${id} and start_date >= coalesce(${since}::date, '-infinity')
        and not exists (select 1 from derived where derived.start_date = stored.start_date)
    ), cut as (
      update uncertain_days set end_date = ${since}::date - 1
      where user_id = ${userId} and account_id = ${id} and start_date < ${since}::date and end_date >= ${since}::date
    )
    insert into uncertain_days as stored (user_id, account_id, start_date, end_date, level)
    select ${userId}::uuid, ${id}::uuid, start_date, end_date, level from derived
    on conflict (user_id, account_id, start_date) do update set end_date = excluded.end_date, level = excluded.level
    where (stored.end_date, stored.level) is distinct from (excluded.end_date, excluded.level)
  `.execute(em.getKysely());
}
