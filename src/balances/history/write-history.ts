import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../accounts/account.entity.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import { BALANCE_COLUMNS, type BalanceHistory } from '../engine/history.js';
import { type CalendarDate, dateOfDayNumber } from '../../platform/time/calendar-date.js';
import { AMOUNT_NAMES, keepBalanceVersions, type RestatementReason } from '../record/keep-versions.js';

// Raw, because one statement reads the derived days from arrays, keeps the replaced values and upserts the rest.

const columns = (prefix = '') => sql.raw(AMOUNT_NAMES.map((name) => prefix + name).join(', '));
const assignments = sql.raw(AMOUNT_NAMES.map((name) => `${name} = excluded.${name}`).join(', '));

/** The rows derived from an account's facts. */
export interface DerivedRows {
  currency: string;
  /** `null`: no rows. */
  history: BalanceHistory | null;
  /** The first day to write, if an earlier history in another currency has ended; `null`: all days. */
  since: CalendarDate | null;
  /** Why they may differ from the stored history; replaced values are stored with them. */
  reasons: readonly RestatementReason[];
}

/**
 * Makes the stored history equal to the derived one. An unchanged row keeps `updated_at`; every row keeps `id` and
 * `created_at`. Rows in another currency are replaced, never relabelled.
 *
 * @returns how many rows were inserted, updated or deleted
 */
export async function writeHistory(em: EntityManager, account: Account, derived: DerivedRows): Promise<number> {
  const { currency, history, since, reasons } = derived;
  const other = sql`currency <> ${currency} and ${sinceCondition(since)}`;
  const relabelled = history ? await deleteRows(em, account, other, reasons) : NOTHING;
  const stored = history ? await storeRows(em, account, { ...derived, history }) : NOTHING;
  const beyond = sql`${sinceCondition(since)} and ${outsideCondition(history)}`;
  const outside = await deleteRows(em, account, beyond, reasons);
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
  { currency, history, since, reasons }: DerivedRows & { history: BalanceHistory },
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

/** Updates the runs of days with records of an account, after its records changed. Raw, for days as numbers. */
export async function updateBalanceRanges(
  em: EntityManager,
  { userId, id }: Pick<Account, 'userId' | 'id'>,
): Promise<void> {
  const kysely = em.getKysely();
  await sql`delete from balance_spans where user_id = ${userId} and account_id = ${id}`.execute(kysely);
  // Days in a row differ from their number in the currency by the same.
  await sql`
    insert into balance_spans (user_id, account_id, currency, first_date, last_date)
    select user_id, account_id, currency, min(date), max(date)
    from (
      select user_id, account_id, currency, date, date - (row_number() over (partition by currency order by date))::integer as run
      from balances where user_id = ${userId} and account_id = ${id}
    ) days
    group by user_id, account_id, currency, run
  `.execute(kysely);
}
