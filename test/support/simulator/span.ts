import type { Period } from './bank.js';
import { DAY_MS } from './truth.js';

/** The days a life is told for. */
export interface Span {
  first: number;
  last: number;
}

/** What many banks deliver at the first sync. */
const HISTORY_DAYS = 30;
export const FIRST_DAY = 20_000;
export const FIRST_SYNC_DAY = FIRST_DAY + HISTORY_DAYS;
/** Long enough for every fault to show, and for a consent to lapse and come back. */
export const LIFE_DAYS = 130;

export function spanOf(lifeDays: number): Span {
  return { first: FIRST_DAY, last: FIRST_SYNC_DAY + lifeDays };
}

/** A moment, from a number of days after the first sync's day began. */
export function momentOf(days: number): number {
  return (FIRST_SYNC_DAY + days) * DAY_MS;
}

export function isWithin(period: Period | null, moment: number): boolean {
  return period !== null && momentOf(period[0]) <= moment && moment < momentOf(period[1]);
}

export function dayOf(moment: number): number {
  return Math.floor(moment / DAY_MS);
}
