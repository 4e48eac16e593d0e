import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { CompiledQuery, type Kysely } from 'kysely';
import type { QueryResultRow } from 'pg';
import { readByCursor, type Statement } from '../database/cursor.js';
import { type PreparedStatement, PreparedStatements } from '../database/prepared.js';
import { atOneMoment } from '../database/one-moment.js';

/** What a list is read from. */
export interface ListSource {
  kysely<Tables>(): Kysely<Tables>;
  query<Row extends QueryResultRow>(statement: PreparedStatement, values: readonly unknown[]): Promise<Row[]>;
}

/** Reads lists and exports. In a transaction of the caller it reads there. */
@Injectable()
export class ListReads {
  /** Of one statement, or of several that need not be of one moment. */
  readonly source: ListSource;

  constructor(
    private readonly em: EntityManager,
    prepared: PreparedStatements,
  ) {
    this.source = {
      kysely: <Tables>() => em.getKysely() as unknown as Kysely<Tables>,
      query: (statement, values) => prepared.query(statement, values),
    };
  }

  /** Several statements that read one moment: a total and the rows that it counts. */
  page<T>(read: (source: ListSource) => Promise<T>): Promise<T> {
    return atOneMoment(this.em, (em) => read(sourceIn(em.getKysely() as unknown as Kysely<unknown>)));
  }

  /** The rows of a statement in batches. */
  all<Row extends QueryResultRow>(statement: Statement): AsyncGenerator<Row[], void> {
    return readByCursor<Row>(this.em, statement);
  }
}

function sourceIn(transaction: Kysely<unknown>): ListSource {
  return {
    kysely: <Tables>() => transaction as unknown as Kysely<Tables>,
    query: async <Row extends QueryResultRow>({ text }: PreparedStatement, values: readonly unknown[]) =>
      (await transaction.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows,
  };
}
