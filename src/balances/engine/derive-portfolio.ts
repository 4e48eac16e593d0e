import type { AccountRules } from './account-type.js';
import { ESTIMATED, KNOWN, UNKNOWN } from './certainty.js';
import { requireCountable } from './check-ledger.js';
import { derivePart } from './derive-part.js';
import { deriveReported } from './derive-reported.js';
import type { Finding } from './finding.js';
import { type Filled, findingsOf, isAfterGap } from './findings.js';
import { type FirstSeenIndex, indexFirstSeen } from './inference/first-seen.js';
import { alignSums, movesByRule, RULE_COUNT } from './inference/alignment-rules.js';
import { infer } from './inference/infer.js';
import { toMovements } from './inference/movements.js';
import type { DayNumber, Entry, Observation } from './ledger.js';
import { markCertainty, markUnreported } from './mark-certainty.js';
import { isNear, type Portfolio, toPortfolio, totalValue, tradesBetween } from './positions.js';
import { findGlitches, fillPrices, markGlitches } from './glitches.js';
import type { Reports } from './reports.js';
import { addFlow, cashPart, type Frame, nonCashPart, type Part, runBalances } from './rows.js';
import { REPORTS_A_STEP, type Steps } from './steps.js';
import { TradeEntries } from './trade-entries.js';

/** Securities and the cash beside them: snapshots of positions show what the market did and what was traded. */
export function* derivePortfolio(
  frame: Frame,
  rules: AccountRules,
  entries: readonly Entry[],
  reports: Reports,
  observations: readonly Observation[],
): Steps<Filled> {
  const snapshots = observations.map(({ holdings }) => holdings && toPortfolio(holdings));
  markUnreported(frame, reports.day);
  markEarlierBalances(frame, reports);
  const unseen: Finding[] = [{ kind: 'unknown_before', day: frame.firstDay }, ...unvalued(reports)];
  const first = snapshots.findIndex((snapshot) => snapshot !== null);
  // Without any snapshot the market cannot be separated from the rest.
  if (first < 0) {
    deriveReported(cashPart(frame.columns), frame, entries, reports);
    return { findings: [...unseen, { kind: 'holdings_unknown', until: null }], explanation: null };
  }
  const firstSeen = indexFirstSeen(toMovements(entries, reports), reports);
  const { values, doubtful } = subtractHoldings(reports, snapshots, first, entries, firstSeen);
  const totals = reports.reported.map((cash, index) => cash + values[index]!);
  if (first > 0) {
    beginListing(frame, reports, first, values[first]!);
    unseen.push({ kind: 'holdings_unknown', until: reports.day[first]! });
  }
  const tradedCash = yield* deriveSecurities(frame, firstSeen, reports, snapshots, values);
  bookUnlistedTrades(cashPart(frame.columns), frame, reports, tradedCash);
  totals.forEach((totalMinor, index) => (reports.otherMinor[index] = totalMinor - reports.reported[index]!));
  const explanation = yield* infer(entries, reports, rules);
  const carried = derivePart(cashPart(frame.columns), frame, rules.factor, explanation);
  markCertainty(frame, explanation, rules.factor);
  markGlitches(frame, reports, doubtful);
  return { findings: [...unseen, ...findingsOf(explanation, rules, frame, carried)], explanation };
}

/**
 * Subtracts the value of the holdings from the reported balances, in place, so that the cash remains. Where a figure is
 * a glitch or a price is missing, the cash or the price before it is used. Where the holdings cannot be read and the list
 * does not explain the balance, the market moved them.
 */
