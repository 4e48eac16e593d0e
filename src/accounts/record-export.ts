import { Readable } from 'node:stream';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, StreamableFile } from '@nestjs/common';
import type { Request } from 'express';
import type { QueryResultRow } from 'pg';
import { ApiError } from '../api/api-error.js';
import { csvLine } from '../api/csv.js';
import { CSV_TYPE, wantedTypeOf } from '../api/media-type.js';
import { readByCursor, type Statement } from '../database/cursor.js';

/** Each holds a connection of the pool for as long as its client reads. */
const MAX_AT_ONCE = 5;
/** A client that reads nothing for so long is taken for gone. */
const IDLE_MS = 60_000;

/** A list that can be had as a whole. */
export interface Exportable<Row extends QueryResultRow> {
  /** Of the file, without its ending. */
  name: string;
  /** What a line of NDJSON is. */
  toItem: (row: Row) => object;
  columns: readonly string[];
  /** A line of CSV, with its end. */
  toLine: (row: Row) => string;
}

/** Streams whole lists as CSV or NDJSON from a cursor, at the pace of the client and in constant memory. */
@Injectable()
export class RecordExport {
  #underWay = 0;

  constructor(private readonly em: EntityManager) {}

  /** As CSV where the client wants that, else as NDJSON. */
  async stream<Row extends QueryResultRow>(
    request: Request,
    list: Exportable<Row>,
    statement: Statement,
  ): Promise<StreamableFile> {
    const type = wantedTypeOf(request);
    if (this.#underWay >= MAX_AT_ONCE) {
      throw new ApiError('unavailable', `There are ${MAX_AT_ONCE} exports under way already. Try again in a moment.`, {
        headers: { 'Retry-After': '5' },
      });
    }
    const lines = this.#counted(type === CSV_TYPE ? csv(list) : ndjson(list), readByCursor<Row>(this.em, statement));
    // What goes wrong before the first line is still an error with a status, and an iteration that has begun cleans up.
    const first = await lines.next();
    const response = request.res!;
    response.setTimeout(IDLE_MS, () => response.destroy());
    return new StreamableFile(Readable.from(resume(first, lines), { highWaterMark: 2 }), {
      type: type === CSV_TYPE ? `${CSV_TYPE}; charset=utf-8; header=present` : type,
      disposition: `attachment; filename="${list.name}.${type === CSV_TYPE ? 'csv' : 'ndjson'}"`,
    });
  }

  async *#counted<Row>(format: Format<Row>, batches: AsyncIterable<Row[]>): AsyncGenerator<string, void> {
    this.#underWay++;
    try {
      let head = format.head;
      for await (const rows of batches) {
        yield head + rows.map(format.line).join('');
        head = '';
      }
      if (head) yield head;
    } finally {
      this.#underWay--;
    }
  }
}

interface Format<Row> {
  head: string;
  line: (row: Row) => string;
}

function csv<Row extends QueryResultRow>({ columns, toLine }: Exportable<Row>): Format<Row> {
  return { head: csvLine(columns), line: toLine };
}

function ndjson<Row extends QueryResultRow>({ toItem }: Exportable<Row>): Format<Row> {
  return { head: '', line: (row) => `${JSON.stringify(toItem(row))}\n` };
}

/** An iteration whose first step was taken already. Ending it ends the rest. */
function resume<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncIterable<T> {
  let taken: IteratorResult<T, void> | null = first;
  const next = () => {
    const step = taken ?? rest.next();
    taken = null;
    return Promise.resolve(step);
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: () => rest.return() }) };
}
