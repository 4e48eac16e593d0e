import { evenly } from './evenly.js';

describe('points evenly spread', () => {
  it('are all of them where they are few', () => expect(evenly(3, 5)).toEqual([0, 1, 2]));

  it('keep the first and the last where they are many', () => {
    expect(evenly(11, 3)).toEqual([0, 5, 10]);
    expect(evenly(366, 56)).toHaveLength(56);
    expect(new Set(evenly(366, 56)).size).toBe(56);
  });

  it('are none of none and one of one', () => expect([evenly(0, 5), evenly(1, 5)]).toEqual([[], [0]]));
});
