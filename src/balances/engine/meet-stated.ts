import type { AccountRules } from './account-type.js';
import { ESTIMATED, KNOWN, UNKNOWN } from './certainty.js';
import type { Finding } from './finding.js';
import type { Filled } from './findings.js';
import type { DayNumber, ListedDays, Entry, StatedBalance } from './ledger.js';
import { addFlow, cashPart, type Frame, frame, nonCashPart, type Part, runBalances } from './rows.js';

/** A balance that is given: by the bank, or by a document or person. */
interface Anchor {
  row: number;
  /** By how much the history differs from this row on from what the bank alone gives; stored sign. */
  offset: number;
  /** `null`: the bank gives it. */
  stated: MetStatement | null;
}

/** A stated balance beside what the history says without it. */
export interface MetStatement {
  statement: StatedBalance;
  /** Of the end of its day, in the stored sign; `null`: it does not follow from anything. */
  derivedMinor: number | null;
  /** Whether the history meets it. */
  counts: boolean;
}

/** The part of an account that stated balances move. */
function mainPart({ columns }: Frame, { hasCash }: AccountRules): Part {
  return hasCash ? cashPart(columns) : nonCashPart(columns);
}

/** The history of an account without a bank: what is listed of it, still without any balance. */
export function deriveListed(days: Frame, rules: AccountRules, entries: readonly Entry[]): Filled {
  const part = mainPart(days, rules);
  if (rules.movedBy !== 'valuation') {
    for (const { day, amountMinor, listedUntil } of entries) {
      if (listedUntil === null && day >= days.firstDay && day <= days.lastDay) {
        addFlow(part, day - days.firstDay, amountMinor);
      }
    }
  }
  runBalances(part, rules.factor, 0);
  const findings: Finding[] = rules.movedBy === 'entries' ? [] : [{ kind: 'unknown_before', day: days.firstDay }];
  return { findings, explanation: null };
}

/**
 * Days before those of a history whose past its reports do not give: what was worth something then is known by stated
 * balances alone. It begins with nothing, and what was reported first is an adjustment of its day.
 */
export function extendBack(days: Frame, rules: AccountRules, firstDay: DayNumber): Frame {
  const longer = frame(firstDay, days.lastDay, rules);
  const more = days.firstDay - firstDay;
  for (const [name, column] of Object.entries(days.columns))
    longer.columns[name as keyof Frame['columns']].set(column, more);
  longer.certainty.set(days.certainty, more);
  longer.certainty.fill(UNKNOWN, 0, more);
  for (const part of [cashPart(longer.columns), nonCashPart(longer.columns)]) {
    part.adjustments[more]! += part.start[more]!;
    part.start[more] = 0;
  }
  return longer;
}

/** What stated balances are put into. */
export interface StatedFacts {
  /** The days of the bank's reports; none: the account has no bank. */
  reportDays: ArrayLike<number>;
  entries: readonly Entry[];
  stated: readonly StatedBalance[];
  listedDays: readonly ListedDays[];
}

/**
 * Lets a history meet the balances that documents and people state: each is that of the end of its day. A difference is an
 * adjustment of that day. From the next balance that the bank reports on, the bank's count again; on a day of its own the
 * bank's counts, unless the person prefers the other. Before the first balance of any kind the history is counted back.
 *
 * @returns those of its days, oldest first
 */
export function meetStated(days: Frame, rules: AccountRules, facts: StatedFacts): MetStatement[] {
  const { firstDay, columns } = days;
  const base = columns.endCash.map((cash, row) => cash + columns.endNonCash[row]!);
  const reported = new Set(Array.from(facts.reportDays, (day) => day - firstDay));
  const inHistory = facts.stated.filter(({ day }) => day >= firstDay && day <= days.lastDay);
  const byRow = Map.groupBy(inHistory, ({ day }) => day - firstDay);
  // What is worth what was last said does not follow from anything.
  const follows = rules.movedBy === 'entries' && (facts.entries.length > 0 || reported.size > 0);
  const met: MetStatement[] = [];
  const anchors: Anchor[] = [];
  for (const row of [...new Set([...byRow.keys(), ...reported])].sort((a, b) => a - b)) {
    const ofDay = byRow.get(row) ?? [];
    const isReported = reported.has(row);
    const counting = ofDay.findLast(({ prevails }) => prevails) ?? (isReported ? undefined : ofDay.at(-1)!);
    const before = anchors.at(-1);
    const offset = counting ? counting.balanceMinor * rules.factor - base[row]! : 0;
    const derivedMinor = follows || isReported ? base[row]! + (isReported ? 0 : (before?.offset ?? offset)) : null;
    met.push(...ofDay.map((statement) => ({ statement, derivedMinor, counts: statement === counting })));
    // Before the bank's first balance nothing else shows that the two differ.
    if (follows && isReported && !counting && before?.stated && before.offset === anchors[0]!.offset) {
      before.stated.derivedMinor = base[before.row]!;
    }
    anchors.push({ row, offset, stated: met.findLast(({ statement }) => statement === counting) ?? null });
  }
  adjust(mainPart(days, rules), rules, anchors);
  markStated(days, rules, anchors, facts);
  return met;
}

