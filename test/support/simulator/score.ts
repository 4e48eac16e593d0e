import type { Rows, Understanding } from './walk-back.js';

/** What became of one household's rows over all its syncs. */
export interface Score {
  /** Days of the past that the feed determined, over all syncs, and how many of them were true to the minor unit. */
  knowable: number;
  right: number;
  /** Wrong ones among them that the engine marked as estimated or unknown. */
  wrongMarked: number;
  /** The other days of the past. */
  others: number;
  othersRight: number;
  othersWrongMarked: number;
  /** Days of the past that the engine marked, and how many of them were wrong, not determined, changed later, or restated. */
  marked: number;
  markedRightly: number;
  /** The same by reason. */
  byReason: Record<string, MarkScore>;
  /** Rows of past days changed by a sync that brought no new fact about them. */
  changed: number;
  /** What was learned by that sync: a habit of the bank, else what the first balances had, else why two figures differ. */
  byHabit: number;
  byOpening: number;
  byDifference: number;
  /** Of these, rows that were wrong and became right: what the first balances contained was learned meanwhile. */
  learned: number;
  /** Of these, rows that were right and became wrong. */
  spoiled: number;
  /** The same of days that the feed does not determine. */
  undecided: number;
  /** Yesterday's newest rows, which ended at the balance reported then, brought to what is known since. */
  corrected: number;
}

export interface MarkScore {
  marked: number;
  markedRightly: number;
}

/** The reasons of marks that have not been borne out yet, by day: those of days that were right and determined. */
export type Waiting = Map<number, string[]>;

function countMarks(score: Score, reason: string, marked: number, markedRightly: number): void {
  const same = (score.byReason[reason] ??= { marked: 0, markedRightly: 0 });
  for (const count of [score, same]) {
    count.marked += marked;
    count.markedRightly += markedRightly;
  }
}

export function emptyScore(): Score {
  return {
    knowable: 0,
    right: 0,
    wrongMarked: 0,
    others: 0,
    othersRight: 0,
    othersWrongMarked: 0,
    marked: 0,
    markedRightly: 0,
    byReason: {},
    changed: 0,
    byHabit: 0,
    byOpening: 0,
    byDifference: 0,
    learned: 0,
    spoiled: 0,
    undecided: 0,
    corrected: 0,
  };
}

/** What a row was found to be; told to whoever looks for the reason. */
export type Verdict =
  'wrong' | 'wrong, marked' | 'wrong, not determined' | 'changed' | 'learned' | 'spoiled' | 'undecided';

type OnVerdict = (day: number, verdict: Verdict) => void;

/** What the rows of one sync are held against. */
export interface Standard {
  knowable: Uint8Array;
  /** The day of the sync, whose row is not judged: it ends at the reported balance. */
  today: number;
  trueEnd: (day: number) => number;
  /** What the books stated when the day ended. */
  trueThen: (day: number) => number;
  /** A balance reported in whole units determines no more than that. */
  toleranceMinor: number;
}

/**
 * Holds the rows of past days against the truth.
 *
 * @param waiting takes the marks of days that are right and determined
 */
export function judgeRows(rows: Rows, standard: Standard, score: Score, waiting: Waiting, on: OnVerdict): void {
  const { knowable, today, trueEnd, trueThen } = standard;
  for (let day = rows.firstDay; day < today; day++) {
    const row = day - rows.firstDay;
    const isMarked = rows.certainty[row] !== 0;
    const right = isRight(rows, day, standard);
    const isKnowable = knowable[row] === 1;
    if (isKnowable) {
      score.knowable++;
      if (right) score.right++;
      else {
        if (isMarked) score.wrongMarked++;
        on(day, isMarked ? 'wrong, marked' : 'wrong');
      }
    } else {
      score.others++;
      if (right) score.othersRight++;
      else if (isMarked) score.othersWrongMarked++;
      else on(day, 'wrong, not determined');
    }
    if (!isMarked) continue;
    const isBorneOut = !right || !isKnowable || trueThen(day) !== trueEnd(day);
    const reason = rows.reasonOf(row);
    countMarks(score, reason, 1, isBorneOut ? 1 : 0);
    if (!isBorneOut) waiting.set(day, [...(waiting.get(day) ?? []), reason]);
  }
}

/** A mark is borne out, too, when the day gets another balance later. */
export function judgeMarks(before: Rows, rows: Rows, score: Score, waiting: Waiting): void {
  for (const [day, reasons] of waiting) {
    if (before.end[day - before.firstDay] === rows.end[day - rows.firstDay]) continue;
    for (const reason of reasons) countMarks(score, reason, 0, 1);
    waiting.delete(day);
  }
}

/** Holds the rows before the first day that a sync brought news of against the rows of the sync before. */
export function judgeChanges(
  before: Rows,
  rows: Rows,
  standard: Standard,
  newsFrom: number,
  score: Score,
  on: OnVerdict,
): void {
  const newest = before.firstDay + before.end.length - 1;
  const learned = learnedBetween(before.understood, rows.understood);
  for (let day = before.firstDay; day <= newest && day < newsFrom; day++) {
    const was = day - before.firstDay;
    const is = day - rows.firstDay;
    if (is >= 0 && rows.columns.every((column, index) => column[is] === before.columns[index]![was])) continue;
    if (day === newest) {
      score.corrected++;
      continue;
    }
    const verdict = verdictOf(
      isRight(before, day, standard),
      isRight(rows, day, standard),
      standard.knowable[is] === 1,
    );
    score.changed++;
    score[learned]++;
    if (verdict !== 'changed') score[verdict]++;
    on(day, verdict);
  }
}

function verdictOf(wasRight: boolean, isRightNow: boolean, isKnowable: boolean) {
  if (wasRight === isRightNow) return 'changed';
  if (isRightNow) return 'learned';
  return isKnowable ? 'spoiled' : 'undecided';
}

function isRight({ firstDay, end }: Rows, day: number, { trueEnd, toleranceMinor }: Standard): boolean {
  return Math.abs(end[day - firstDay]! - trueEnd(day)) <= toleranceMinor;
}

function learnedBetween(before: Understanding, now: Understanding): 'byHabit' | 'byOpening' | 'byDifference' {
  if (before.habit !== now.habit) return 'byHabit';
  return before.opening !== now.opening ? 'byOpening' : 'byDifference';
}
