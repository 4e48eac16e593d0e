import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { type ListSource, ListReads } from '../../change-log/list-reads.js';
import type { ListTransactionsQuery } from './list-transactions.query.js';
import { toTransactionRecordResponse, type TransactionRecordResponse } from './transaction-record.response.js';
import type { Transaction } from './transaction.entity.js';
import type { TransactionRow } from './transaction.response.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import {
  matchingTransactions,
  nextTransactions,
  transactionById,
  transactionConditions,
  transactionsAfter,
  transactionsByIds,
  type TransactionPlace,
  versionsOf,
} from './transaction-statements.js';

/** All pending transactions in one currency. */
export interface PendingTotal {
  currency: string;
  count: number;
  amountMinor: number;
}

/** Reads transactions. Raw, like the parts of `transaction-statements.ts` that it joins. */
@Injectable()
export class TransactionsRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly reads: ListReads,
  ) {}

  /** By day, then in a fixed order. */
  listPage(userId: string, query: ListTransactionsQuery): Promise<{ rows: TransactionRow[]; totalCount: number }> {
    return this.reads.page(userId, async (source) => {
      const totalCount = await count(source, userId, query);
      const { rows } = await sql<TransactionRow>`
        ${matchingTransactions(userId, query)} limit ${query.per_page} offset ${(query.page - 1) * query.per_page}
      `.execute(source.kysely());
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
    return this.reads.page(userId, async (source) => {
      const totalCount = knownCount ?? (await count(source, userId, query));
      const { rows } = await nextTransactions(userId, query, after, query.per_page + 1).execute(source.kysely());
      return { rows: rows.slice(0, query.per_page), hasMore: rows.length > query.per_page, totalCount };
    });
  }

  async findByIds(userId: string, ids: readonly string[]): Promise<TransactionRow[]> {
    const { rows } = await transactionsByIds(userId, ids).execute(this.em.getKysely());
    return rows;
  }

  /** Transactions of one account after a day and an id, oldest first; `null`: from the beginning. */
  async listAfter(
    userId: string,
    accountId: string,
    after: { day: CalendarDate | null; id: string | null; limit: number },
  ): Promise<TransactionRow[]> {
    const { rows } = await transactionsAfter(userId, accountId, after).execute(this.em.getKysely());
    return rows;
  }

  /** @param accountId `null`: of all accounts */
  async pendingTotals(userId: string, accountId: string | null): Promise<PendingTotal[]> {
    const rows = await this.em
      .getKysely<InferClassEntityDB<typeof Transaction>>()
      .selectFrom('transactions')
      .select(({ fn }) => [
        'currency',
        fn.countAll<string>().as('count'),
        fn.sum<string>('amount_minor').as('amount_minor'),
      ])
      .where('user_id', '=', userId)
      .where('pending', '=', true)
      .$if(accountId !== null, (transactions) => transactions.where('account_id', '=', accountId!))
      .groupBy('currency')
      .orderBy('count', 'desc')
      .orderBy('currency')
      .execute();
    return rows.map(({ currency, count, amount_minor }) => ({
      currency,
      count: Number(count),
      amountMinor: Number(amount_minor),
    }));
  }

  /** One transaction, listed or not, with its versions. */
  async findRecord(userId: string, id: string): Promise<TransactionRecordResponse | null> {
    const kysely = this.em.getKysely();
    const { rows: listed } = await transactionById(userId, id).execute(kysely);
    const { rows: ended } = await versionsOf(userId, id).execute(kysely);
    return toTransactionRecordResponse(listed[0] ?? null, ended);
  }

  /** All transactions of a filter in batches, in the order of the pages. */
  readAll(userId: string, query: ListTransactionsQuery): AsyncGenerator<TransactionRow[], void> {
    const { sql: text, parameters } = matchingTransactions(userId, query).compile(this.em.getKysely());
    return this.reads.all<TransactionRow>(userId, { text, values: parameters });
  }
}

async function count(source: ListSource, userId: string, query: ListTransactionsQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::float8 as total from transactions t where ${transactionConditions(userId, query)}
  `.execute(source.kysely());
  return rows[0]?.total ?? 0;
}
