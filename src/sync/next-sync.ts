const HOUR_MS = 3_600_000;
/** Providers refresh about once a day; more often brings nothing and costs budget. */
const AFTER_SUCCESS_MS = 5 * HOUR_MS;
const AFTER_FAILURE_MS = HOUR_MS;

/** The earliest time of the next automatic sync: not before the provider's budget has room for it. */
export function nextSyncAfterSuccess(finishedAt: Date, budgetAllowsAt: Date | null): Date {
  return new Date(Math.max(finishedAt.getTime() + AFTER_SUCCESS_MS, budgetAllowsAt?.getTime() ?? 0));
}

/** After trouble: soon again, unless the provider asked for longer. */
export function nextSyncAfterFailure(finishedAt: Date, retryAfterSeconds: number | null): Date {
  return new Date(finishedAt.getTime() + Math.max(AFTER_FAILURE_MS, (retryAfterSeconds ?? 0) * 1000));
}
