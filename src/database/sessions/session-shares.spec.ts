import { jest } from '@jest/globals';
import { SessionShares } from './session-pool.js';

describe('SessionShares', () => {
  afterEach(() => jest.useRealTimers());

  it('each user gets the same number of sessions, however many other users have', async () => {
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

  it('a request that waits too long for a session times out and leaves the queue', async () => {
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
