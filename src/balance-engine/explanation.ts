import type { ReportedSign } from './account-type.js';
import { toArrivals } from './arrivals.js';
import { toEvidence } from './evidence.js';
import type { Finding } from './finding.js';
import { type Habits, possibleHabits, unexplained } from './habits.js';
import type { Entry } from './ledger.js';
import { findLevels } from './levels.js';
import { readEntries } from './readings.js';
import type { Reports } from './reports.js';
import type { Evidence, Level } from './story.js';

/** How entries and reported balances of an account belong together. */
export interface Explanation {
  reports: Reports;
  habits: Habits;
  evidence: Evidence;
  /** What no entry explains, holder's view: from each `from` on so much, the opening balance included. */
  levels: readonly Level[];
}

/** What filling the columns of a history brings to light. */
export interface Filled {
  findings: Finding[];
  /** `null` where nothing but the reports counts. */
  explanation: Explanation | null;
}

/** The cheapest explanation, whatever habits of the bank it takes. */
export function explain(entries: readonly Entry[], reports: Reports, sign: ReportedSign): Explanation {
  const arrivals = toArrivals(entries, reports);
  const read = readEntries(arrivals, reports);
  let cheapest: Explanation | null = null;
  let limit = Infinity;
  for (const habits of possibleHabits(reports, read, sign)) {
    const evidence = toEvidence(reports, habits, unexplained(reports, read.sums, habits), arrivals, read);
    const found = findLevels(evidence, limit);
    if (!found) continue;
    cheapest = { reports, habits, evidence, levels: found.levels };
    limit = found.cost;
  }
  return cheapest!;
}
