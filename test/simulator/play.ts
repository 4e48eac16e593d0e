import { deriveHistory } from '../../src/balance-engine/derive-history.js';
import { BALANCE_COLUMNS } from '../../src/balance-engine/history.js';
import type { Ledger } from '../../src/balance-engine/ledger.js';
import { SCENARIOS } from './bank.js';
import { deliveries, ledgerAt, type Report, report, syncMoments } from './feed.js';
import { inventHousehold, type Member } from './household.js';
import { knowableDays } from './knowable.js';
import { emptyScore, judgeChanges, judgeRows, type Score, type Verdict } from './score.js';
import { trueBalances } from './truth.js';
import type { Rows } from './walk-back.js';

/** What many banks deliver at the first sync, and a life after it long enough for every fault to show. */
const HISTORY_DAYS = 30;
const LIFE_DAYS = 130;
const FIRST_DAY = 20_000;
export const FIRST_SYNC_DAY = FIRST_DAY + HISTORY_DAYS;
const LAST_DAY = FIRST_SYNC_DAY + LIFE_DAYS;

export type Engine = (ledger: Ledger) => Rows;

export function derive(ledger: Ledger): Rows {
  const { firstDay, columns } = deriveHistory(ledger)!;
  const end = columns.endCash.map((cash, row) => cash + columns.endNonCash[row]!);
  return { firstDay, end, columns: BALANCE_COLUMNS.map((column) => columns[column]) };
}

export type OnVerdict = (member: Member, day: number, sync: Report, verdict: Verdict, offMinor: number) => void;

/** Scores an engine on the household of a seed at banks of a scenario. */
export function scoreHousehold(scenario: string, seed: number, engine: Engine, on?: OnVerdict): Score {
  const name = `${scenario}/${seed}`;
  const score = emptyScore();
  for (const member of householdOf(scenario, seed)) play(member, name, engine, score, on);
  return score;
}

export function householdOf(scenario: string, seed: number): Member[] {
  return inventHousehold(`${scenario}/${seed}`, SCENARIOS[scenario]!, { first: FIRST_DAY, last: LAST_DAY });
}

/** Plays an account sync by sync: after each, the engine derives, and its rows are held against truth and past. */
function play(member: Member, seed: string, engine: Engine, score: Score, on?: OnVerdict): void {
  const { account } = member;
  const moments = syncMoments(member, FIRST_SYNC_DAY, LAST_DAY, seed);
  const seenAt = deliveries(member, moments);
  const trueEnd = trueEndOf(member);
  const reports: Report[] = [];
  let before: Rows | null = null;
  for (const moment of moments) {
    const sync = report(member, moment, seed);
    reports.push(sync);
    const observations = reports.map(({ observation }) => observation);
    const ledger = ledgerAt(member, seenAt, observations, moment);
    const rows = engine(ledger);
    const tell = (day: number, verdict: Verdict) =>
      on?.(member, day, sync, verdict, rows.end[day - rows.firstDay]! - trueEnd(day));
    const knowable = knowableDays(member, reports, seenAt, rows.firstDay, ledger.until);
    judgeRows(rows, knowable, ledger.until, trueEnd, score, tell);
    if (before) {
      let newsFrom = ledger.until;
      account.movements.forEach(({ day }, index) => {
        if (seenAt[index] === moment) newsFrom = Math.min(newsFrom, day);
      });
      judgeChanges(before, rows, newsFrom, trueEnd, score, tell);
    }
    before = rows;
  }
}

/** The true balance at the end of a day, in the stored sign. */
function trueEndOf({ account }: Member): (day: number) => number {
  const sign = ['credit_card', 'loan', 'other_liability'].includes(account.type ?? '') ? -1 : 1;
  const truth = trueBalances(account, FIRST_DAY - 1, LAST_DAY);
  return (day) => truth[day - FIRST_DAY + 1]! * sign;
}
