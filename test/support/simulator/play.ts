import { derive as deriveAll, type Derivation } from '../../../src/balances/engine/derive-history.js';
import { BALANCE_COLUMNS, type BalanceHistory } from '../../../src/balances/engine/history.js';
import type { Ledger } from '../../../src/balances/engine/ledger.js';
import { marksOf } from '../../../src/balances/engine/mark-certainty.js';
import { type Report, report, syncMoments } from './feed.js';
import { roundingMinor } from './figure.js';
import { inventHousehold, type Member } from './household.js';
import { KINDS } from './kinds.js';
import { knowableDays } from './knowable.js';
import { Knowledge } from './knowledge.js';
import { ledgerAt, type ListedRow, listRows } from './listed-rows.js';
import { emptyScore, judgeChanges, judgeMarks, judgeRows, type Score, type Verdict, type Waiting } from './score.js';
import { dayOf, FIRST_SYNC_DAY, LIFE_DAYS, type Span, spanOf } from './span.js';
import { DAY_MS, trueBalances } from './truth.js';
import type { Rows } from './walk-back.js';

export type Engine = (ledger: Ledger) => Rows;

export function derive(ledger: Ledger): Rows {
  const { history, explanation } = deriveAll(ledger)!;
  const { firstDay, columns, certainty } = history;
  const end = columns.endCash.map((cash, row) => cash + columns.endNonCash[row]!);
  return {
    firstDay,
    end,
    columns: BALANCE_COLUMNS.map((column) => columns[column]),
    certainty,
    reasonOf: reasonsOf(history, explanation),
    understood: understandingOf(explanation),
  };
}

/** The first reason that marks a row; of what moves by itself, a row without a report is marked. */
function reasonsOf({ firstDay, length }: BalanceHistory, explanation: Derivation['explanation']): Rows['reasonOf'] {
  const marks = explanation ? [...marksOf(explanation, firstDay, firstDay + length - 1)] : [];
  return (row) =>
    marks.find(({ from, until }) => from <= firstDay + row && firstDay + row < until)?.why ?? 'unreported';
}

function understandingOf(explanation: Derivation['explanation']): Rows['understood'] {
  if (!explanation) return { habit: '', opening: '' };
  const { traits, baselines } = explanation;
  const usual = traits.ruleWeights.indexOf(Math.max(...traits.ruleWeights));
  const isOfEarlierDays = traits.listOf.some((list, index) => list !== index);
  return {
    habit: [traits.isDebtPositive, traits.pendingIncluded, isOfEarlierDays, usual].join(),
    opening: String(baselines[0]!.amountMinor),
  };
}

export type OnVerdict = (member: Member, day: number, sync: Report, verdict: Verdict, offMinor: number) => void;

/**
 * Scores an engine on the household of a seed at banks of a kind.
 *
 * @param lifeDays how long it is synced
 */
export function scoreHousehold(
  kind: string,
  seed: number,
  engine: Engine,
  lifeDays = LIFE_DAYS,
  on?: OnVerdict,
): Score {
  const name = `${kind}/${seed}`;
  const span = spanOf(lifeDays);
  const score = emptyScore();
  for (const member of inventHousehold(name, KINDS[kind]!, span)) play(member, span, name, engine, score, on);
  return score;
}

/** Plays an account sync by sync: after each, the engine derives, and its rows are held against truth and past. */
export function play(member: Member, span: Span, seed: string, engine: Engine, score: Score, on?: OnVerdict): void {
  const moments = syncMoments(member, FIRST_SYNC_DAY, span.last, seed);
  const listed = listRows(member, moments);
  const knowledge = new Knowledge(member, listed, FIRST_SYNC_DAY);
  const waiting: Waiting = new Map();
  let before: Rows | null = null;
  const trueThen = trueThenOf(member, span);
  for (const moment of moments) {
    const sync = report(member, moment, seed);
    knowledge.add(sync);
    const observations = knowledge.reports.map(({ observation }) => observation);
    const ledger = ledgerAt(member, listed, observations, moment);
    const rows = engine(ledger);
    const trueEnd = trueEndOf(member, span, moment);
    const tell = (day: number, verdict: Verdict) =>
      on?.(member, day, sync, verdict, rows.end[day - rows.firstDay]! - trueEnd(day));
    const knowable = knowableDays(knowledge, rows.firstDay, ledger.until);
    const today = ledger.until;
    const standard = { knowable, today, trueEnd, trueThen, toleranceMinor: roundingMinor(member.bank) };
    if (before) judgeMarks(before, rows, score, waiting);
    judgeRows(rows, standard, score, waiting, tell);
    if (before) judgeChanges(before, rows, standard, newsFrom(listed, sync), score, tell);
    before = rows;
  }
}

/** The first day a sync brought news of; its own day at the latest. */
function newsFrom(listed: readonly ListedRow[], { observation, balanceOf }: Report): number {
  const { observedAt, balanceDay, day } = observation;
  let first = balanceDay === null ? day : Math.min(day, dayOf(balanceOf));
  for (const row of listed) {
    if ((row.listedFrom === observedAt || row.listedUntil === observedAt) && row.day < first) first = row.day;
  }
  return first;
}

/** The same for each day as the books stated it at its end. */
function trueThenOf(member: Member, span: Span): (day: number) => number {
  const known = new Map<number, number>();
  return (day) => {
    if (!known.has(day)) known.set(day, trueEndOf(member, span, (day + 1) * DAY_MS)(day));
    return known.get(day)!;
  };
}

/** The true balance at the end of a day, in the stored sign, as the books state it at a moment. */
export function trueEndOf({ account }: Member, { first, last }: Span, moment: number): (day: number) => number {
  const sign = ['credit_card', 'loan', 'other_liability'].includes(account.type ?? '') ? -1 : 1;
  // A row may have been given a day before all others, and its history begins there.
  const from = Math.min(first, ...account.movements.map(({ day }) => day)) - 1;
  const truth = trueBalances(account, from, last, moment);
  return (day) => {
    const minor = truth[day - from];
    if (minor === undefined) throw new RangeError(`no truth is told of day ${day}`);
    return minor * sign;
  };
}
