import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AccountFilterQuery, DateOrder } from '../accounts/account-filter.query.js';
import { PlainPool } from '../../database/plain-pool.js';
import { rawRows } from '../../database/raw-rows.js';
import { validationFailed } from '../../platform/domain-error.js';
import { offsetOf } from '../../http/pagination/page.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { type BalanceRecord, type BalanceRow, RECORD_SQL, SHOWN_RECORD_SQL, toBalanceRow } from './balance.response.js';
import { type RestatementReason, VERSION_ARRAYS } from './keep-versions.js';
import { orderIn } from './balances.repository.js';

const arrays = (prefix: string) => VERSION_ARRAYS.map(({ array }) => prefix + array).join(', ');
const COLUMNS = VERSION_ARRAYS.map(({ column }) => column).join(', ');
const NOTHING = VERSION_ARRAYS.slice(1)
  .map(({ column }) => `null::${column === 'id' ? 'uuid' : column.endsWith('_at') ? 'timestamptz' : 'bigint'}`)
  .join(', ');
/** After every revision: the current record. */
const NOW = '9223372036854775807';

/**
 * Balances as of a revision: for each day the oldest value replaced later, or else the current one. Raw, for
 * arrays that are unnested together. $1 person, $2 revision, then each filter or null: $3 accounts, $4 currencies, $5
 * first and $6 last date.
 */
const AS_OF = `
  with replaced as materialized (
    select r.revision, v.* from balance_versions v
    join revisions r on r.user_id = v.user_id and r.batch_id = v.batch_id
    where v.user_id = $1 and r.revision > $2 and ($3::uuid[] is null or v.account_id = any($3))
      and v.last_date >= coalesce($5::date, '-infinity') and v.first_date <= coalesce($6::date, 'infinity')
  ), candidates as (
    select v.revision, v.part, true as is_there, v.account_id, v.currency, v.flows_factor, v.has_cash, day.*
    from replaced v, unnest(${arrays('v.')}) as day(${COLUMNS})
    union all
    select v.revision, v.part, false, v.account_id, null, null, null, day::date, ${NOTHING}
    from replaced v, unnest(v.absent) span, generate_series(lower(span), upper(span) - 1, '1 day') day
    union all
    select ${NOW}, 0, true, account_id, currency, flows_factor, has_cash, ${COLUMNS}
    from balances where user_id = $1 and ($3::uuid[] is null or account_id = any($3))
  ), matching as (
    select b.* from (
      select distinct on (account_id, date) * from candidates
      where date between coalesce($5::date, '-infinity') and coalesce($6::date, 'infinity')
      order by account_id, date, revision, part
    ) b
    where is_there and ($4::text[] is null or currency = any($4))
  )`;

/** All records. */
const allAsOf = (order: DateOrder = '-date') => `
  ${AS_OF}
  select ${SHOWN_RECORD_SQL}
  from matching b join accounts a on a.user_id = $1 and a.id = b.account_id
  order by ${orderIn(order, 'b')}`;

/** A page and the total; $7 limit, $8 offset. */
const asOfPage = (order: DateOrder = '-date') => `
  ${AS_OF}
  select total.total_count, shown.record, shown.account_name, shown.account_type
  from (select count(*)::float8 as total_count from matching) total
  left join (
    select b.date, b.account_id, ${SHOWN_RECORD_SQL}
    from (select m.* from matching m order by ${orderIn(order, 'm')} limit $7 offset $8) b
    join accounts a on a.user_id = $1 and a.id = b.account_id
  ) shown on true
  order by ${orderIn(order, 'shown')}`;

/** Rounds up to the millisecond, as instants are shown: the list as of a shown instant includes what began then. */
const upToMillisecond = (moment: string) => `date_trunc('milliseconds', ${moment} + interval '999 microseconds')`;

/** The newest revision at a time, and whether it is still known. $1 person, $2 time. */
const REVISION_AT = `
  select $2::timestamptz > now() as is_to_come, $2::timestamptz > now() - interval '5 minutes' as is_recent,
    coalesce(max(revision), 0)::float8 as revision
  from revisions where user_id = $1 and committed_at <= $2 and batch_id is not null`;

/** Waits for whoever has numbered a revision and not committed it: later ones get a later time. $1 person. */
const COMMITTED = `select 1 from user_revisions where user_id = $1 for share`;

