const HOUR_MS = 3_600_000;
/** Providers refresh about once a day; more often brings nothing and costs budget. */
const AFTER_SUCCESS_MS = 5 * HOUR_MS;
const AFTER_FAILURE_MS = HOUR_MS;
/** Whoever asks for longer: a connection that is not tried for years looks well and brings nothing. */
const LONGEST_WAIT_MS = 24 * HOUR_MS;

/** The earliest time of the next automatic sync: not before the provider's budget has room for it. */
export function nextSyncAfterSuccess(finishedAt: Date, budgetAllowsAt: Date | null): Date {
  return after(finishedAt, AFTER_SUCCESS_MS, budgetAllowsAt);
}

/**
 * After trouble: in 1, 2, 4, 8, 16 and then every 24 hours. Provider or budget may ask for longer, up to 24 hours.
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
