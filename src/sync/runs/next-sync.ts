const HOUR_MS = 3_600_000;
/** Providers refresh about once a day; more often brings nothing and costs budget. */
const AFTER_SUCCESS_MS = 5 * HOUR_MS;
const AFTER_FAILURE_MS = HOUR_MS;
const LONGEST_AFTER_FAILURE_MS = 24 * HOUR_MS;

/** The earliest time of the next automatic sync: not before the provider's budget has room for it. */
export function nextSyncAfterSuccess(finishedAt: Date, budgetAllowsAt: Date | null): Date {
  return latest(finishedAt.getTime() + AFTER_SUCCESS_MS, budgetAllowsAt);
}

/**
 * After trouble: in 1, 2, 4, 8, 16 and then every 24 hours, unless provider or budget ask for longer.
 *
 * @param failures how many syncs in a row have failed, this one included
 */
export function nextSyncAfterFailure(
  finishedAt: Date,
  failures: number,
  retryAfterSeconds: number | null,
  budgetAllowsAt: Date | null,
): Date {
  const usualMs = Math.min(AFTER_FAILURE_MS * 2 ** (Math.max(1, failures) - 1), LONGEST_AFTER_FAILURE_MS);
  const waitMs = Math.max(usualMs, (retryAfterSeconds ?? 0) * 1000);
  return latest(finishedAt.getTime() + waitMs, budgetAllowsAt);
}

function latest(instantMs: number, other: Date | null): Date {
  return new Date(Math.max(instantMs, other?.getTime() ?? 0));
}
