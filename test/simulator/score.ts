import type { Rows, Understanding } from './walk-back.js';

/** What became of one household's rows over all its syncs. */
export interface Score {
  /** Days of the past that the feed determined, over all syncs, and how many of them were true to the minor unit. */
  knowable: number;
  right: number;
  /** The other days of the past. */
  others: number;
  othersRight: number;
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

export function emptyScore(): Score {
  return {
    knowable: 0,
    right: 0,
    others: 0,
    othersRight: 0,
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
export type Verdict = 'wrong' | 'changed' | 'learned' | 'spoiled' | 'undecided';

type OnVerdict = (day: number, verdict: Verdict) => void;

/** Holds the rows of past days against the truth. */
export function judgeRows(
  rows: Rows,
  knowable: Uint8Array,
  today: number,
  trueEnd: (day: number) => number,
  score: Score,
  on: OnVerdict,
): void {
  for (let day = rows.firstDay; day < today; day++) {
    const row = day - rows.firstDay;
    const isRight = rows.end[row] === trueEnd(day);
    if (knowable[row] === 1) {
      score.knowable++;
      if (isRight) score.right++;
      else on(day, 'wrong');
    } else {
      score.others++;
      if (isRight) score.othersRight++;
    }
  }
}

/** Holds the rows before the first day that a sync brought news of against the rows of the sync before. */
export function judgeChanges(
  before: Rows,
  rows: Rows,
  knowable: Uint8Array,
  newsFrom: number,
  trueEnd: (day: number) => number,
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
    const wasRight = before.end[was] === trueEnd(day);
    const isRight = rows.end[is] === trueEnd(day);
    const verdict =
      wasRight === isRight ? 'changed' : isRight ? 'learned' : knowable[is] === 1 ? 'spoiled' : 'undecided';
    score.changed++;
    score[learned]++;
    if (verdict !== 'changed') score[verdict]++;
    on(day, verdict);
  }
}

function learnedBetween(before: Understanding, now: Understanding): 'byHabit' | 'byOpening' | 'byDifference' {
  if (before.habit !== now.habit) return 'byHabit';
  return before.opening !== now.opening ? 'byOpening' : 'byDifference';
}
