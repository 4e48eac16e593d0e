import { applyDecorators, Injectable, type StreamableFile, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Request } from 'express';
import type { QueryResultRow } from 'pg';
import { csvLine } from './csv.js';
import { CSV_CONTENT_TYPE, CSV_TYPE, JSON_TYPE, NDJSON_TYPE, Produces, wantedTypeOf } from './media-type.guard.js';
import { callerOf } from '../caller.js';
import { ExportsService } from './exports.service.js';

/** A list that can be exported as a whole. */
export interface Exportable<Row extends QueryResultRow> {
  /** File name without extension. */
  name: string;
  /** The object of an NDJSON line. */
  toItem: (row: Row) => object;
  columns: readonly string[];
  /** A line of CSV with its CRLF. */
  toLine: (row: Row) => string;
}

/** Exports whole lists as CSV or NDJSON, read from a cursor in constant memory. */
@Injectable()
export class RecordExportService {
  constructor(private readonly exports: ExportsService) {}

  /**
   * As CSV where the client asks for it, else as NDJSON.
   *
   * @param batches of rows, read at the pace of the client
   */
  stream<Row extends QueryResultRow>(
    request: Request,
    list: Exportable<Row>,
    batches: AsyncIterable<Row[]>,
  ): Promise<StreamableFile> {
    const type = wantedTypeOf(request);
    const isCsv = type === CSV_TYPE;
    const text = textOf(isCsv ? csv(list) : ndjson(list), batches);
    const { userId, secretId } = callerOf(request);
    return this.exports.stream(request.res!, { userId, secretId }, text, {
      name: `${list.name}.${isCsv ? 'csv' : 'ndjson'}`,
      type: isCsv ? CSV_CONTENT_TYPE : type,
    });
  }
}

/** A whole list as CSV, in pieces. */
export function csvPieces<Row extends QueryResultRow>(
  list: Exportable<Row>,
  batches: AsyncIterable<Row[]>,
): AsyncGenerator<string, void> {
  return textOf(csv(list), batches);
}

async function* textOf<Row>(format: Format<Row>, batches: AsyncIterable<Row[]>): AsyncGenerator<string, void> {
  let head = format.head;
  for await (const rows of batches) {
    yield head + rows.map(format.line).join('');
    head = '';
  }
  if (head) yield head;
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

/**
 * For a list that is served in pages as JSON and as a whole as CSV and NDJSON: declares and documents the media types.
 *
 * @param example the row of the documented lines
 */
export function ExportableResponse<Row extends QueryResultRow>(
  description: string,
  collection: Type,
  list: Exportable<Row>,
  example: Row,
): MethodDecorator {
  return applyDecorators(
    Produces(JSON_TYPE, CSV_TYPE, NDJSON_TYPE),
    ApiExtraModels(collection),
    ApiResponse({
      status: 200,
      description: `${description} As CSV (RFC 4180, with a header row) and NDJSON: the whole filtered set, no pages.`,
      content: {
        [JSON_TYPE]: { schema: { $ref: getSchemaPath(collection) } },
        [CSV_TYPE]: {
          schema: { type: 'string' },
          get example() {
            return csvLine(list.columns) + list.toLine(example);
          },
        },
        [NDJSON_TYPE]: {
          schema: { type: 'string' },
          get example() {
            return `${JSON.stringify(list.toItem(example))}\n`;
          },
        },
      },
    }),
  );
}
