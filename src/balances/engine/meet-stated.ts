import type { AccountRules } from './account-type.js';
import { ESTIMATED, KNOWN, UNKNOWN } from './certainty.js';
import type { Finding } from './finding.js';
import type { Filled } from './findings.js';
import { type DayNumber, type ListedDays, type Entry, MONTH_DAYS, type StatedBalance } from './ledger.js';
import { firstAtOrAfter } from './reports.js';
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
  longer.doubt.set(days.doubt, more);
  for (const part of [cashPart(longer.columns), nonCashPart(longer.columns)]) {
    part.adjustments[more]! += part.start[more]!;
    part.start[more] = 0;
  }
  return longer;
}

/** What stated balances are put into. */
export interface StatedFacts {
  /** The days of the bank's reports, ascending; none: the account has no bank. */
  reportDays: Float64Array;
  entries: readonly Entry[];
  stated: readonly StatedBalance[];
  listedDays: readonly ListedDays[];
}

/**
 * Lets a history meet the balances that documents and people state: each is that of the end of its day. Before the first
 * balance of any kind the history is counted back from it. After a stated balance it is counted on until the days that nobody
 * lists, or until the bank's list begins; what differs is an adjustment there, else of the day after, so that no statement moves
 * what the bank lists later. On a day of its own the bank's balance counts, unless the person prefers the other.
 *
 * @returns those of its days, oldest first, and what changed on days that nobody lists
 */
export function meetStated(
  days: Frame,
  rules: AccountRules,
  facts: StatedFacts,
): { met: MetStatement[]; findings: Finding[] } {
  const { firstDay, columns } = days;
  const base = columns.endCash.map((cash, row) => cash + columns.endNonCash[row]!);
  const lists = new Listing(days, rules, facts);
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
    const follow = () => {
      if (isReported) return base[row]!;
      if (!follows) return null;
      const next = facts.reportDays[firstAtOrAfter(facts.reportDays, firstDay + row)];
      if (next !== undefined && lists.isWhole(row + 1, next - firstDay)) return base[row]!;
      return before && lists.isWhole(before.row + 1, row) ? base[row]! + before.offset : null;
    };
    const derivedMinor = ofDay.length > 0 ? follow() : null;
    met.push(...ofDay.map((statement) => ({ statement, derivedMinor, counts: statement === counting })));
    anchors.push({ row, offset, stated: met.findLast(({ statement }) => statement === counting) ?? null });
  }
  const steps = anchors.slice(1).map((other, place) => lists.stepBetween(anchors[place]!, other));
  adjust(mainPart(days, rules), rules, anchors, steps);
  markStated(days, lists, anchors, steps, reported);
  const findings = follows ? steps.flatMap((step) => gapOf(step, firstDay)) : [];
  return { met, findings };
}

/** What changed on days that nobody lists. */
function gapOf({ gap, amountMinor }: Step, firstDay: DayNumber): Finding[] {
  if (!gap || amountMinor === 0) return [];
  return [{ kind: 'gap', day: firstDay + gap.from, until: firstDay + gap.until, amountMinor }];
}

/** Where a statement and the history differ, in the order of the statements. */
export function findingsOfStated(met: readonly MetStatement[], { factor }: AccountRules): Finding[] {
  // Of files that state the same for a day one finding tells.
  const different = new Map(met.map((one) => [`${one.statement.day} ${one.statement.balanceMinor}`, one]));
  return [...different.values()].flatMap(({ statement: { day, balanceMinor }, derivedMinor }): Finding[] => {
    const statedMinor = balanceMinor * factor + 0;
    if (derivedMinor === null || derivedMinor === statedMinor) return [];
    return [{ kind: 'statement_differs', day, statedMinor, derivedMinor }];
  });
}

/** Where the history goes from what one balance gives to what the next one gives. */
interface Step {
  row: number;
  amountMinor: number;
  /** Rows that nobody lists, the last one included; `null`: there are none between the two. */
  gap: { from: number; until: number } | null;
}

function adjust(part: Part, { factor }: AccountRules, anchors: readonly Anchor[], steps: readonly Step[]): void {
  const opening = part.start[0]! + (anchors[0]?.offset ?? 0);
  for (const { row, amountMinor } of steps) part.adjustments[row]! += amountMinor;
  runBalances(part, factor, opening);
}

