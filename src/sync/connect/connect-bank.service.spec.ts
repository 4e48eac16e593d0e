import { jest } from '@jest/globals';
import { Secret } from '../../platform/config/secret.js';
import { spend } from './connect-bank.service.js';

describe('spend', () => {
  let asked = 0;
  const silent = { connect: () => new Promise<never>(() => void asked++) };

  beforeEach(() => {
    jest.useFakeTimers();
    asked = 0;
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('a single-use token is not claimed by an instance that is stopping', async () => {
    const failed = spend(silent, new Secret('token'), AbortSignal.abort());
    await expect(failed).rejects.toMatchObject({ code: 'unavailable' });
    expect(asked).toBe(0);
  });

  it('a claim that the provider never answers fails at the deadline', async () => {
    const failed = spend(silent, new Secret('token'), new AbortController().signal).catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(20_000);
    expect(await failed).toMatchObject({ kind: 'network' });
  });
});
