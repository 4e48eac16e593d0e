const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After the first attempt, the second, and so on; the example of Standard Webhooks. The last one repeats. */
const DELAYS_MS = [
  ...[5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS],
  ...[10 * HOUR_MS, 14 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS],
];
/** Of each, up or down: endpoints that failed at the same moment are not tried at the same moment. */
const JITTER = 0.2;
/** An endpoint that asks for a longer wait is tried again all the same. */
const MAX_DELAY_MS = 24 * HOUR_MS;

/** An endpoint that has failed for so long is disabled. */
const MAX_FAILING_MS = 72 * HOUR_MS;

/**
 * How long to wait after a failure.
 *
 * @param failures in a row, this one included
 * @param random from 0 to 1
 * @param askedSeconds what the endpoint asked for in `Retry-After`, if it did
 */
export function nextDelayMs(failures: number, random: number, askedSeconds: number | null): number {
  const usualMs = DELAYS_MS[Math.min(failures, DELAYS_MS.length) - 1]! * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.min(MAX_DELAY_MS, Math.max(usualMs, (askedSeconds ?? 0) * SECOND_MS)));
}

export function hasFailedForTooLong(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= MAX_FAILING_MS;
}
