import { deriveHistory } from '../../src/balance-engine/derive-history.js';
import { BALANCE_COLUMNS } from '../../src/balance-engine/history.js';
import type { Ledger } from '../../src/balance-engine/ledger.js';
import { deliveries, ledgerAt, type Report, report, syncMoments } from './feed.js';
import type { Member } from './household.js';
import { knowableDays } from './knowable.js';
import { trueBalances } from './truth.js';
import type { Rows } from './walk-back.js';

export interface Score {
  /** Days of the past that the feed determined, over all syncs, and how many of them were true to the minor unit. */
  knowable: number;
  right: number;
  /** The other days of the past. */
  others: number;
  othersRight: number;
  /** Rows of past days changed by a sync that brought no new fact about them. */
  changed: number;
  /** Of these, rows that were wrong and became right: what the first balances contained was learned meanwhile. */
  learned: number;
  /** Of these, rows that were right and became wrong. */
  spoiled: number;
  /** Yesterday's newest rows, which ended at the balance reported then, brought to what is known since. */
  corrected: number;
}

export type Engine = (ledger: Ledger) => Rows;

export function derive(ledger: Ledger): Rows {
  const { firstDay, columns } = deriveHistory(ledger)!;
  const end = columns.endCash.map((cash, row) => cash + columns.endNonCash[row]!);
  return { firstDay, end, columns: BALANCE_COLUMNS.map((column) => columns[column]) };
}

export function emptyScore(): Score {
  return { knowable: 0, right: 0, others: 0, othersRight: 0, changed: 0, learned: 0, spoiled: 0, corrected: 0 };
}

/** Plays an account sync by sync: after each, the engine derives, and its rows are held against truth and past. */
export function play(
  member: Member,
  span: { firstSync: number; last: number },
  seed: string,
  engine: Engine,
  score: Score,
  onWrong?: (day: number, sync: Report, rows: Rows, truth: number, why: string) => void,
): void {
  const { account } = member;
  const moments = syncMoments(member, span.firstSync, span.last, seed);
  const seenAt = deliveries(member, moments);
  const truthFrom = span.firstSync - 1000;
  const sign = ['credit_card', 'loan', 'other_liability'].includes(account.type ?? '') ? -1 : 1;
  const truth = trueBalances(account, truthFrom, span.last).map((balance) => balance * sign);
  const reports: Report[] = [];
  let before: Rows | null = null;
  for (const moment of moments) {
    reports.push(report(member, moment, seed));
    const ledger = ledgerAt(
      member,
      seenAt,
      reports.map(({ observation }) => observation),
      moment,
    );
    const rows = engine(ledger);
    const knowable = knowableDays(member, reports, seenAt, rows.firstDay, ledger.until);
    const trueEnd = (day: number) => truth[day - truthFrom]!;
    for (let day = rows.firstDay; day < ledger.until; day++) {
      const isRight = rows.end[day - rows.firstDay] === trueEnd(day);
      if (knowable[day - rows.firstDay] === 1) {
        score.knowable++;
        if (isRight) score.right++;
        else onWrong?.(day, reports.at(-1)!, rows, trueEnd(day), 'wrong');
      } else {
        score.others++;
        if (isRight) score.othersRight++;
      }
    }
    if (before) {
      let news = Infinity;
      account.movements.forEach(({ day }, index) => {
        if (seenAt[index] === moment) news = Math.min(news, day);
      });
      compare(before, rows, Math.min(news, ledger.until), trueEnd, score, (day, why) =>
        onWrong?.(day, reports.at(-1)!, rows, trueEnd(day), why),
      );
    }
    before = rows;
  }
}

function compare(
  before: Rows,
  rows: Rows,
  news: number,
  trueEnd: (day: number) => number,
  score: Score,
  on: (day: number, why: string) => void,
): void {
  const newest = before.firstDay + before.end.length - 1;
  for (let day = before.firstDay; day <= newest && day < news; day++) {
    const was = day - before.firstDay;
    const is = day - rows.firstDay;
    if (is >= 0 && rows.columns.every((column, index) => column[is] === before.columns[index]![was])) continue;
    if (day === newest) {
      score.corrected++;
      continue;
    }
    score.changed++;
    const wasRight = before.end[was] === trueEnd(day);
    const isRight = rows.end[is] === trueEnd(day);
    if (wasRight && !isRight) score.spoiled++;
    if (!wasRight && isRight) score.learned++;
    on(day, wasRight && !isRight ? 'spoiled' : 'changed');
  }
}
