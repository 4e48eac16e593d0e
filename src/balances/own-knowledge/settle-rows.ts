import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import { analyzeIfMany } from '../../database/insert-rows.js';
import { noteChanges } from '../../database/change-log/note-changes.js';
import type { Account } from '../accounts/account.entity.js';
import type { Correction } from './own-knowledge.entities.js';
import { type CoveredRange, daysOfBank, type ListedRow, type Placed, placeRows, type RowList } from './place-rows.js';

type AccountKey = Pick<Account, 'userId' | 'id'>;

// Raw, because days, amounts and moments are cast, rows come as one array for each column, and one statement finds what a
// correction is now about.

/** What the transactions of an account are put together from, in its currency. */
export interface ListedFacts {
  bank: RowList;
  /** By the ids of imported lists, the latest first. */
  lists: ReadonlyMap<string, RowList>;
  /** Rows that a person has added. */
  added: readonly ListedRow[];
}

/**
 * Makes the account's transactions those of all its lists: rows of files and people are among them where they count, and
 * corrected ones have what the person said. Called before each derivation, so that it holds whatever has changed.
 *
 * @returns whether any is another one now
 */
export async function settleRows(em: EntityManager, account: Account): Promise<boolean> {
  if (!(await hasOwnKnowledge(em, account))) return false;
  await storeStandings(em, account, placeAll(await readListedFacts(em, account)));
  const ids = [
    ...(await takeOutUncounted(em, account)),
    ...(await putInCounted(em, account)),
    ...(await applyCorrections(em, account)),
  ];
  if (ids.length > 0) noteChanges(account.userId, { kind: 'transactions', accountId: account.id, ids });
  return ids.length > 0;
}

/** @param more a list of the highest rank among files that is not stored yet */
export function placeAll({ bank, lists, added }: ListedFacts, more?: RowList): Map<string, Placed> {
  return placeRows([bank, ...(more ? [more] : []), ...lists.values()], added);
}

/** Whether files or a person say, or have said, anything about the account's transactions. */
async function hasOwnKnowledge(em: EntityManager, account: AccountKey): Promise<boolean> {
  const ofAccount = ofAccountOnly(account);
  const { rows } = await sql<{ hasSome: boolean }>`
    select exists (select 1 from own_rows where ${ofAccount}) or exists (select 1 from corrections where ${ofAccount})
      or exists (select 1 from transactions where ${ofAccount} and (
        source <> 'bank' or listed_date is not null or listed_minor is not null or excluded or note is not null
      )) as "hasSome"
  `.execute(em.getKysely());
  return rows[0]!.hasSome;
}

function ofAccountOnly({ userId, id }: AccountKey): RawBuilder<unknown> {
  return sql`user_id = ${userId} and account_id = ${id}`;
}

/** Reads what the bank, files and the person have listed of an account. */
export async function readListedFacts(em: EntityManager, account: Account): Promise<ListedFacts> {
  const kysely = em.getKysely();
  const { currency, covered, transactionsReversedSince: reversed } = account;
  // What was withdrawn and is listed again is known since then.
  const { rows } = await sql<ListedRow>`
    with withdrawn as (
      select transaction_id, max(listed_until) as at from transaction_versions
      where ${ofAccountOnly(account)} and reason = 'withdrawn' group by transaction_id
    ), again as (
      select withdrawn.transaction_id as id, min(v.listed_from) as since
      from withdrawn left join transaction_versions v
        on v.user_id = ${account.userId} and v.transaction_id = withdrawn.transaction_id and v.listed_from >= withdrawn.at
      group by withdrawn.transaction_id
    )
    select t.id::text, (coalesce(listed_date, date) - date '1970-01-01')::float8 as day,
      (coalesce(listed_minor, amount_minor)
        * case when coalesce(listed_from, first_seen_at) > ${reversed}::timestamptz then -1 else 1 end)::float8 as "amountMinor",
      description as text,
      extract(epoch from case when again.id is null then first_seen_at else least(again.since, listed_from) end)::float8 * 1000
        as since
    from transactions t left join again on again.id = t.id
    where ${ofAccountOnly(account)} and source = 'bank' and not pending and currency = ${currency}
    order by day, since, t.id
  `.execute(kysely);
  const { rows: own } = await sql<ListedRow & { listId: string | null }>`
    select id::text, list_id::text as "listId", (o.date - date '1970-01-01')::float8 as day,
      o.amount_minor::float8 as "amountMinor", description as text,
      extract(epoch from o.created_at)::float8 * 1000 as since, coalesce(not c.excluded, false) as "isChosen"
    from own_rows o left join corrections c on c.user_id = o.user_id and c.transaction_id = o.id
    where o.user_id = ${account.userId} and o.account_id = ${account.id} and currency = ${currency}
    order by day, since, id
  `.execute(kysely);
  const { rows: ranges } = await sql<CoveredRange & { id: string }>`
    select id::text, (first_date - date '1970-01-01')::float8 as first, (last_date - date '1970-01-01')::float8 as last
    from imported_lists where ${ofAccountOnly(account)} and first_date is not null order by number desc
  `.execute(kysely);
  const byList = Map.groupBy(own, ({ listId }) => listId);
  return {
    bank: { rows, covered: daysOfBank(covered, rows[0]?.day ?? null) },
    lists: new Map(ranges.map(({ id, ...days }) => [id, { rows: byList.get(id) ?? [], covered: [days] }])),
    added: byList.get(null) ?? [],
  };
}

