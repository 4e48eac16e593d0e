import type { AccountRules } from './account-type.js';
import { toArrivals } from './arrivals.js';
import { derivePart } from './derive-part.js';
import type { Finding } from './history.js';
import type { Entry, Ledger, Observation } from './ledger.js';
import { type Portfolio, toPortfolio, totalValue, tradesBetween } from './positions.js';
import { explainedSums } from './readings.js';
import { toReports } from './reports.js';
import { addFlow, cashPart, type Frame, nonCashPart, runBalances } from './rows.js';
import { TradeEntries } from './trade-entries.js';

/** Securities and the cash beside them: snapshots of positions tell what the market did and what was traded. */
export function derivePortfolio(
  frame: Frame,
  rules: AccountRules,
  { entries }: Ledger,
  observations: readonly Observation[],
): Finding[] {
  const snapshots = observations.map(({ holdings }) => holdings && toPortfolio(holdings));
  const values = newestValues(snapshots);
  const cash = Float64Array.from(observations, ({ balanceMinor }, index) => balanceMinor - values[index]!);
  const reports = toReports(observations, frame.lastDay, cash);
  const [seen] = explainedSums(entries, toArrivals(entries, reports), reports);
  const tradeEntries = new TradeEntries(entries);
  const part = nonCashPart(frame.columns);
  const legs: Entry[] = [];

  for (let index = 1, earlier = 0; index < snapshots.length; index++) {
    const now = snapshots[index];
    const before = snapshots[earlier];
    if (!now) continue;
    const row = reports.day[index]! - frame.firstDay;
    const change = values[index]! - values[index - 1]!;
    if (!before) part.adjustments[row]! += change;
    else {
      let market = change;
      let unlisted = 0;
      for (const traded of tradesBetween(before, now)) {
        const entry = tradeEntries.take(traded, reports.at[earlier]!, reports.day[earlier]!, reports.day[index]!);
        const onOtherDay = entry && entry.day !== reports.day[index] && entry.day <= frame.lastDay;
        const amount = onOtherDay ? -entry.amountMinor : traded;
        addFlow(part, onOtherDay ? entry.day - frame.firstDay : row, amount);
        market -= amount;
        if (!entry) unlisted += traded;
      }
      frame.columns.netMarketFlows[row]! += market;
      const moved = cash[index]! - cash[index - 1]! - (seen![index]! - seen![index - 1]!);
      if (unlisted !== 0 && Math.abs(moved + unlisted) < Math.abs(moved)) {
        legs.push({ day: reports.day[index]!, amountMinor: -unlisted, firstSeenAt: reports.at[index]! });
      }
    }
    earlier = index;
  }
  runNonCash(frame, values[0]!);
  return derivePart(cashPart(frame.columns), frame, rules, [...entries, ...legs], reports);
}

/** The value of the newest snapshot up to each observation; nothing is known to be held before the first. */
function newestValues(snapshots: readonly (Portfolio | null)[]): number[] {
  let value = 0;
  return snapshots.map((snapshot) => (value = snapshot ? totalValue(snapshot) : value));
}

/** As cash is run, and the market on top. */
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
