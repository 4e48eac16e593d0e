import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Revisions } from '../../http/conditional-get/revisions.js';
import { atOneMoment } from '../../database/one-moment.js';
import type { AccountFilterQuery, DateOrder } from '../accounts/account-filter.query.js';
import { PlainPool } from '../../database/plain-pool.js';
import { rawRows } from '../../database/raw-rows.js';
import { offsetOf } from '../../http/pagination/page.js';
import { DomainError } from '../../platform/domain-error.js';
import { type CalendarDate, dayNumber } from '../../platform/time/calendar-date.js';
import { type BalanceRecord, type BalanceRow, RECORD_SQL, SHOWN_RECORD_SQL, toBalanceRow } from './balance.response.js';
import { type AccountRange, BalanceRangeIndex } from './balance-range-index.js';
import { countBefore, countRecords, type PageRange, rangeOfPage } from './page-of-days.js';
import { REVISION_SQL } from '../../http/conditional-get/user-revisions.js';

const WITH_ACCOUNT = `balances b join accounts a on a.user_id = b.user_id and a.id = b.account_id`;

/** Raw, because prepared statements are text. $1 person, $2 id. */
const BY_ID = {
  name: 'balance-by-id',
  text: `select ${SHOWN_RECORD_SQL} from ${WITH_ACCOUNT} where b.user_id = $1 and b.id = $2`,
};

/** $1 person, $2 account, $3 first and $4 last day (null: none), $5 number of records. */
const DAYS_OF_ACCOUNT = `
  select ${SHOWN_RECORD_SQL} from ${WITH_ACCOUNT}
  where b.user_id = $1 and b.account_id = $2
    and b.date between coalesce($3::date, '-infinity') and coalesce($4::date, 'infinity')
  order by b.date limit $5`;

const rangeOf = (accounts: string) => `
  select ${RECORD_SQL}, ${REVISION_SQL}
  from balances b
  where b.user_id = $1 and b.date between date '1970-01-01' + $2::integer and date '1970-01-01' + $3::integer ${accounts}
  order by b.date desc, b.account_id offset $4 limit $5`;

/**
 * The records of a page and their revision, for all accounts or some. $1 person, $2 oldest and $3 newest day, counted
 * from 1970-01-01, $4 offset, $5 limit; $6 accounts, $7 currencies.
 */
export const RANGE_OF_ALL = { name: 'balances-of-all', text: rangeOf('') };
const RANGE_OF_SOME = {
  name: 'balances-of-some',
  text: rangeOf('and b.account_id = any($6::uuid[]) and b.currency = any($7::text[])'),
};

const MATCHES = `
  b.user_id = $1 and ($2::uuid[] is null or b.account_id = any($2)) and ($3::text[] is null or b.currency = any($3))
  and ($4::date is null or b.date >= $4) and ($5::date is null or b.date <= $5)
  and ($6::timestamptz is null or b.updated_at::timestamptz(3) >= $6)`;

/** The sort order of a table's records. */
export function orderIn(order: DateOrder, table: string): string {
  return order === 'date' ? `${table}.date, ${table}.account_id desc` : `${table}.date desc, ${table}.account_id`;
}

/** All records of a filter. $1 person, then each filter or null: $2 accounts, $3 currencies, $4 first and $5 last date, $6 time. */
function allBalances(order: DateOrder): string {
  return `
    select ${SHOWN_RECORD_SQL} from ${WITH_ACCOUNT} where ${MATCHES} order by ${orderIn(order, 'b')}`;
}

/** How often a sync may write between the two reads of a list. */
const MAX_ATTEMPTS = 10;

/** Records of a filter, or only those that were written since a time. */
type WrittenBalances = AccountFilterQuery & { updated_since?: string };

interface BalancePage {
  rows: BalanceRow[];
  totalCount: number;
  hasMore: boolean;
  revision: string;
}

/** The sort key of a record. */
export type BalancePlace = readonly [date: CalendarDate, accountId: string];

/** A record without the members of its account, which the range index has. */
interface RecordRow {
  record: string;
  revision: string;
}

