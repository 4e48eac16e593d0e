import { EventEmitter } from 'node:events';
import { jest } from '@jest/globals';
import type { Response } from 'express';
import { sendEvents, type StreamEvent } from './event-stream.js';

/** What of a response is needed to send events; `hasRoom`: whether the client keeps up. */
class Sink extends EventEmitter {
  text = '';
  isEnded = false;
  isDestroyed = false;
  hasRoom = true;

  constructor(readonly req = { method: 'GET' }) {
    super();
  }

  setHeader(): void {}

  write(text: string): boolean {
    this.text += text;
    return this.hasRoom;
  }

  get writableNeedDrain(): boolean {
    return !this.hasRoom;
  }

  end(): void {
    this.isEnded = true;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

async function* never(signal: AbortSignal): AsyncGenerator<StreamEvent> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve));
  yield* [];
}

describe('sendEvents', () => {
  afterEach(() => jest.useRealTimers());

  it('an event stream sends a comment every 15 seconds, and nothing after the client disconnects', async () => {
    jest.useFakeTimers();
    const sink = new Sink();
    const abort = new AbortController();
    const sent = sendEvents(sink as unknown as Response, never(abort.signal), abort);
    await jest.advanceTimersByTimeAsync(31_000);
    expect(sink.text).toBe('retry: 2000\n\n: still here\n\n: still here\n\n');
    sink.emit('close');
    await sent;
    await jest.advanceTimersByTimeAsync(60_000);
    expect([sink.isEnded, sink.text.length]).toEqual([true, 'retry: 2000\n\n: still here\n\n: still here\n\n'.length]);
  });

  it('an event stream answers HEAD without any event', async () => {
    const sink = new Sink({ method: 'HEAD' });
    const abort = new AbortController();
    await sendEvents(sink as unknown as Response, never(abort.signal), abort);
    expect([sink.text, sink.isEnded]).toEqual(['', true]);
  });

  it('an event stream takes no further events while the client is slow to read', async () => {
    const sink = new Sink();
    sink.hasRoom = false;
    let taken = 0;
    async function* events(): AsyncGenerator<StreamEvent> {
      for (let id = 1; id <= 3; id++) yield await Promise.resolve({ id: String((taken = id)), name: 'sync', data: {} });
    }
    const sent = sendEvents(sink as unknown as Response, events(), new AbortController());
    await new Promise(setImmediate);
    expect(taken).toBe(1);
    sink.hasRoom = true;
    sink.emit('drain');
    await sent;
    expect(sink.text).toMatch(/^id: 3\nevent: sync\ndata: \{\}\n\n$/m);
  });

  it('an event stream leaves no abort listener behind after waiting for a slow client', async () => {
    const sink = new Sink();
    sink.hasRoom = false;
    const abort = new AbortController();
    const [added, removed] = [
      jest.spyOn(abort.signal, 'addEventListener'),
      jest.spyOn(abort.signal, 'removeEventListener'),
    ];
    async function* events(): AsyncGenerator<StreamEvent> {
      for (let id = 1; id <= 20; id++) yield await Promise.resolve({ id: String(id), name: 'sync', data: {} });
    }
    const sent = sendEvents(sink as unknown as Response, events(), abort);
    for (let id = 1; id <= 20; id++) {
      await new Promise(setImmediate);
      sink.emit('drain');
    }
    await sent;
    expect([added.mock.calls.length, removed.mock.calls.length]).toEqual([20, 20]);
  });

  it('an event stream can send an id without an event', async () => {
    const sink = new Sink();
    async function* events(): AsyncGenerator<StreamEvent> {
      yield await Promise.resolve({ id: '7' });
    }
    await sendEvents(sink as unknown as Response, events(), new AbortController());
    expect(sink.text).toBe('retry: 2000\n\nid: 7\n\n');
  });

  it('an aborted event stream takes no more events, even of those with a common id', async () => {
    const sink = new Sink();
    const abort = new AbortController();
    async function* events(): AsyncGenerator<StreamEvent> {
      yield await Promise.resolve({ id: null, name: 'sync', data: {} });
      abort.abort();
      yield { id: null, name: 'sync', data: {} };
      yield { id: '1', name: 'changes', data: {} };
    }
    await sendEvents(sink as unknown as Response, events(), abort);
    expect(sink.text).not.toContain('changes');
  });

  it('an event without an id leaves the last event id of the client unchanged', async () => {
    const sink = new Sink();
    async function* events(): AsyncGenerator<StreamEvent> {
      yield await Promise.resolve({ id: null, name: 'reset', data: {} });
    }
    await sendEvents(sink as unknown as Response, events(), new AbortController());
    expect(sink.text).toMatch(/\n\nevent: reset\ndata: \{\}\n\n$/);
  });
});
