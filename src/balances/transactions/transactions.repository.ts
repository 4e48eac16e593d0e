import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type Expression, expressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';
import { atOneMoment } from '../../database/one-moment.js';
import { PlainPool } from '../../database/plain-pool.js';
import { offsetOf, type PageQuery } from '../../http/pagination/page.js';
import type { ListTransactionsQuery } from '../accounts/account-filter.query.js';
import { findCorrections } from '../own-knowledge/settle-rows.js';
import {
  type EndedVersionRow,
  type ListedRow,
  toTransactionRecordResponse,
  type TransactionRecordResponse,
  type UncountedRow,
} from './transaction-record.response.js';
import type { Transaction } from './transaction.entity.js';
import type { TransactionRow } from './transaction.response.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';

type Tables = InferClassEntityDB<typeof Transaction>;

/** Which transactions, in which order. */
type Wanted = Omit<ListTransactionsQuery, keyof PageQuery>;

// Raw, because sort keys are compared as rows, and days, amounts and instants are cast.

/** The columns of a {@link TransactionRow} that a transaction and its versions share. */
const FACTS = sql`t.date::text as date, t.currency, t.description, t.merchant, t.account_id, a.name as account_name`;

/** What the bank lists in the holder's view, whatever its sign. @param listedFrom since when it is listed */
const heldMinor = (minor: RawBuilder<unknown>, listedFrom: RawBuilder<unknown>) =>
  sql<number>`(case when ${listedFrom} > a.transactions_reversed_since then -${minor} else ${minor} end)::float8`;

const LISTED_FROM = sql`coalesce(t.listed_from, t.first_seen_at)`;
const LISTED_MINOR = sql`coalesce(t.listed_minor, t.amount_minor)`;
/** Files and people have no sign of their own. */
const HELD_AS_LISTED = sql`case when t.source = 'bank' then ${heldMinor(LISTED_MINOR, LISTED_FROM)} else ${LISTED_MINOR}::float8 end`;
/** The amount of a transaction `t` of an account `a` as its holder sees it, a correction included. */
export const HELD = sql<number>`case when t.listed_minor is null then ${HELD_AS_LISTED} else t.amount_minor::float8 end`;

const CURRENT = sql`t.id, t.pending, ${HELD} as amount_minor, ${LISTED_MINOR}::float8 as reported_minor,
  coalesce(t.listed_date, t.date)::text as reported_date, ${FACTS}, t.source, t.excluded, t.note,
  t.excluded or coalesce(t.listed_date <> t.date, false) or ${HELD} <> ${HELD_AS_LISTED} as corrected,
  date_part('epoch', t.created_at) as created_at, date_part('epoch', t.updated_at) as updated_at`;

const FROM_CURRENT = sql`from transactions t join accounts a on a.user_id = t.user_id and a.id = t.account_id`;

/** The default order and, read backwards, the other. */
const NEWEST_FIRST = sql`t.date desc, t.account_id, t.id`;
const OLDEST_FIRST = sql`t.date, t.account_id desc, t.id desc`;

/** By day, then in a fixed order. */
function matchingTransactions(userId: string, query: Wanted): RawBuilder<unknown> {
  return sql`
    select ${CURRENT} ${FROM_CURRENT} where ${transactionConditions(userId, query)} order by ${orderOf(query)}`;
}

/**
 * The next transactions after a position. They are selected before the join, because PostgreSQL underestimates the join
 * and would read and sort all remaining rows.
 *
 * @param after the sort key of the last record read; `null`: from the beginning
 */
function nextTransactions(
  userId: string,
  query: Wanted,
  after: TransactionPlace | null,
  limit: number,
): RawBuilder<TransactionRow> {
  const afterCondition = after ? sql`and ${afterPlace(after, query)}` : sql``;
  const order = orderOf(query);
  return sql`
    select ${CURRENT} from (
      select t.* from transactions t where ${transactionConditions(userId, query)} ${afterCondition} order by ${order} limit ${limit}
    ) t join accounts a on a.user_id = ${userId} and a.id = t.account_id order by ${order}`;
}

function orderOf({ sort }: Wanted): RawBuilder<unknown> {
  return sort === 'date' ? OLDEST_FIRST : NEWEST_FIRST;
}

/** The sort key of a transaction. */
export type TransactionPlace = readonly [date: CalendarDate, accountId: string, id: string];

/** The first comparison uses the index; the second excludes the part of that day already read. */
function afterPlace([date, accountId, id]: TransactionPlace, { sort }: Wanted): RawBuilder<unknown> {
  const others = sql`(${accountId}::uuid, ${id}::uuid)`;
  return sort === 'date'
    ? sql`t.date >= ${date} and not (t.date = ${date} and (t.account_id, t.id) >= ${others})`
    : sql`t.date <= ${date} and not (t.date = ${date} and (t.account_id, t.id) <= ${others})`;
}

