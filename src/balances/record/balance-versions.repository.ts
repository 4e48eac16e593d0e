import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import type { AccountFilterQuery } from '../../accounts/account-filter.query.js';
import { readByCursor } from '../../database/cursor.js';
import { validationFailed } from '../../errors/domain-error.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { type BalanceRecord, toBalanceRow } from './balance-record.js';
import type { BalanceRow } from './to-balance-response.js';
import type { RestatementReason } from '../versions/restatement-reason.js';
import { allAsOf, asOfPage, REVISION_AT, VERSIONS_OF_DAY } from './version-statements.js';

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
  /** `null`: every version was stored from the beginning. */
  is_too_early: boolean | null;
  kept_since: Date | string | null;
  revision: number;
}

/** Reads the replaced values of balances. */
@Injectable()
export class BalanceVersionsRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * The list as of a time, in the usual order. The members of accounts are the current ones.
   *
   * @throws DomainError `validation_failed` for a time in the future or before the first stored version
   */
  async listPageAsOf(
    userId: string,
    query: AccountFilterQuery,
    moment: string,
  ): Promise<{ rows: BalanceRow[]; totalCount: number }> {
    const values = await this.#valuesAsOf(userId, query, moment);
    const paging = [query.per_page, (query.page - 1) * query.per_page];
    const rows = await this.#query<AsOfRow>(asOfPage(query.sort), [...values, ...paging]);
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
    return readByCursor(this.em, { text: allAsOf(query.sort), values });
  }

  /** The previous values of the record of a day, newest first. Periods without a record are omitted. */
  async listOfDay(userId: string, accountId: string, day: CalendarDate): Promise<BalanceVersion[]> {
    const rows = await this.#query<VersionRow>(VERSIONS_OF_DAY, [userId, accountId, day]);
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
    const [found] = await this.#query<RevisionAtRow>(REVISION_AT, [userId, moment]);
    const { is_to_come, is_too_early, kept_since, revision } = found!;
    if (is_to_come) throw validationFailed(['as_of must not be in the future']);
    if (is_too_early) {
      throw validationFailed([
        `as_of must not be before ${new Date(kept_since!).toISOString()}, since when this is kept`,
      ]);
    }
    return revision;
  }

  async #query<Row extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<Row[]> {
    const pool = await this.em.getConnection().getNativeClient();
    const { rows } = await pool.query<Row>(text, [...values]);
    return rows;
  }
}