function subtractHoldings(
  reports: Reports,
  snapshots: (Portfolio | null)[],
  first: number,
  entries: readonly Entry[],
  firstSeen: FirstSeenIndex,
): { values: readonly number[]; doubtful: ReadonlySet<number> } {
  const { reported, day } = reports;
  const { doubtful, passedOver } = findGlitches(reports, reported, entries);
  // The first and the newest list are as reported.
  const newest = snapshots.findLastIndex((snapshot) => snapshot !== null);
  for (const index of passedOver) {
    if (index > first && index < newest && isEmpty(snapshots[index])) snapshots[index] = null;
  }
  const asReported = newestValues(snapshots);
  const unpriced = fillPrices(snapshots, day);
  const values = newestValues(snapshots);
  const unread = new Set<number>();
  snapshots.forEach((snapshot, index) => {
    if (index > first && (snapshot === null || unpriced.has(index)) && !doubtful.has(index)) unread.add(index);
  });
  const isRead = (index: number) => index >= first && !unread.has(index) && !doubtful.has(index);
  const listedMinor = unread.size === 0 ? null : listedMoves(firstSeen, reports, values, isRead);
  const moved = new Set<number>();
  for (let index = 0; index < reported.length; index++) {
    const [before, total] = [reported[index - 1]!, reported[index]!];
    const [cash, ofReported] = [total - values[index]!, total - asReported[index]!];
    const held = (snapshots[index] ? values[index] : values[index - 1])!;
    const explained = listedMinor && unread.has(index) ? before + listedMinor(index, total - held - before) : cash;
    if (passedOver.has(index)) reported[index] = before;
    // The provider may have added the total up without the price, too.
    else if (Math.abs(ofReported - before) < Math.abs(cash - before)) reported[index] = ofReported;
    else if (cash !== before && cash !== explained && isNear(total - explained, values[index - 1]!)) {
      reported[index] = explained;
      values[index] = total - explained;
      moved.add(index);
    } else reported[index] = cash;
  }
  return { values, doubtful: new Set([...doubtful, ...unpriced, ...moved]) };
}

/**
 * What the list explains of the movement of the cash at an observation, given how much it moved if the market stood still.
 * Any alignment rule may explain all of it. Else it is one of those that fit best where the cash is known: the one by which
 * the market moved least.
 */
function listedMoves(
  firstSeen: FirstSeenIndex,
  reports: Reports,
  values: readonly number[],
  isRead: (index: number) => boolean,
): (index: number, stillMinor: number) => number {
  const { reported, count } = reports;
  const { sums } = alignSums(firstSeen, reports);
  const fits = new Int32Array(RULE_COUNT);
  let before = -1;
  for (let index = 0; index < count; index++) {
    if (!isRead(index)) continue;
    if (before >= 0) {
      const moved = reported[index]! - values[index]! - (reported[before]! - values[before]!);
      for (const [rule, listed] of movesByRule(sums, index, before).entries()) if (listed === moved) fits[rule]!++;
    }
    before = index;
  }
  const best = Math.max(...fits);
  return (index, stillMinor) => {
    const listed = movesByRule(sums, index, index - 1);
    if (listed.includes(stillMinor)) return stillMinor;
    const off = (moved: number) => Math.abs(moved - stillMinor);
    return listed
      .filter((_, rule) => fits[rule] === best)
      .reduce((least, moved) => (off(moved) < off(least) ? moved : least));
  };
}

function isEmpty(snapshot: Portfolio | null | undefined): boolean {
  return [...(snapshot?.values() ?? [])].every(({ quantity, valueMinor }) => quantity === 0 && valueMinor === 0);
}

/**
 * Fills the non-cash part from what changed between snapshots.
 *
 * @returns for each observation the cash that unlisted trades moved, holder's view
 */
