import { sql } from 'kysely';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import { plainArray, textArray } from './array-literal.js';

/** Transactions of an answer as rows of a query: one array for each column. */
export function incomingRows(rows: readonly SnapshotTransaction[]) {
  return sql`
    select * from unnest(
      ${textArray(rows.map(({ externalId }) => externalId))}::text[],
      ${plainArray(rows.map(({ date }) => date))}::date[],
      ${plainArray(rows.map(({ amountMinor }) => amountMinor))}::bigint[],
      ${textArray(rows.map(({ currency }) => currency))}::text[],
      ${textArray(rows.map(({ description }) => description))}::text[],
      ${textArray(rows.map(({ merchant }) => merchant))}::text[],
      ${plainArray(rows.map(({ pending }) => pending))}::boolean[]
    ) as row (external_id, date, amount_minor, currency, description, merchant, pending)`;
}
