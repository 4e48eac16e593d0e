import { derive as deriveAll, type Derivation } from '../../src/balance-engine/derive-history.js';
import { BALANCE_COLUMNS } from '../../src/balance-engine/history.js';
import type { Ledger } from '../../src/balance-engine/ledger.js';
import { SCENARIOS } from './bank.js';
import { deliveries, ledgerAt, type Report, report, syncMoments } from './feed.js';
import { inventHousehold, type Member, type Span } from './household.js';
import { knowableDays } from './knowable.js';
import { emptyScore, judgeChanges, judgeRows, type Score, type Verdict } from './score.js';
import { trueBalances } from './truth.js';
import type { Rows } from './walk-back.js';

/** What many banks deliver at the first sync. */
const HISTORY_DAYS = 30;
const FIRST_DAY = 20_000;
export const FIRST_SYNC_DAY = FIRST_DAY + HISTORY_DAYS;
/** Long enough for every fault to show, and for a consent to lapse and come back. */
export const LIFE_DAYS = 130;

export type Engine = (ledger: Ledger) => Rows;

export function derive(ledger: Ledger): Rows {
  const { history, explanation } = deriveAll(ledger)!;
  const { firstDay, columns } = history;
  const end = columns.endCash.map((cash, row) => cash + columns.endNonCash[row]!);
  return {
    firstDay,
    end,
    columns: BALANCE_COLUMNS.map((column) => columns[column]),
    understood: understandingOf(explanation),
  };
}

function understandingOf(explanation: Derivation['explanation']): Rows['understood'] {
  if (!explanation) return { habit: '', opening: '' };
  const { habits, levels } = explanation;
  const usual = habits.readingBits.indexOf(Math.min(...habits.readingBits));
  const isOfEarlierDays = habits.beside.some((list, index) => list !== index);
  return {
    habit: [habits.sign, habits.holdsIncluded, isOfEarlierDays, usual].join(),
    opening: String(levels[0]!.amountMinor),
  };
}

export type OnVerdict = (member: Member, day: number, sync: Report, verdict: Verdict, offMinor: number) => void;

/**
 * Scores an engine on the household of a seed at banks of a scenario.
 *
 * @param lifeDays how long it is synced
 */
export function scoreHousehold(
  scenario: string,
  seed: number,
  engine: Engine,
  lifeDays = LIFE_DAYS,
  on?: OnVerdict,
): Score {
  const name = `${scenario}/${seed}`;
  const span = spanOf(lifeDays);
  const score = emptyScore();
  for (const member of inventHousehold(name, SCENARIOS[scenario]!, span)) play(member, span, name, engine, score, on);
  return score;
}

export function spanOf(lifeDays: number): Span {
  return { first: FIRST_DAY, last: FIRST_SYNC_DAY + lifeDays };
}

/** Plays an account sync by sync: after each, the engine derives, and its rows are held against truth and past. */
export function play(member: Member, span: Span, seed: string, engine: Engine, score: Score, on?: OnVerdict): void {
  const moments = syncMoments(member, FIRST_SYNC_DAY, span.last, seed);
  const seenAt = deliveries(member, moments);
  const trueEnd = trueEndOf(member, span);
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
    if (before) judgeChanges(before, rows, knowable, newsFrom(member, seenAt, sync), trueEnd, score, tell);
    before = rows;
  }
}

/** The first day a sync brought news of; its own day at the latest. */
function newsFrom({ account }: Member, seenAt: readonly number[], { observation }: Report): number {
  return account.movements.reduce(
    (first, { day }, index) => (seenAt[index] === observation.observedAt ? Math.min(first, day) : first),
    observation.day,
  );
}

/** The true balance at the end of a day, in the stored sign. */
export function trueEndOf({ account }: Member, { first, last }: Span): (day: number) => number {
  const sign = ['credit_card', 'loan', 'other_liability'].includes(account.type ?? '') ? -1 : 1;
  const truth = trueBalances(account, first - 1, last);
  return (day) => truth[day - first + 1]! * sign;
}