function* deriveSecurities(
  frame: Frame,
  firstSeen: FirstSeenIndex,
  reports: Reports,
  snapshots: readonly (Portfolio | null)[],
  values: readonly number[],
): Steps<Float64Array> {
  const tradeEntries = new TradeEntries(firstSeen, reports);
  const part = nonCashPart(frame.columns);
  const tradedCash = new Float64Array(reports.count);
  let earlier = snapshots.findIndex((snapshot) => snapshot !== null);
  let turnover = 0;
  let taken = 0;
  for (let index = earlier + 1; index < snapshots.length; index++) {
    const now = snapshots[index];
    const day = reports.day[index]!;
    let market = values[index]! - values[index - 1]!;
    for (const amounts of now ? tradesBetween(snapshots[earlier]!, now) : []) {
      const { tradedMinor, booking, unlistedMinor } = tradeEntries.take(amounts, index, reports.day[earlier]!, day);
      const amount = booking && booking.day !== day ? -booking.amountMinor : tradedMinor;
      // A trade moves cash and securities on the day of its entry. Until that day is reported the newest report's row has
      // both, so that no earlier row changes when it is.
      const tradeDay = Math.min(booking?.day ?? day, reports.day[reports.count - 1]!);
      addFlow(part, tradeDay - frame.firstDay, amount);
      market -= amount;
      tradedCash[index]! += unlistedMinor;
      turnover += Math.abs(tradedMinor) + Math.abs(amount);
      if (++taken % REPORTS_A_STEP === 0) yield;
    }
    frame.columns.netMarketFlows[day - frame.firstDay]! += market;
    if (now) earlier = index;
  }
  requireCountable(turnover);
  runNonCash(frame, values[0]!);
  return tradedCash;
}

/** Holdings count as cash until they are first listed. Their first value then moves from cash to non-cash. */
function beginListing({ firstDay, columns }: Frame, { reported, day, count }: Reports, first: number, value: number) {
  const row = day[first]! - firstDay;
  columns.nonCashAdjustments[row]! += value;
  columns.cashAdjustments[row]! -= value;
  for (let index = first; index < count; index++) reported[index]! += value;
}

/** The days between two reports more than ten days apart: what the market did on each of them is unknown. */
function unvalued(reports: Reports): Finding[] {
  const { day } = reports;
  const indexes = Array.from({ length: reports.count }, (_, index) => index);
  return indexes
    .filter((index) => isAfterGap(reports, index))
    .map((index) => ({ kind: 'unvalued', day: day[index - 1]! + 1, until: day[index]! - 1 }));
}

/** Cash that unlisted trades moved is known from the snapshots: it is a flow, and not for entries to explain. */
function bookUnlistedTrades(part: Part, { firstDay }: Frame, { reported, day }: Reports, tradedCash: Float64Array) {
  let moved = 0;
  tradedCash.forEach((amountMinor, index) => {
    addFlow(part, day[index]! - firstDay, amountMinor);
    moved += amountMinor;
    reported[index]! -= moved;
  });
}

/** The value of the newest snapshot up to each observation; nothing is known to be held before the first. */
function newestValues(snapshots: readonly (Portfolio | null)[]): number[] {
  let value = 0;
  return snapshots.map((snapshot) => (value = snapshot ? totalValue(snapshot) : value));
}

/** Computes the non-cash balances from flows and adjustments, then adds the market's changes. */
function runNonCash({ columns }: Frame, opening: number): void {
  const part = nonCashPart(columns);
  runBalances(part, 1, opening);
  let market = 0;
  for (let row = 0; row < part.end.length; row++) {
    part.start[row]! += market;
    market += columns.netMarketFlows[row]!;
    part.end[row]! += market;
  }
}

/**
 * Marks days whose newest balance is, as its provider says, of an earlier day: their own value is unknown. A balance
 * of the day before may be of the day itself in another timezone, so that day is only estimated,
 * unless an earlier sync brought it already.
 */
function markEarlierBalances({ firstDay, certainty }: Frame, { count, day, balanceDay }: Reports): void {
  const found = new Map<DayNumber, number>();
  let newest = -Infinity;
  for (let index = 0; index < count; index++) {
    const days = day[index]! - balanceDay[index]!;
    const isNew = balanceDay[index]! > newest;
    found.set(day[index]!, !(days > 0) ? KNOWN : days === 1 && isNew ? ESTIMATED : UNKNOWN);
    if (isNew) newest = balanceDay[index]!;
  }
  for (const [on, value] of found) certainty[on - firstDay] = Math.max(value, certainty[on - firstDay]!);
}
