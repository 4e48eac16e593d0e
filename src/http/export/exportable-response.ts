import { applyDecorators, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { QueryResultRow } from 'pg';
import { csvLine } from './csv.js';
import { CSV_TYPE, JSON_TYPE, NDJSON_TYPE, Produces } from './media-type.js';
import type { Exportable } from './record-export.service.js';

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
        [CSV_TYPE]: { schema: { type: 'string' }, example: csvLine(list.columns) + list.toLine(example) },
        [NDJSON_TYPE]: { schema: { type: 'string' }, example: `${JSON.stringify(list.toItem(example))}\n` },
      },
    }),
  );
}
