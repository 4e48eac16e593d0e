import type { Answer, Row, World } from './feed.js';
import { type Posting, FIRST_DAY } from './life.js';

/** What a careful accountant with all answers on the table can know of a day. */
export type Determined = 'no' | 'loose' | 'strict';

/** On so many days around it nothing strange happens to a strictly determined day. */
const QUIET_DAYS = 3;
/** Longer runs of wrong reports may be a movement that is not listed, and its return. */
const GLITCH_REPORTS = 2;
const SHOWN_AFTER = 3;

/**
 * The rule. A witness is a report that is true at some moment of the books.
 *
 * - Fewer than three witnesses, or rows and balances both in the other sign: nothing is determined.
 * - A posting that was never listed with its amount, or only without a date, is known only between two witnesses: the days from the last witness without
 *   it until the first with it are not determined. If it is older than all witnesses, no day before it is.
 * - Of a row that was listed with another day than the bank booked it, the days in between are not determined.
 * - After a row is gone, and until a witness, nobody knows whether it was taken back.
 * - A row that is listed before the bank books it may be booked on any day since.
 * - Of a row that stands for nothing, or for a posting that another row stands for, the witnesses before and after tell. If
 *   it is older than all witnesses, no day before it is determined; if it is younger, no day since.
 * - Wrong reports that look like balances, more than two in a row, blur the days between the witnesses around them; at the end
 *   of the life even one does.
 * - All else is determined. It is so strictly where in addition every report within three days is true at its own moment,
 *   and no row or posting of these days is one of those above.
 */
export function determine(world: World, now: number): (day: number) => Determined {
  const [today, answers] = [world.bankDay(now), world.answers.filter((answer) => answer.at <= now)];
  const open = new Set<number>();
  const strange = new Set<number>();
  const blur = (first: number, last: number) => {
    for (let day = Math.max(first, FIRST_DAY - 6); day <= Math.min(last, today); day++) open.add(day);
  };
  const days = (first: number, last: number) => {
    for (let day = first - QUIET_DAYS; day <= last + QUIET_DAYS; day++) strange.add(day);
  };
  const witnesses = answers.flatMap(({ report }) => report?.trueAt ?? []).sort((a, b) => a - b);
  if (new Set(witnesses).size < SHOWN_AFTER || (world.rowsReversed && world.isTurned)) return () => 'no';

  const { best, goneAt, extra, ahead } = listed(world, answers, now);
  for (const posting of world.books.postings) {
    if (posting.at > now) continue;
    if (world.bankDay(posting.at) !== posting.day) days(posting.day, world.bankDay(posting.at));
    const row = best.get(posting);
    if (!row || row.isUndated) {
      const [before, after] = around(witnesses, posting.at);
      if (before === undefined) blur(-Infinity, posting.day - 1);
      else blur(Math.min(world.bankDay(before), posting.day), after === undefined ? today : world.bankDay(after) - 1);
      days(posting.day, posting.day);
    } else if (row.day !== posting.day) {
      blur(Math.min(row.day, posting.day), Math.max(row.day, posting.day) - 1);
      days(Math.min(row.day, posting.day), Math.max(row.day, posting.day));
    } else if (goneAt(row) > witnesses.at(-1)!) blur(row.day, today);
  }
  for (const { day } of ahead) blur(day, today);
  const [first, last] = [witnesses[0]!, witnesses.at(-1)!];
  for (const { day, from } of extra) {
    if (day <= world.bankDay(first)) blur(-Infinity, day - 1);
    else if (from >= last || day >= world.bankDay(last)) blur(day, today);
    days(day, Math.max(day, world.bankDay(from)));
  }
  blurWrongReports(world, answers, today, blur);
  for (const { at, report } of answers) {
    if (!report || report.trueAt === null || !report.isPlain) days(world.bankDay(at), world.bankDay(at));
  }
  const startsPlain = answers.slice(0, SHOWN_AFTER).every(({ report }) => report?.isPlain);
  for (const [first, last] of world.blurred) blur(first, last);
  const firstDay = world.bankDay(answers[0]!.at);
  return (day) => {
    if (open.has(day)) return 'no';
    return strange.has(day) || (day < firstDay && !startsPlain) ? 'loose' : 'strict';
  };
}

/** For each posting the newest row with its amount; when rows were gone; and the rows that stand for nothing more. */
function listed(world: World, answers: readonly Answer[], now: number) {
  const list = new Map<string, Row>();
  const gone = new Map<string, { row: Row; at: number }>();
  const best = new Map<Posting, Row>();
  const sign = world.rowsReversed ? -1 : 1;
  const isExact = ({ of, amount, currency }: Row) =>
    !currency && of.length > 0 && of.reduce((sum, posting) => sum + posting.amount, 0) === amount * sign;
  for (const { at, rows, complete, coveredFrom } of answers) {
    const ids = new Set(rows.map(({ id }) => id));
    for (const [id, row] of complete && rows.length > 0 ? list : []) {
      if (row.day < coveredFrom || ids.has(id)) continue;
      list.delete(id);
      gone.set(id, { row, at });
    }
    for (const row of rows) {
      if (row.pending) continue;
      list.set(row.id, row);
      gone.delete(row.id);
      if (isExact(row)) for (const posting of row.of) best.set(posting, row);
    }
  }
  // A copy that went together with its row did not show itself; what stood for nothing did, as no balance followed it.
  const cut = [...gone.values()].filter(
    ({ row }) => row.of.length > 0 && row.of.every((posting) => !list.has(best.get(posting)?.id ?? row.id)),
  );
  const rows = [...list.values(), ...cut.map(({ row }) => row)];
  const isBest = (row: Row) => isExact(row) && row.of.every((posting) => best.get(posting)?.id === row.id);
  return {
    best,
    goneAt: (row: Row) => gone.get(row.id)?.at ?? 0,
    extra: rows.filter((row) => !isBest(row)),
    ahead: [...list.values()].filter(({ of }) => of.some((posting) => posting.at > now)),
  };
}

function around(witnesses: readonly number[], moment: number): [before: number | undefined, after: number | undefined] {
  const index = witnesses.findIndex((witness) => witness >= moment);
  return index < 0 ? [witnesses.at(-1), undefined] : [witnesses[index - 1], witnesses[index]];
}

function blurWrongReports(
  world: World,
  answers: readonly Answer[],
  today: number,
  blur: (first: number, last: number) => void,
): void {
  let [run, from] = [0, -Infinity];
  for (const { report } of answers) {
    if (!report) continue;
    if (report.trueAt !== null) {
      if (run > GLITCH_REPORTS) blur(from, world.bankDay(report.trueAt) - 1);
      [run, from] = [0, world.bankDay(report.trueAt)];
    } else if (!report.isObvious) run++;
  }
  if (run > 0) blur(from, today);
}
