import type { DayNumber } from '../ledger.js';

/** What the list shows of the money at one moment: the input of every explanation of a reported balance. */
export interface Movement {
  day: DayNumber;
  /** Holder's view. */
  amountMinor: number;
  /** Epoch milliseconds. */
  listedFrom: number;
  /** Whether the bank took back or replaced what it listed before: that moves the balance when it is listed. */
  isCorrection?: boolean;
  /** Of a correction: when the corrected version was first listed. The balance may have been right from then on. */
  correctsSince?: number;
  /** Of a correction: the day of the corrected transaction, as it is or was listed last. */
  correctsDay?: DayNumber;
}
