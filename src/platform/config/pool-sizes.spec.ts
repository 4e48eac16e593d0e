import { minPoolMax, poolSizes } from './pool-sizes.js';

const LISTENERS = 1;

describe('poolSizes and minPoolMax', () => {
  it.each([10, 11, 20, 21, 50, 100])('the pools and the listener of an instance open %i sessions', (poolMax) => {
    const { entities, plain, jobs } = poolSizes(poolMax);
    expect(entities + plain + jobs + LISTENERS).toBe(poolMax);
    expect(Math.min(entities, plain, jobs)).toBeGreaterThan(0);
  });

  it.each([1, 4, 16, 100])('the smallest pool leaves sessions to requests while %i syncs write', (syncConcurrency) => {
    const poolMax = minPoolMax(syncConcurrency);
    expect(poolSizes(poolMax).entities).toBeGreaterThan(syncConcurrency);
    expect(poolSizes(poolMax - 1).entities).toBeLessThanOrEqual(syncConcurrency + 1);
  });
});