/** Reads balance records. Lists are SQL; entities would cost many times as much. */
@Injectable()
export class BalancesRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: PlainPool,
    private readonly ranges: BalanceRangeIndex,
    private readonly revisions: Revisions,
  ) {}

  /**
   * Newest day first, accounts of one day in the order of their ids, so that pages neither overlap nor skip;
   * `sort=date` reverses it. The account ranges determine which records a page has and how many there are. One
   * statement reads only the records of the page and checks that the ranges are current.
   *
   * @param after the sort key of the last record read, in place of a page number; `null`: the page number counts
   */
  async listPage(userId: string, query: AccountFilterQuery, after: BalancePlace | null = null): Promise<BalancePage> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const { revision, ranges, accounts } = await this.ranges.get(userId);
      const matching = ranges.flatMap((accountRange) => clip(accountRange, query));
      const part = partOf(matching, query, after);
      const range = rangeOfPage(matching, part.newestFirst, part.count);
      const found = await this.#readRange(userId, range, matching.length < ranges.length ? matching : null);
      if (found.revision !== revision) {
        this.ranges.forget(userId);
        continue;
      }
      const rows = found.rows.map(({ record }) => toBalanceRow(record, (id) => accounts.get(id)!));
      if (orderOf(query) === 'date') rows.reverse();
      return { rows, totalCount: countRecords(matching), hasMore: part.hasMore, revision };
    }
    throw new DomainError('unavailable', 'The balances change faster than they can be read. Try again later.');
  }

  /** A page of the records that were written lately. The ranges do not tell which these are, so they are counted. */
  listUpdated(userId: string, query: WrittenBalances): Promise<{ rows: BalanceRow[]; totalCount: number }> {
    return atOneMoment(this.em, async (em) => {
      const values = valuesOf(userId, query);
      const counted = await rawRows<{ total: number }>(
        em,
        `select count(*)::float8 as total from balances b where ${MATCHES}`,
        values,
      );
      const text = `${allBalances(orderOf(query))} limit $7 offset $8`;
      const rows = await rawRows<BalanceRecord>(em, text, [...values, query.per_page, offsetOf(query)]);
      return { rows: rows.map((read) => toBalanceRow(read.record, () => read)), totalCount: counted[0]!.total };
    });
  }

  /** All records of a filter in batches, in the order of the pages. */
  readAll(userId: string, query: WrittenBalances): AsyncGenerator<BalanceRecord[], void> {
    return this.pool.readAll({ text: allBalances(orderOf(query)), values: valuesOf(userId, query) });
  }

  /** Records of one account, oldest day first; `null`: unbounded. Reads in the caller's transaction. */
  async listDays(
    userId: string,
    accountId: string,
    { from, to, limit }: { from: CalendarDate | null; to: CalendarDate | null; limit: number },
  ): Promise<BalanceRow[]> {
    const rows = await rawRows<BalanceRecord>(this.em, DAYS_OF_ACCOUNT, [userId, accountId, from, to, limit]);
    return rows.map((read) => toBalanceRow(read.record, () => read));
  }

  async findById(userId: string, id: string): Promise<BalanceRow | null> {
    const [read] = await this.pool.query<BalanceRecord>(BY_ID, [userId, id]);
    return read ? toBalanceRow(read.record, () => read) : null;
  }

  /** @param some the ranges of the records; `null`: all */
  async #readRange(userId: string, range: PageRange | null, some: readonly AccountRange[] | null) {
    if (!range) return { rows: [], revision: await this.revisions.readRevision(userId) };
    const { newestDay, oldestDay, before, count } = range;
    const page = [userId, oldestDay, newestDay, before, count];
    const filter = some && [some.map(({ accountId }) => accountId), some.map(({ currency }) => currency)];
    const rows = await this.pool.query<RecordRow>(filter ? RANGE_OF_SOME : RANGE_OF_ALL, [...page, ...(filter ?? [])]);
    return { rows, revision: rows[0]?.revision ?? null };
  }
}

function valuesOf(userId: string, query: WrittenBalances): unknown[] {
  const { account_id = null, currency = null, start_date = null, end_date = null, updated_since = null } = query;
  return [userId, account_id, currency, start_date, end_date, updated_since];
}

function orderOf({ sort = '-date' }: AccountFilterQuery): DateOrder {
  return sort;
}

/** The part of the matching records that a query asks for: how many, and how many newer ones precede them. */
function partOf(matching: readonly AccountRange[], query: AccountFilterQuery, after: BalancePlace | null) {
  const total = countRecords(matching);
  const isNewestFirst = orderOf(query) === '-date';
  const place = after && { day: dayNumber(after[0]), accountId: after[1] };
  const newer = place && countBefore(matching, place, isNewestFirst);
  const offset = newer === null ? offsetOf(query) : isNewestFirst ? newer : total - newer;
  const count = Math.max(0, Math.min(query.per_page, total - offset));
  return { count, newestFirst: isNewestFirst ? offset : total - offset - count, hasMore: offset + count < total };
}

/** The part of a range within the filter. */
function clip(range: AccountRange, { account_id, currency, start_date, end_date }: AccountFilterQuery): AccountRange[] {
  if (account_id && !account_id.some((id) => id.toLowerCase() === range.accountId)) return [];
  if (currency && !currency.includes(range.currency)) return [];
  const firstDay = start_date ? Math.max(range.firstDay, dayNumber(start_date)) : range.firstDay;
  const lastDay = end_date ? Math.min(range.lastDay, dayNumber(end_date)) : range.lastDay;
  return firstDay <= lastDay ? [{ ...range, firstDay, lastDay }] : [];
}
