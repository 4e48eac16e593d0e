/** Which command runs: `npm test`, or one of those that take longer and look closer. */
export const TIER = process.env['TEST_TIER'] ?? 'test';

/** Every tenth of some heavy cases in `npm test`, all of them in the other tiers. */
export function tenthInQuickRun<T>(cases: readonly T[]): T[] {
  return TIER === 'test' ? cases.filter((_, index) => index % 10 === 0) : [...cases];
}

/** How many examples of a heavy property `npm test` plays: a tenth. */
export function tenthOfExamples(count: number): number {
  return TIER === 'test' ? Math.ceil(count / 10) : count;
}
