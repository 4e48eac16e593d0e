import { pick, randomStream, stableId, wholeBetween } from './random.js';

describe('randomStream', () => {
  it('a random stream gives the same numbers for the same seed on every machine', () => {
    const random = randomStream('tidemark');
    expect([random(), random(), random()]).toEqual([0.4809958362020552, 0.23740152386017144, 0.7225842091720551]);
    expect(randomStream('tidemark')()).toBe(randomStream('tidemark')());
  });

  it('a random stream gives different numbers for a similar seed', () => {
    expect(randomStream('groceries 20000')()).not.toBe(randomStream('groceries 20001')());
  });

  it('a random stream is evenly distributed', () => {
    const firsts = Array.from({ length: 5000 }, (_, day) => wholeBetween(randomStream(`coffee ${day}`), 1, 5));
    for (const value of [1, 2, 3, 4, 5]) {
      const share = firsts.filter((first) => first === value).length / firsts.length;
      expect(share).toBeGreaterThan(0.17);
      expect(share).toBeLessThan(0.23);
    }
  });

  it('pick returns an element of the list and rejects an empty list', () => {
    expect(pick(randomStream('x'), ['only'])).toBe('only');
    expect(() => pick(randomStream('x'), [])).toThrow(RangeError);
  });
});

describe('stableId', () => {
  it('a stable id depends on every part and on where the parts end', () => {
    expect(stableId('TRN', 'a', 1)).toBe(stableId('TRN', 'a', 1));
    expect(stableId('TRN', 'a', 11)).not.toBe(stableId('TRN', 'a', 1, 1));
    expect(stableId('TRN', 'a', 1)).toMatch(/^TRN-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