/** Where a statement and the history differ, in the order of the statements. */
export function findingsOfStated(met: readonly MetStatement[], { factor }: AccountRules): Finding[] {
  return met.flatMap(({ statement: { day, balanceMinor }, derivedMinor }): Finding[] => {
    const statedMinor = balanceMinor * factor + 0;
    if (derivedMinor === null || derivedMinor === statedMinor) return [];
    return [{ kind: 'statement_differs', day, statedMinor, derivedMinor }];
  });
}

function adjust(part: Part, { factor }: AccountRules, anchors: readonly Anchor[]): void {
  let before = anchors[0]?.offset ?? 0;
  const opening = part.start[0]! + before;
  for (const { row, offset } of anchors) {
    part.adjustments[row]! += offset - before;
    before = offset;
  }
  runBalances(part, factor, opening);
}

/** For so long nothing happened between two lists if the balance after it is the one before it. */
const GAP_DAYS = 31;

/** Who lists the transactions of a day. */
const NOBODY = 0;
const FILE = 1;
const BANK = 2;

/**
 * A stated day is known, and so are the days between two balances that agree if a list has what happened in between, or if
 * nothing but a month lies between two lists. Other days before the bank's first balance, and those of an account without a bank, are counted from a balance by what is listed:
 * they are estimated as far as no day is missing, and unknown beyond. What the bank lists of them is left as it is.
 */
function markStated(
  { firstDay, certainty }: Frame,
  { movedBy }: AccountRules,
  anchors: readonly Anchor[],
  { reportDays, listedDays }: StatedFacts,
): void {
  const listedBy = new Uint8Array(certainty.length);
  for (const by of movedBy === 'entries' ? [FILE, BANK] : []) {
    for (const { first, last, isByBank } of listedDays) {
      if (isByBank === (by === BANK))
        listedBy.fill(by, Math.max(0, first - firstDay), Math.max(0, last + 1 - firstDay));
    }
  }
  const firstReport = reportDays.length > 0 ? reportDays[0]! - firstDay : certainty.length;
  const ends = [...anchors.map(({ row }) => row), certainty.length];
  for (const [place, until] of ends.entries()) {
    const [one, other] = [anchors[place - 1], anchors[place]];
    const from = one ? one.row + 1 : 0;
    const isListed = listedBy.subarray(from, until + 1).some((by) => by !== NOBODY);
    const isShort = listedBy.some((by) => by !== NOBODY) && until - from <= GAP_DAYS;
    if (one && other && (one.stated || other.stated) && one.offset === other.offset && (isListed || isShort)) {
      certainty.fill(KNOWN, from, until);
    } else if (from < firstReport)
      markCounted(certainty, listedBy, { from, until, isBackwards: !one, isBankLeft: !one && !other?.stated });
  }
  for (const { row, stated } of anchors) if (stated) certainty[row] = KNOWN;
}

/** Marks days that are counted from the balance on one side of them. */
function markCounted(
  certainty: Uint8Array,
  listedBy: Uint8Array,
  { from, until, isBackwards, isBankLeft }: { from: number; until: number; isBackwards: boolean; isBankLeft: boolean },
): void {
  let isWhole = true;
  for (let step = 0; step < until - from; step++) {
    const row = isBackwards ? until - 1 - step : from + step;
    isWhole &&= listedBy[row] !== NOBODY;
    if (!isWhole) certainty[row] = UNKNOWN;
    else if (!(isBankLeft && listedBy[row] === BANK)) certainty[row] = Math.max(certainty[row]!, ESTIMATED);
  }
}
