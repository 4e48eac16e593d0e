import { getEventListeners } from 'node:events';
import { unlessAborted, withAbortScope } from './abort-scope.js';

/** Work that ends when it is aborted, with the reason. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    const fail = () => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail);
  });

describe('withAbortScope', () => {
  it('an abort scope ends with the reason of any of its signals', async () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const work = withAbortScope({ signals: [one.signal, other.signal] }, endless);
    other.abort(new Error('cancelled'));
    await expect(work).rejects.toThrow('cancelled');
    await expect(withAbortScope({ signals: [other.signal] }, endless)).rejects.toThrow('cancelled');
  });

  it('an abort scope ends when its timeout expires', async () => {
    await expect(withAbortScope({ signals: [], timeoutMs: 1 }, endless)).rejects.toMatchObject({
      name: 'TimeoutError',
    });
    const timeoutReason = () => new Error('too late');
    await expect(withAbortScope({ signals: [], timeoutMs: 1, timeoutReason }, endless)).rejects.toThrow('too late');
  });

  it('an abort scope removes its listeners when the work ends', async () => {
    const { signal } = new AbortController();
    await withAbortScope({ signals: [signal], timeoutMs: 60_000 }, () => Promise.resolve());
    await withAbortScope({ signals: [signal] }, () => Promise.reject(new Error('failed'))).catch(() => undefined);
    await unlessAborted(signal, Promise.resolve());
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('unlessAborted', () => {
  it('waiting unless aborted returns the result or the error of the work', async () => {
    const { signal } = new AbortController();
    await expect(unlessAborted(signal, Promise.resolve(7))).resolves.toBe(7);
    await expect(unlessAborted(signal, Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  });

  it('waiting unless aborted ends although the work ignores the signal', async () => {
    const controller = new AbortController();
    const waiting = unlessAborted(controller.signal, new Promise(() => undefined));
    controller.abort(new Error('cancelled'));
    await expect(waiting).rejects.toThrow('cancelled');
    await expect(unlessAborted(controller.signal, new Promise(() => undefined))).rejects.toThrow('cancelled');
  });
});
