import { jest } from '@jest/globals';
import { Semaphore } from './semaphore.js';

describe('a semaphore with a limited wait', () => {
  afterEach(() => jest.useRealTimers());

  const refusal = () => Object.assign(new Error('refused'), { code: 'unavailable' });
  const never = () => new Promise<never>(() => undefined);

  it('a semaphore runs tasks in the order in which they came', async () => {
    const semaphore = new Semaphore(1, { waiting: 5, waitMs: 1_000, refusal });
    const order: number[] = [];
    const task = (number: number) => semaphore.run(() => Promise.resolve(order.push(number)));
    await Promise.all([task(1), task(2), task(3)]);
    expect(order).toEqual([1, 2, 3]);
  });

  it('a semaphore gives the place of a failed task to the next one', async () => {
    const semaphore = new Semaphore(1, { waiting: 5, waitMs: 1_000, refusal });
    const failing = semaphore.run(() => Promise.reject(new Error('failed')));
    const next = semaphore.run(() => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });

  it('a semaphore rejects a task that has waited too long, and lets another one wait', async () => {
    jest.useFakeTimers();
    const semaphore = new Semaphore(1, { waiting: 1, waitMs: 1_000, refusal });
    void semaphore.run(never);
    const waiting = expect(semaphore.run(never)).rejects.toMatchObject({ code: 'unavailable' });
    await jest.advanceTimersByTimeAsync(1_000);
    await waiting;
    const later = expect(semaphore.run(never)).rejects.toMatchObject({ code: 'unavailable' });
    await jest.advanceTimersByTimeAsync(999);
    await jest.advanceTimersByTimeAsync(1);
    await later;
  });

  it('a semaphore whose line is full refuses a task that waits, and not the one that comes', async () => {
    const semaphore = new Semaphore(1, { waiting: 1, waitMs: 1_000, refusal });
    const running = Promise.withResolvers<string>();
    void semaphore.run(() => running.promise);
    const waiting = semaphore.run(never);
    const next = semaphore.run(() => Promise.resolve('done'));
    await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
    running.resolve('done');
    expect(await next).toBe('done');
  });

  it('a semaphore runs the tasks of its first line before those of the second, which cannot fill it', async () => {
    const semaphore = new Semaphore(1, { waiting: 2, waitMs: 1_000, refusal });
    const order: string[] = [];
    const task = (name: string, isInFirstLine: boolean) =>
      semaphore.run(() => Promise.resolve(order.push(name)), isInFirstLine);
    await Promise.all([
      task('running', false),
      task('second line', false),
      task('second line, too', false),
      task('first line', true),
      task('first line, too', true),
    ]);
    expect(order).toEqual(['running', 'first line', 'first line, too', 'second line', 'second line, too']);
  });
});

describe('a semaphore with two places', () => {
  it('a semaphore with two places runs two tasks at once and the others in order, and a failed task frees its place', async () => {
    const semaphore = new Semaphore(2, { waiting: 5, waitMs: 1_000, refusal: () => new Error('refused') });
    const begun: number[] = [];
    const ends: ((error?: Error) => void)[] = [];
    const visits = [0, 1, 2, 3].map((visitor) =>
      semaphore.run(() => {
        begun.push(visitor);
        return new Promise<number>((resolve, reject) => {
          ends[visitor] = (error) => (error ? reject(error) : resolve(visitor));
        });
      }),
    );
    expect(begun).toEqual([0, 1]);
    ends[1]?.(new Error('trouble'));
    await expect(visits[1]).rejects.toThrow('trouble');
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    await visits[0];
    expect(begun).toEqual([0, 1, 2, 3]);
    ends[2]?.();
    ends[3]?.();
    expect(await Promise.all([visits[2], visits[3]])).toEqual([2, 3]);
    expect(await semaphore.run(() => Promise.resolve('free again'))).toBe('free again');
  });
});
