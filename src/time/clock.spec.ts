import { SystemClock } from './clock.js';

const HOUR_MS = 3_600_000;
const anHourAgo = () => new Date(new Date().getTime() - HOUR_MS);

describe('a clock that follows another', () => {
  it('keeps its time where the other says nearly the same, or took long to answer', () => {
    const clock = new SystemClock();
    expect(clock.follow(new Date(), 20)).toBeNull();
    expect(clock.follow(anHourAgo(), 2.5 * HOUR_MS)).toBeNull();
    expect(Math.abs(clock.now().getTime() - new Date().getTime())).toBeLessThan(HOUR_MS / 2);
  });

  it('takes over a time that is ahead or behind, and goes back once its own is right again', () => {
    const clock = new SystemClock();
    for (const hours of [2, -3, 0]) {
      const theirs = new Date(new Date().getTime() + hours * HOUR_MS);
      const ahead = clock.follow(theirs, 0)!;
      expect(Math.round(ahead / HOUR_MS)).toBe(hours);
      expect(Math.round((clock.now().getTime() - theirs.getTime()) / HOUR_MS)).toBe(0);
      expect(clock.follow(theirs, 0)).toBeNull();
    }
  });
});
