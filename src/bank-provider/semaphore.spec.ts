import { Semaphore } from './semaphore.js';

describe('a gate with two places', () => {
  it('lets two in at once, the others in their order, and a failure give its place back', async () => {
    const semaphore = new Semaphore(2);
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
