import { jest } from '@jest/globals';
import { BoundedSemaphore } from './bounded-semaphore.js';

describe('a semaphore', () => {
  afterEach(() => jest.useRealTimers());

  const never = () => new Promise<never>(() => undefined);

  it('runs tasks in the order in which they came', async () => {
    const semaphore = new BoundedSemaphore({ atOnce: 1, waiting: 5, waitMs: 1_000 });
    const order: number[] = [];
    const task = (number: number) => semaphore.run(() => Promise.resolve(order.push(number)));
    await Promise.all([task(1), task(2), task(3)]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('gives the place of a task that failed to the next one', async () => {
    const semaphore = new BoundedSemaphore({ atOnce: 1, waiting: 5, waitMs: 1_000 });
    const failing = semaphore.run(() => Promise.reject(new Error('failed')));
    const next = semaphore.run(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });

  it('refuses who has waited for too long, and lets somebody else wait', async () => {
    jest.useFakeTimers();
    const semaphore = new BoundedSemaphore({ atOnce: 1, waiting: 1, waitMs: 1_000 });
    void semaphore.run(never);
    const waiting = expect(semaphore.run(never)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(semaphore.run(never)).rejects.toMatchObject({ code: 'unavailable' });
    await jest.advanceTimersByTimeAsync(1_000);
    await waiting;
    const later = expect(semaphore.run(never)).rejects.toMatchObject({ code: 'unavailable' });
    await jest.advanceTimersByTimeAsync(999);
    await jest.advanceTimersByTimeAsync(1);
    await later;
  });
});
