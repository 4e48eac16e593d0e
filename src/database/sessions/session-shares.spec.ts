import { jest } from '@jest/globals';
import { SessionShares } from './session-pool.js';

describe('shares of the sessions', () => {
  afterEach(() => jest.useRealTimers());

  it('are of one size for each person, whoever else has taken theirs', async () => {
    const shares = new SessionShares(2, 1_000);
    const first = await shares.take('anna');
    await shares.take('anna');
    let isThird = false;
    const third = shares.take('anna').then(() => (isThird = true));
    await shares.take('bob');
    await shares.take(null);
    expect(isThird).toBe(false);
    first();
    await third;
  });

  it('let nobody wait for ever, and forget whoever timed out', async () => {
    jest.useFakeTimers();
    const shares = new SessionShares(1, 1_000);
    const giveBack = await shares.take('anna');
    const refused = expect(shares.take('anna')).rejects.toThrow('timeout exceeded when trying to connect');
    await jest.advanceTimersByTimeAsync(1_000);
    await refused;
    giveBack();
    await shares.take('anna');
  });
});