/** Who lists the transactions of a day. */
const NOBODY = 0;
const FILE = 1;
const BANK = 2;

/** Who lists the transactions of each row. */
class Listing {
  readonly #by: Uint8Array;
  readonly #isMoved: boolean;
  readonly hasAny: boolean;

  constructor({ firstDay, certainty }: Frame, { movedBy }: AccountRules, { listedDays }: StatedFacts) {
    this.#by = new Uint8Array(certainty.length);
    this.#isMoved = movedBy === 'entries';
    for (const by of this.#isMoved ? [FILE, BANK] : []) {
      for (const { first, last, isByBank } of listedDays) {
        if (isByBank !== (by === BANK)) continue;
        this.#by.fill(by, Math.max(0, first - firstDay), Math.max(0, last + 1 - firstDay));
      }
    }
    this.hasAny = this.hasSome(0, certainty.length - 1);
  }

  /** Whether somebody lists each row, the last one included. */
  isWhole(from: number, until: number): boolean {
    return !this.#by.subarray(from, until + 1).includes(NOBODY);
  }

  hasSome(from: number, until: number): boolean {
    return this.#by.subarray(from, until + 1).some((by) => by !== NOBODY);
  }

  isOfBank(row: number): boolean {
    return this.#by[row] === BANK;
  }

  stepBetween(one: Anchor, other: Anchor): Step {
    const amountMinor = other.offset - one.offset;
    if (!this.#isMoved || !this.hasAny) return { row: other.row, amountMinor, gap: null };
    const next = one.row + 1;
    const between = this.#by.subarray(next, other.row + 1);
    const last = between.lastIndexOf(NOBODY);
    if (last >= 0) {
      const from = next + between.subarray(0, last).findLastIndex((by) => by !== NOBODY) + 1;
      const until = next + last;
      return { row: Math.min(until + 1, other.row), amountMinor, gap: { from, until: Math.min(until, other.row - 1) } };
    }
    const bank = between.indexOf(BANK);
    if (!this.isOfBank(one.row) && bank >= 0) return { row: next + bank, amountMinor, gap: null };
    return { row: other.stated ? other.row : next, amountMinor, gap: null };
  }
}

/**
 * A stated day is known, and so are the days between two balances that agree if a list has what happened in between, or if
 * nothing but a month lies between two lists. Other days before the bank's first balance, and those of an account without a
 * bank, are counted from a balance by what is listed: they are estimated as far as no day is missing, and unknown beyond. What
 * is counted back from the bank's balances by what it lists is left as it is.
 */
function markStated(
  { certainty }: Frame,
  lists: Listing,
  anchors: readonly Anchor[],
  steps: readonly Step[],
  reported: ReadonlySet<number>,
): void {
  const firstReport = Math.min(certainty.length, ...[...reported].slice(0, 1));
  const count = (rows: readonly number[], isBankLeft: boolean) => {
    let isWhole = true;
    for (const row of rows) {
      isWhole &&= lists.isWhole(row, row);
      if (!isWhole) certainty[row] = UNKNOWN;
      else if (!(isBankLeft && lists.isOfBank(row))) certainty[row] = Math.max(certainty[row]!, ESTIMATED);
    }
  };
  for (let place = 0; place <= anchors.length; place++) {
    const [one, other] = [anchors[place - 1], anchors[place]];
    const [from, until] = [one ? one.row + 1 : 0, other?.row ?? certainty.length];
    const isProven = lists.hasSome(from, until) || (lists.hasAny && until - from <= MONTH_DAYS);
    if (one && other && (one.stated || other.stated) && one.offset === other.offset && isProven) {
      certainty.fill(KNOWN, from, until);
    } else if (from < firstReport || (one && one.offset !== 0)) {
      const step = one ? (steps[place - 1]?.row ?? until) : from;
      count(rowsFrom(from, Math.min(step, until)), false);
      count(rowsFrom(step, until).toReversed(), !other?.stated);
    }
  }
  for (const { row, stated } of anchors) if (stated) certainty[row] = KNOWN;
}

function rowsFrom(from: number, until: number): number[] {
  return Array.from({ length: Math.max(0, until - from) }, (_, index) => from + index);
}
