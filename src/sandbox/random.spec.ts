import { pick, randomStream, stableId, wholeBetween } from './random.js';

describe('a seeded stream', () => {
  it('gives the same numbers for the same text, on every machine', () => {
    const random = randomStream('tidemark');
    expect([random(), random(), random()]).toEqual([0.4809958362020552, 0.23740152386017144, 0.7225842091720551]);
    expect(randomStream('tidemark')()).toBe(randomStream('tidemark')());
  });

  it('gives other numbers for a neighbouring text', () => {
    expect(randomStream('groceries 20000')()).not.toBe(randomStream('groceries 20001')());
  });

  it('is spread evenly', () => {
    const firsts = Array.from({ length: 5000 }, (_, day) => wholeBetween(randomStream(`coffee ${day}`), 1, 5));
    for (const value of [1, 2, 3, 4, 5]) {
      const share = firsts.filter((first) => first === value).length / firsts.length;
      expect(share).toBeGreaterThan(0.17);
      expect(share).toBeLessThan(0.23);
    }
  });

  it('picks what is there', () => {
    expect(pick(randomStream('x'), ['only'])).toBe('only');
    expect(() => pick(randomStream('x'), [])).toThrow(RangeError);
  });
});

describe('a stable id', () => {
  it('depends on every part, and on where one ends and the next begins', () => {
    expect(stableId('TRN', 'a', 1)).toBe(stableId('TRN', 'a', 1));
    expect(stableId('TRN', 'a', 11)).not.toBe(stableId('TRN', 'a', 1, 1));
    expect(stableId('TRN', 'a', 1)).toMatch(/^TRN-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });
});
