import { isTransientStatus, MAX_RETRIES, retryAfterSeconds, retryDelayMs } from './retry.js';

describe('a retry', () => {
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
  ])('after status %i is %s', (status, retried) => {
    expect(isTransientStatus(status)).toBe(retried);
  });
});

describe('the delay before a retry', () => {
  it('doubles from two seconds', () => {
    expect(MAX_RETRIES).toBe(3);
    expect([1, 2, 3].map((retry) => retryDelayMs(retry, 0))).toEqual([2_000, 4_000, 8_000]);
  });

  it('is up to a quarter longer by chance', () => {
    expect(retryDelayMs(1, 1)).toBe(2_500);
    expect(retryDelayMs(3, 0.5)).toBe(9_000);
  });

  it('is never more than half a minute', () => {
    expect(retryDelayMs(9, 1)).toBe(30_000);
  });

  it('is what the server asks for, if that is longer', () => {
    expect(retryDelayMs(1, 0, 7)).toBe(7_000);
    expect(retryDelayMs(3, 0, 1)).toBe(8_000);
  });

  it('is none when the server asks for more than is worth waiting', () => {
    expect(retryDelayMs(1, 0, 30)).toBe(30_000);
    expect(retryDelayMs(1, 0, 31)).toBeNull();
  });
});

describe('a Retry-After header', () => {
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
  ])('%j asks for %j seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, now)).toBe(seconds);
  });
});
