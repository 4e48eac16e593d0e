const HOUR_MS = 3_600_000;
/** Providers refresh about once a day, and each sync costs requests. */
const AFTER_SUCCESS_MS = 5 * HOUR_MS;
const AFTER_FAILURE_MS = HOUR_MS;
/** A longer wait is probably a mistake of the provider. */
const LONGEST_WAIT_MS = 24 * HOUR_MS;

/**
 * The earliest time of the next automatic sync: after failures with exponential backoff, 1, 2, 4, 8, 16 and then 24 hours.
 * `Retry-After`, which a part of a successful sync may have met, and the request budget may delay it further, up to 24 hours.
 *
 * @param failures how many automatic syncs in a row have failed, at least 1 if the last sync failed
 */
export function nextSyncAt(
  finishedAt: Date,
  failures: number,
  retryAfterSeconds: number | null,
  budgetAllowsAt: Date | null,
): Date {
  const finishedMs = finishedAt.getTime();
  const usualMs = failures === 0 ? AFTER_SUCCESS_MS : AFTER_FAILURE_MS * 2 ** (failures - 1);
  const waitMs = Math.max(usualMs, (retryAfterSeconds ?? 0) * 1000);
  const wantedMs = Math.max(finishedMs + waitMs, budgetAllowsAt?.getTime() ?? 0);
  return new Date(Math.min(wantedMs, finishedMs + LONGEST_WAIT_MS));
}
