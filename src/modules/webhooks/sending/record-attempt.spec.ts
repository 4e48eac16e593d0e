import { hasFailedForTooLong, nextDelayMs } from './record-attempt.js';

const HOUR_MS = 3_600_000;

describe('retries of a webhook message', () => {
  it('webhook retries have the delays of Standard Webhooks with a jitter of a fifth, and at most a day', () => {
    const delays = Array.from({ length: 11 }, (_, index) => nextDelayMs(index + 1, 0.5, null) / HOUR_MS);
    expect(delays.map((hours) => Math.round(hours * 3_600))).toEqual([
      ...[5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, 86_400, 86_400],
    ]);
    expect([nextDelayMs(2, 0, null), nextDelayMs(2, 1, null), nextDelayMs(9, 1, null)]).toEqual([
      ...[240_000, 360_000, 24 * HOUR_MS],
    ]);
  });

  it('a webhook retry waits for Retry-After, but at most a day and at least the usual delay', () => {
    expect([nextDelayMs(1, 0.5, 90), nextDelayMs(1, 0.5, 1), nextDelayMs(1, 0.5, 999_999)]).toEqual([
      ...[90_000, 5_000, 24 * HOUR_MS],
    ]);
  });

  it('webhook retries end once the endpoint has failed for three days', () => {
    const since = new Date('2026-03-01T00:00:00Z');
    expect(hasFailedForTooLong(since, new Date('2026-03-03T23:59:59Z'))).toBe(false);
    expect(hasFailedForTooLong(since, new Date('2026-03-04T00:00:00Z'))).toBe(true);
  });
});
