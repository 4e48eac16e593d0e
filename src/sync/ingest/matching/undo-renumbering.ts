import { randomUUID } from 'node:crypto';
import { MAX_DAYS_MOVED } from '../../../balances/engine/ledger.js';
import { daysBetween, earliest } from '../../../platform/time/calendar-date.js';
import { pairRows, type Row } from './pair-rows.js';
import { amountAndTexts, contentOf, REDATED } from './passes.js';

/** A single row under the id of another one may be a coincidence of equal purchases. */
const MIN_RENUMBERED = 2;

/**
 * Gives rows of an answer the ids under which they are stored, where a bank numbers its rows by their place in each answer:
 * most of its ids are those of other stored transactions, and it lists what is stored under yet others. Only the days that
 * are stored decide, because after an absence most rows are new. No id of such an answer means anything, so what is
 * not stored gets an id of its own.
 *
 * Where the id has the same purchase a few days off, it may as well be stable: a bank that moves the dates of equal purchases puts
 * each on the day of another. So an account with nothing but equal rows keeps the bank's ids.
 *
 * @param listed rows that are not stored as they are listed
 * @param stored what is stored under their ids, or is not listed as it is stored
 * @returns all rows under the right ids, by those of the answer; empty: the bank does not number them by place
 */
export function undoRenumbering(listed: readonly Row[], stored: readonly Row[]): Map<Row, Row> {
  const storedById = new Map(stored.map((row) => [row.externalId, row]));
  const reused = listed.filter((row) => {
    const own = storedById.get(row.externalId);
    return own !== undefined && !isRedated(row, own);
  });
  if (reused.length < MIN_RENUMBERED) return new Map();
  const byContent = Map.groupBy(stored.toReversed(), contentOf);
  const same = new Map<Row, Row>();
  for (const row of listed) {
    const found = byContent.get(contentOf(row))?.pop();
    if (found) same.set(row, found);
  }
  const judged = reused.filter(sharedDays(listed, stored));
  const found = judged.filter((row) => same.has(row)).length;
  if (found < MIN_RENUMBERED || found <= judged.length / 2) return new Map();
  const redated = pairRedated(listed, stored, same);
  return new Map(
    listed.map((row) => {
      const externalId = (same.get(row) ?? redated.get(row))?.externalId ?? ownIdFor(row.externalId);
      return [row, { ...row, externalId }];
    }),
  );
}

/** Whether a row is what its id says, on another day. */
function isRedated(row: Row, own: Row): boolean {
  if (amountAndTexts(row) !== amountAndTexts(own)) return false;
  return row.dateIsGuess === true || Math.abs(daysBetween(row.date, own.date)) <= MAX_DAYS_MOVED;
}

/** Pairs what is left, but for stored rows of the first day or before, where the list may just begin later. */
function pairRedated(listed: readonly Row[], stored: readonly Row[], same: ReadonlyMap<Row, Row>): Map<Row, Row> {
  const used = new Set(same.values());
  const firstDay = listed.reduce((first, { date }) => earliest(first, date), listed[0]!.date);
  const pairs = pairRows(
    REDATED,
    stored.filter((row) => !used.has(row) && row.date > firstDay),
    listed.filter((row) => !same.has(row)),
  );
  return new Map(pairs.map(([known, row]) => [row, known]));
}

/** An id that the bank uses for nothing, in place of one that it uses for anything. */
export function ownIdFor(externalId: string): string {
  return `${externalId}:${randomUUID()}`;
}

/** Returns a function that says whether a row is of the days from the first to the last one of both listings. */
export function sharedDays(...listings: readonly (readonly Row[])[]) {
  const days = listings.map((rows) => rows.map(({ date }) => date).sort());
  const from = days.map((dates) => dates[0] ?? '').reduce((one, other) => (one > other ? one : other));
  const until = days.map((dates) => dates.at(-1) ?? '').reduce((one, other) => (one < other ? one : other));
  return ({ date }: Row) => date >= from && date <= until;
}