const eb = expressionBuilder<{ t: Tables['transactions'] }, 't'>();

function transactionConditions(userId: string, query: Wanted): Expression<SqlBool> {
  const { account_id, currency, start_date, end_date, pending, excluded, source, search, updated_since } = query;
  const all: Expression<SqlBool>[] = [eb('t.user_id', '=', userId)];
  if (account_id) all.push(eb('t.account_id', '=', eb.fn.any(eb.val(account_id))));
  if (currency) all.push(eb('t.currency', '=', eb.fn.any(eb.val(currency))));
  if (start_date) all.push(eb('t.date', '>=', start_date));
  if (end_date) all.push(eb('t.date', '<=', end_date));
  if (pending !== undefined) all.push(eb('t.pending', '=', pending));
  if (excluded !== undefined) all.push(eb('t.excluded', '=', excluded));
  if (source) all.push(eb('t.source', '=', source));
  if (updated_since) all.push(sql`t.updated_at::timestamptz(3) >= ${updated_since}::timestamptz`);
  for (const word of search?.split(/\s+/) ?? []) {
    const pattern = `%${word.replace(/[\\%_]/g, '\\$&')}%`;
    all.push(eb.or([eb('t.description', 'ilike', pattern), eb('t.merchant', 'ilike', pattern)]));
  }
  return eb.and(all);
}

/** All pending transactions in one currency, but those that a person has left out. */
export interface PendingTotal {
  currency: string;
  count: number;
  amountMinor: number;
}

/** The first of them, and how many there are. */
export interface NewTransactions {
  rows: readonly TransactionRow[];
  count: number;
}

/** The last time that a person looked. */
export interface Visit {
  at: Date;
  /** In the person's timezone. */
  day: CalendarDate;
}

interface LargestWanted {
  from: CalendarDate;
  to: CalendarDate;
  currency: string;
  accountIds: readonly string[];
}

export interface LargestOfDay {
  day: CalendarDate;
  name: string;
  minor: number;
}

/** Three years of days. */
const MAX_LARGEST = 1_100;