/** The replaced values of a day, oldest first. $1 person, $2 account, $3 day. A row without record: there was none. */
const VERSIONS_OF_DAY = `
  select r.revision::float8 as revision, date_part('epoch', ${upToMillisecond('r.committed_at')}) as until, v.reasons, b.record,
    a.name as account_name, a.account_type
  from balance_versions v
  join revisions r on r.user_id = v.user_id and r.batch_id = v.batch_id
  join accounts a on a.user_id = v.user_id and a.id = v.account_id
  left join lateral (
    select ${RECORD_SQL} from (
      select v.account_id, v.currency, v.flows_factor, v.has_cash, day.*
      from unnest(${arrays('v.')}) as day(${COLUMNS}) where day.date = $3
    ) b
  ) b on true
  where v.user_id = $1 and v.account_id = $2 and v.first_date <= $3 and v.last_date >= $3
    and (v.absent @> $3::date or b.record is not null)
  order by r.revision, v.part`;

/** The value of a record during a period. */
export interface BalanceVersion {
  row: BalanceRow;
  /** Seconds since the epoch; `null`: since before versions were stored. */
  from: number | null;
  until: number;
  /** Why the value was replaced. */
  reasons: RestatementReason[];
}

type VersionRow = { revision: number; until: number; reasons: RestatementReason[] } & (
  BalanceRecord | { record: null }
);
type AsOfRow = { total_count: number } & (BalanceRecord | { record: null });

interface RevisionAtRow {
  is_to_come: boolean;
  /** A transaction that has its revision and this time, or an earlier one, may not have been committed yet. */
  is_recent: boolean;
  revision: number;
}

/** Reads the replaced values of balances. */
@Injectable()
export class BalanceVersionsRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: PlainPool,
  ) {}

  /**
   * The list as of a time, in the usual order. The members of accounts are the current ones.
   *
   * @throws DomainError `validation_failed` for a time in the future
   */
  async listPageAsOf(
    userId: string,
    query: AccountFilterQuery,
    moment: string,
  ): Promise<{ rows: BalanceRow[]; totalCount: number }> {
    const values = await this.#valuesAsOf(userId, query, moment);
    const paging = [query.per_page, offsetOf(query)];
    const rows = await rawRows<AsOfRow>(this.em, asOfPage(query.sort), [...values, ...paging]);
    const found = rows.flatMap((read) => (read.record === null ? [] : [toBalanceRow(read.record, () => read)]));
    return { rows: found, totalCount: rows[0]!.total_count };
  }

  /**
   * All records of the same list, in batches. Fails before the first batch is read.
   *
   * @throws DomainError as {@link listPageAsOf}
   */
  async readAllAsOf(
    userId: string,
    query: AccountFilterQuery,
    moment: string,
  ): Promise<AsyncGenerator<BalanceRecord[], void>> {
    const values = await this.#valuesAsOf(userId, query, moment);
    return this.pool.readAll({ text: allAsOf(query.sort), values });
  }

  /** The previous values of the record of a day, newest first. Periods without a record are omitted. */
  async listOfDay(userId: string, accountId: string, day: CalendarDate): Promise<BalanceVersion[]> {
    const rows = await rawRows<VersionRow>(this.em, VERSIONS_OF_DAY, [userId, accountId, day]);
    const versions: BalanceVersion[] = [];
    let before: VersionRow | null = null;
    for (const version of rows) {
      // A value between two statements of one transaction was never visible.
      if (before?.revision === version.revision) continue;
      const { record, until, reasons } = version;
      if (record !== null) {
        versions.push({ row: toBalanceRow(record, () => version), from: before?.until ?? null, until, reasons });
      }
      before = version;
    }
    return versions.reverse();
  }

  async #valuesAsOf(userId: string, query: AccountFilterQuery, moment: string): Promise<unknown[]> {
    const { account_id = null, currency = null, start_date = null, end_date = null } = query;
    return [userId, await this.#revisionAt(userId, moment), account_id, currency, start_date, end_date];
  }

  async #revisionAt(userId: string, moment: string): Promise<number> {
    const revisionAt = () => rawRows<RevisionAtRow>(this.em, REVISION_AT, [userId, moment]);
    const [found] = await revisionAt();
    const { is_to_come, is_recent, revision } = found!;
    if (is_to_come) throw validationFailed(['as_of must not be in the future']);
    if (!is_recent) return revision;
    await rawRows(this.em, COMMITTED, [userId]);
    return (await revisionAt())[0]!.revision;
  }
}
