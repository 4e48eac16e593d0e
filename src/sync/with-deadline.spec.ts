import { withDeadline } from './with-deadline.js';

/** Work that ends with the reason of its abort. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('the deadline of a sync', () => {
  it('aborts late work with a network error', async () => {
    const late = withDeadline(1, new AbortController().signal, endless);
    await expect(late).rejects.toMatchObject({ kind: 'network', retryable: true });
    await expect(late).rejects.toThrow(/within 1 minute, the limit of a sync/);
  });

  it('keeps the reason of an earlier abort', async () => {
    const caller = new AbortController();
    const work = withDeadline(60_000, caller.signal, endless);
    caller.abort(new Error('cancelled'));
    await expect(work).rejects.toThrow('cancelled');
  });

  it('is nothing to work that ends in time', async () => {
    await expect(withDeadline(60_000, new AbortController().signal, () => Promise.resolve(7))).resolves.toBe(7);
  });
});