/** Reads transactions. */
@Injectable()
export class TransactionsRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: PlainPool,
  ) {}

  /** By day, then in a fixed order. */
  listPage(userId: string, query: ListTransactionsQuery): Promise<{ rows: TransactionRow[]; totalCount: number }> {
    return atOneMoment(this.em, async (em) => {
      const totalCount = await count(em, userId, query);
      const { rows } = await sql<TransactionRow>`
        ${matchingTransactions(userId, query)} limit ${query.per_page} offset ${offsetOf(query)}
      `.execute(em.getKysely());
      return { rows, totalCount };
    });
  }

  /** Keyset pagination: the cost does not grow with the position. Only the first page counts the whole list. */
  readOn(
    userId: string,
    query: ListTransactionsQuery,
    after: TransactionPlace | null,
    knownCount: number | null,
  ): Promise<{ rows: TransactionRow[]; hasMore: boolean; totalCount: number }> {
    return atOneMoment(this.em, async (em) => {
      const totalCount = knownCount ?? (await count(em, userId, query));
      const { rows } = await nextTransactions(userId, query, after, query.per_page + 1).execute(em.getKysely());
      return { rows: rows.slice(0, query.per_page), hasMore: rows.length > query.per_page, totalCount };
    });
  }

  async findByIds(userId: string, ids: readonly string[]): Promise<TransactionRow[]> {
    const { rows } = await sql<TransactionRow>`
      select ${CURRENT} ${FROM_CURRENT} where t.user_id = ${userId} and t.id = any(${[...ids]}::uuid[]) order by t.id
    `.execute(this.em.getKysely());
    return rows;
  }

  /** Transactions of one account after a day and an id, oldest first; `null`: from the beginning. */
  async listAfter(
    userId: string,
    accountId: string,
    { day, id, limit }: { day: CalendarDate | null; id: string | null; limit: number },
  ): Promise<TransactionRow[]> {
    const { rows } = await sql<TransactionRow>`
      select ${CURRENT} ${FROM_CURRENT} where t.user_id = ${userId} and t.account_id = ${accountId}
        and (${day}::date is null or (t.date, t.id) > (${day}::date, ${id}::uuid))
      order by t.date, t.id limit ${limit}
    `.execute(this.em.getKysely());
    return rows;
  }

  /** @param accountIds `null`: of all accounts */
  async pendingTotals(userId: string, accountIds: readonly string[] | null): Promise<PendingTotal[]> {
    const { rows } = await sql<PendingTotal>`
      select t.currency, count(*)::float8 as count, sum(${HELD}) as "amountMinor" ${FROM_CURRENT}
      where t.user_id = ${userId} and t.pending and not t.excluded and (${accountIds}::uuid[] is null or t.account_id = any(${accountIds}::uuid[]))
      group by t.currency order by count desc, t.currency
    `.execute(this.em.getKysely());
    return rows;
  }

  /**
   * What banks list for the first time since a visit, pending first. What is older in an account that came later is no news.
   *
   * @param visit `null`: all that is known
   * @param from the first day
   */
  async listNew(userId: string, visit: Visit | null, from: CalendarDate, limit: number): Promise<NewTransactions> {
    const { at, day } = visit ?? { at: null, day: null };
    const { rows } = await sql<TransactionRow & { total: number }>`
      select ${CURRENT}, (count(*) over ())::float8 as total ${FROM_CURRENT}
      where t.user_id = ${userId} and t.date >= ${from} and not t.excluded
        and (${at}::timestamptz is null or t.first_seen_at > ${at} and t.source = 'bank'
          and (a.created_at <= ${at} or t.date >= ${day}::date))
      order by t.pending desc, ${NEWEST_FIRST} limit ${limit}
    `.execute(this.em.getKysely());
    return { rows, count: rows[0]?.total ?? 0 };
  }

  /** The largest posted transaction of each day, newest first. What a person has left out is none. */
  async largestOfDays(userId: string, { from, to, currency, accountIds }: LargestWanted): Promise<LargestOfDay[]> {
    const { rows } = await sql<LargestOfDay>`
      select distinct on (t.date) t.date::text as day, left(coalesce(t.merchant, t.description), 60) as name, ${HELD} as minor
      ${FROM_CURRENT}
      where t.user_id = ${userId} and not t.pending and not t.excluded and t.currency = ${currency}
        and t.date between ${from}::date and ${to}::date
        and t.account_id = any(${[...accountIds]}::uuid[])
      order by t.date desc, abs(t.amount_minor) desc, t.id limit ${MAX_LARGEST}
    `.execute(this.em.getKysely());
    return rows;
  }

  /** One transaction, listed or not, with its versions and what a person says of it. */
  async findRecord(userId: string, id: string): Promise<TransactionRecordResponse | null> {
    const kysely = this.em.getKysely();
    const { rows: listed } = await sql<ListedRow>`
      select ${CURRENT}, ${HELD_AS_LISTED} as listed_minor, date_part('epoch', ${LISTED_FROM}) as listed_from ${FROM_CURRENT}
      where t.user_id = ${userId} and t.id = ${id}
    `.execute(kysely);
    const { rows: ended } = await sql<EndedVersionRow>`
      select t.transaction_id as id, false as pending, ${heldMinor(sql`t.amount_minor`, sql`t.listed_from`)} as amount_minor,
        t.amount_minor::float8 as reported_minor, t.date::text as reported_date, ${FACTS}, 'bank' as source, false as excluded,
        null as note, false as corrected, date_part('epoch', t.transaction_created_at) as created_at,
        date_part('epoch', t.listed_until) as updated_at, date_part('epoch', t.listed_from) as listed_from,
        date_part('epoch', t.listed_until) as listed_until, t.reason, t.replaced_by
      from transaction_versions t join accounts a on a.user_id = t.user_id and a.id = t.account_id
      where t.user_id = ${userId} and t.transaction_id = ${id}
      order by t.listed_until desc, t.listed_from desc, t.id
    `.execute(kysely);
    // A row that does not count is in no list but that of its file.
    const { rows: uncounted } = await sql<UncountedRow>`
      select t.id, false as pending, t.amount_minor::float8 as amount_minor, t.amount_minor::float8 as reported_minor,
        t.date::text as reported_date, ${FACTS}, case when t.list_id is null then 'person' else 'file' end as source,
        false as excluded, null as note, false as corrected, date_part('epoch', t.created_at) as created_at,
        date_part('epoch', t.created_at) as updated_at, t.paired_with as replaced_by
      from own_rows t join accounts a on a.user_id = t.user_id and a.id = t.account_id
      where t.user_id = ${userId} and t.id = ${id} and t.standing <> 'counted'
    `.execute(kysely);
    const row = listed[0] ?? ended[0] ?? uncounted[0];
    if (!row) return null;
    const [correction = null] = await findCorrections(this.em, { userId, id: row.account_id }, id);
    return toTransactionRecordResponse({ listed: listed[0], ended, uncounted: uncounted[0], correction });
  }

  /** All transactions of a filter in batches, in the order of the pages. */
  readAll(userId: string, query: Wanted): AsyncGenerator<TransactionRow[], void> {
    const { sql: text, parameters } = matchingTransactions(userId, query).compile(this.em.getKysely());
    return this.pool.readAll<TransactionRow>({ text, values: parameters });
  }
}

async function count(em: EntityManager, userId: string, query: Wanted): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::float8 as total from transactions t where ${transactionConditions(userId, query)}
  `.execute(em.getKysely());
  return rows[0]!.total;
}
