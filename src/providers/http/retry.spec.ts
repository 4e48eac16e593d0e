import { isTransientStatus, MAX_RETRIES, retryAfterSeconds, retryDelayMs } from './retry.js';

describe('isTransientStatus', () => {
  it.each([
    [200, false],
    [302, false],
    [400, false],
    [401, false],
    [402, false],
    [403, false],
    [404, false],
    [408, false],
    [429, false],
    [500, true],
    [501, false],
    [502, true],
    [503, true],
    [504, true],
    [524, true],
  ])('the status %i is transient, so that the request is retried: %s', (status, retried) => {
    expect(isTransientStatus(status)).toBe(retried);
  });
});

describe('retryDelayMs', () => {
  it('the retry delay doubles from two seconds', () => {
    expect(MAX_RETRIES).toBe(3);
    expect([1, 2, 3].map((retry) => retryDelayMs(retry, 0))).toEqual([2_000, 4_000, 8_000]);
  });

  it('the retry delay has a random jitter of up to a quarter', () => {
    expect(retryDelayMs(1, 1)).toBe(2_500);
    expect(retryDelayMs(3, 0.5)).toBe(9_000);
  });

  it('the retry delay is never longer than thirty seconds', () => {
    expect(retryDelayMs(9, 1)).toBe(30_000);
  });

  it('the retry delay is that of Retry-After if it is longer', () => {
    expect(retryDelayMs(1, 0, 7)).toBe(7_000);
    expect(retryDelayMs(3, 0, 1)).toBe(8_000);
  });

  it('no retry is made if Retry-After is longer than thirty seconds', () => {
    expect(retryDelayMs(1, 0, 30)).toBe(30_000);
    expect(retryDelayMs(1, 0, 31)).toBeNull();
  });
});

describe('retryAfterSeconds', () => {
  const now = new Date('2026-03-15T12:00:00Z');

  it.each([
    ['120', 120],
    [' 0 ', 0],
    ['Sun, 15 Mar 2026 12:01:30 GMT', 90],
    ['Sunday, 15-Mar-26 12:01:30 GMT', 90],
    ['Sun, 15 Mar 2026 11:00:00 GMT', 0],
    [undefined, null],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1.5', null],
    ['in 5 minutes', null],
    ['86401', 86_400],
    ['999999999', 86_400],
    ['99999999999999999999999999', 86_400],
    ['Sat, 15 Mar 2058 12:00:00 GMT', 86_400],
  ])('the Retry-After header %j means %j seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });
});
