import { withDeadline } from './with-deadline.js';

/** Work that ends with the reason of its abort. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

describe('withDeadline', () => {
  it('work that exceeds its deadline is aborted with a network error that is retryable', async () => {
    const late = withDeadline(1, new AbortController().signal, endless);
    await expect(late).rejects.toMatchObject({ kind: 'network', retryable: true });
    await expect(late).rejects.toThrow(/within 1 minute, the limit of a sync/);
  });

  it('work that is aborted before its deadline fails with the reason of the abort', async () => {
    const caller = new AbortController();
    const work = withDeadline(60_000, caller.signal, endless);
    caller.abort(new Error('cancelled'));
    await expect(work).rejects.toThrow('cancelled');
  });

  it('work that ends before its deadline returns its result', async () => {
    await expect(withDeadline(60_000, new AbortController().signal, () => Promise.resolve(7))).resolves.toBe(7);
  });
});
