import type { DayNumber, Entry } from '../ledger.js';
import type { Reports } from '../reports.js';
import type { ExplainedOffsets } from './explained-offsets.js';
import type { Movement } from './first-seen.js';
import type { Rival } from './margins.js';
import type { Reversal } from './reversals.js';
import type { Traits } from './traits.js';

/** From an observation on, what no transaction explains: the opening balance and everything that came unlisted. */
export interface Baseline {
  from: number;
  /** The day on which it changed to this. */
  day: DayNumber;
  amountMinor: number;
  /** By how much it changed on that day; 0 of the first. */
  changedMinor: number;
  /**
   * Why the balance does not show what is listed, if that is why it changed: a duplicate, a correction of the list, a sign, or
   * a movement that came later than its day, which is undone on its day and done when it came.
   */
  unshown?: 'duplicate' | 'correction' | 'late' | 'sign';
  /** The movement that it does not show, or shows only now. */
  movement?: Movement;
}

/** The explanation with the shortest description. */
export interface Explanation {
  /** Entries and reports, what is reported in the other sign put right. */
  entries: readonly Entry[];
  reports: Reports;
  reversal: Reversal | null;
  traits: Traits;
  offsets: ExplainedOffsets;
  /** The unit that balances are rounded to, by which they may be apart from what is derived; 0 if they are exact. */
  unit: number;
  /** Whether what it rests on was seen once, and may be a coincidence. */
  isSeenOnce: boolean;
  /** The baseline offsets, holder's view, in order. */
  baselines: readonly Baseline[];
  /** By observation, the baseline offset in force. */
  bases: Float64Array;
  /** From this observation on a difference is open that may go away by itself; `count` when none is. */
  openFrom: number;
  /** Whether an observation is one of many in a row that nothing explains: then the history shows what was reported. */
  isUnexplained: (index: number) => boolean;
  /** By observation, the nearest other explanation. */
  rivals: readonly (Rival | null)[];
  /** How many bits more it costs to believe that a debt is a credit, and the other way round. */
  signBits: number;
}
