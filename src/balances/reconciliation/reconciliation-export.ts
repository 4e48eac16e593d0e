import type { QueryResultRow } from 'pg';
import type { Reconciliation } from '../../balance-engine/reconcile.js';
import { csvLine } from '../../http/export/csv.js';
import type { Exportable } from '../../http/export/record-export.service.js';
import { CERTAINTY_LEVELS, type ObservationResponse, toObservation } from './reconciliation.response.js';

/** What was reported at one moment, and how sure the history is of its day. */
export type ReportRow = ObservationResponse & { certainty: (typeof CERTAINTY_LEVELS)[number] } & QueryResultRow;

const COLUMNS = [
  ...['observed_at', 'date', 'reported', 'reported_cents', 'derived', 'derived_cents'],
  ...['difference', 'difference_cents', 'certainty'],
];

export const RECONCILIATION_EXPORT: Exportable<ReportRow> = {
  name: 'reconciliation',
  toItem: (row) => row,
  columns: COLUMNS,
  toLine: (row) => csvLine(COLUMNS.map((column) => row[column] as string | number)),
};

/** Newest first, as the list. @param currency the account's ISO 4217 code */
export function toReportRows({ observations, certainty }: Reconciliation, currency: string): ReportRow[] {
  let range = certainty.length - 1;
  return [...observations].reverse().map((observation) => {
    while (range > 0 && certainty[range]!.from > observation.day) range--;
    return { ...toObservation(observation, currency), certainty: CERTAINTY_LEVELS[certainty[range]!.certainty] };
  });
}

export const RECONCILIATION_EXAMPLE: ReportRow = {
  observed_at: '2026-03-12T06:17:04.211Z',
  date: '2026-03-12',
  reported: '$930.00',
  reported_cents: 93_000,
  derived: '$950.00',
  derived_cents: 95_000,
  difference: '-$20.00',
  difference_cents: -2_000,
  certainty: 'estimated',
};
