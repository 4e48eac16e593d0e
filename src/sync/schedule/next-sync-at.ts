const HOUR_MS = 3_600_000;
/** Providers refresh about once a day, and each sync costs requests. */
const AFTER_SUCCESS_MS = 5 * HOUR_MS;
const AFTER_FAILURE_MS = HOUR_MS;
/** A longer wait is probably a mistake of the provider. */
const LONGEST_WAIT_MS = 24 * HOUR_MS;

/** The earliest time of the next automatic sync, at which the request budget has room for it. */
export function nextSyncAfterSuccess(finishedAt: Date, budgetAllowsAt: Date | null): Date {
  return after(finishedAt, AFTER_SUCCESS_MS, budgetAllowsAt);
}

/**
 * The same after a failure, with exponential backoff: 1, 2, 4, 8, 16 and then 24 hours. `Retry-After` and the request
 * budget may delay it further, up to 24 hours.
 *
 * @param failures how many syncs in a row have failed, this one included
 */
export function nextSyncAfterFailure(
  finishedAt: Date,
  failures: number,
  retryAfterSeconds: number | null,
  budgetAllowsAt: Date | null,
): Date {
  const usualMs = AFTER_FAILURE_MS * 2 ** (Math.max(1, failures) - 1);
  return after(finishedAt, Math.max(usualMs, (retryAfterSeconds ?? 0) * 1000), budgetAllowsAt);
}

function after(finishedAt: Date, waitMs: number, budgetAllowsAt: Date | null): Date {
  const finishedMs = finishedAt.getTime();
  const wantedMs = Math.max(finishedMs + waitMs, budgetAllowsAt?.getTime() ?? 0);
  return new Date(Math.min(wantedMs, finishedMs + LONGEST_WAIT_MS));
}