async function storeStandings(
  em: EntityManager,
  account: AccountKey,
  placed: ReadonlyMap<string, Placed>,
): Promise<void> {
  const standings = [...placed.values()];
  await sql`
    update own_rows o set standing = placed.standing, paired_with = placed.paired_with
    from unnest(
      ${[...placed.keys()]}::uuid[],
      ${standings.map(({ standing }) => standing)}::text[],
      ${standings.map(({ pairedWith }) => pairedWith)}::uuid[]
    ) as placed (id, standing, paired_with)
    where ${ofAccountOnly(account)} and o.id = placed.id
      and (o.standing, o.paired_with) is distinct from (placed.standing, placed.paired_with)
  `.execute(em.getKysely());
}

/** @returns the ids of transactions of files and people that do not count any more */
async function takeOutUncounted(em: EntityManager, account: AccountKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from transactions t where ${ofAccountOnly(account)} and source <> 'bank' and not exists (
      select 1 from own_rows o
      where o.user_id = t.user_id and o.account_id = t.account_id and o.id = t.id and o.standing = 'counted'
    ) returning id::text
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}

/** @returns the ids of rows of files and people that are among the transactions from now on, or that their person has changed */
async function putInCounted(em: EntityManager, account: AccountKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into transactions as t (user_id, account_id, id, external_id, source, date, amount_minor, currency, description,
      merchant, pending, first_seen_at, created_at)
    select user_id, account_id, id, 'own ' || id, case when list_id is null then 'person' else 'file' end, date, amount_minor,
      currency, description, merchant, false, created_at, created_at
    from own_rows where ${ofAccountOnly(account)} and standing = 'counted'
    on conflict (user_id, account_id, id) do update set date = excluded.date, amount_minor = excluded.amount_minor,
      listed_date = null, listed_minor = null, updated_at = transaction_timestamp()
    where (coalesce(t.listed_date, t.date), coalesce(t.listed_minor, t.amount_minor)) <> (excluded.date, excluded.amount_minor)
    returning id::text
  `.execute(em.getKysely());
  await analyzeIfMany(em, 'transactions', rows.length);
  return rows.map(({ id }) => id);
}

/**
 * All that corrections are or were about: a transaction may be listed as another one later, and a row of a file or a person be
 * paired with another. The first that is listed is what a correction is about now; until then it is open.
 */
export const correctedIds = ({ userId, id }: AccountKey) => sql`
  recursive about as (
    select transaction_id, transaction_id as id, true as is_open, 0 as hops
    from corrections where user_id = ${userId} and account_id = ${id}
    union all
    select about.transaction_id, next.id, is_open and not exists (
      select 1 from transactions t where t.user_id = ${userId} and t.account_id = ${id} and t.id = about.id
    ), hops + 1
    from about
    left join own_rows o on o.user_id = ${userId} and o.account_id = ${id} and o.id = about.id
    cross join lateral (
      select coalesce(o.paired_with, (
        select replaced_by from transaction_versions v
        where v.user_id = ${userId} and v.transaction_id = about.id and replaced_by is not null
        order by listed_until desc limit 1
      )) as id
    ) next
    where hops < 8 and next.id is not null
  )`;

/** A correction that is about a transaction, whichever it was made of. */
export interface FoundCorrection extends Pick<
  Correction,
  'transactionId' | 'date' | 'amountMinor' | 'excluded' | 'note'
> {
  /** Seconds since the epoch. */
  createdAt: number;
  updatedAt: number;
}

/** What a person says of a transaction: the newest counts. */
export async function findCorrections(em: EntityManager, account: AccountKey, id: string): Promise<FoundCorrection[]> {
  const { rows } = await sql<FoundCorrection>`
    with ${correctedIds(account)}
    select c.transaction_id::text as "transactionId", c.date::text as date, c.amount_minor::float8 as "amountMinor",
      c.excluded, c.note, date_part('epoch', c.created_at) as "createdAt", date_part('epoch', c.updated_at) as "updatedAt"
    from about join corrections c on c.user_id = ${account.userId} and c.transaction_id = about.transaction_id
    where about.id = ${id} and is_open order by c.updated_at desc
  `.execute(em.getKysely());
  return rows;
}

/** @returns the ids of transactions that look different now */
async function applyCorrections(em: EntityManager, account: AccountKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with ${correctedIds(account)}, corrected as (
      select distinct on (about.id) about.id, c.date, c.amount_minor, c.excluded, c.note
      from about join corrections c on c.user_id = ${account.userId} and c.transaction_id = about.transaction_id
      where is_open
      order by about.id, c.updated_at desc
    ), said as (
      select t.id, coalesce(c.date, t.listed_date, t.date) as date,
        case when c.date is not null then coalesce(t.listed_date, t.date) end as listed_date,
        coalesce(c.amount_minor, t.listed_minor, t.amount_minor) as amount_minor,
        case when c.amount_minor is not null then coalesce(t.listed_minor, t.amount_minor) end as listed_minor,
        coalesce(c.excluded, false) as excluded, c.note
      from transactions t left join corrected c on c.id = t.id
      where t.user_id = ${account.userId} and t.account_id = ${account.id}
        and (c.id is not null or t.listed_date is not null or t.listed_minor is not null or t.excluded or t.note is not null)
    )
    update transactions t set date = said.date, listed_date = said.listed_date, amount_minor = said.amount_minor,
      listed_minor = said.listed_minor, excluded = said.excluded, note = said.note, updated_at = transaction_timestamp()
    from said
    where t.user_id = ${account.userId} and t.account_id = ${account.id} and t.id = said.id
      and (t.date, t.listed_date, t.amount_minor, t.listed_minor, t.excluded, t.note)
        is distinct from (said.date, said.listed_date, said.amount_minor, said.listed_minor, said.excluded, said.note)
    returning t.id::text
  `.execute(em.getKysely());
  return rows.map(({ id }) => id);
}
