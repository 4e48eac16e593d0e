import { nextSyncAt } from './next-sync-at.js';

const NOON = new Date('2026-03-15T12:00:00Z');
const hoursLater = (date: Date) => (date.getTime() - NOON.getTime()) / 3_600_000;

describe('nextSyncAt', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 4],
    [5, 16],
    [6, 24],
    [500, 24],
  ])('the next sync after %i failures in a row is %i hours later', (failures, hours) => {
    expect(hoursLater(nextSyncAt(NOON, failures, null, null))).toBe(hours);
  });

  it('the next sync waits as long as the provider asks for, and at least as long as usual', () => {
    expect(hoursLater(nextSyncAt(NOON, 1, 3 * 3600, null))).toBe(3);
    expect(hoursLater(nextSyncAt(NOON, 3, 60, null))).toBe(4);
    expect(hoursLater(nextSyncAt(NOON, 0, 12 * 3600, null))).toBe(12);
    expect(hoursLater(nextSyncAt(NOON, 0, 60, null))).toBe(5);
  });

  it('the next sync waits a day at most, whatever the provider asks for', () => {
    expect(hoursLater(nextSyncAt(NOON, 1, 999_999_999, null))).toBe(24);
  });

  it('the next sync is never before the request budget has room, after success or failure', () => {
    const tomorrow = new Date('2026-03-16T12:00:00Z');
    expect(nextSyncAt(NOON, 0, null, tomorrow)).toEqual(tomorrow);
    expect(nextSyncAt(NOON, 1, null, tomorrow)).toEqual(tomorrow);
    expect(hoursLater(nextSyncAt(NOON, 0, null, null))).toBe(5);
    expect(hoursLater(nextSyncAt(NOON, 0, null, NOON))).toBe(5);
  });
});
