import { jest } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { DrainService } from './drain.service.js';

/** Of asking a bank for a credential, in a higher folder. */
const CONNECT_DEADLINE_MS = 20_000;
const STORING_MS = 4_000;
const WHOLE_STOP_MS = 45_000;

/** It has a request that is never answered. */
class BusyServer extends EventEmitter {
  readonly listening = true;
  isCutOff = false;

  closeIdleConnections(): void {
    // There is none.
  }

  closeAllConnections(): void {
    this.isCutOff = true;
    this.emit('close');
  }
}

describe('DrainService with a request under way', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('a closing server gives a request time to connect a bank and store its credential, and then cuts it off', async () => {
    const server = new BusyServer();
    const drain = new DrainService();
    drain.attach(server as unknown as Server);
    drain.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(CONNECT_DEADLINE_MS + STORING_MS);
    expect(server.isCutOff).toBe(false);
    await jest.advanceTimersByTimeAsync(WHOLE_STOP_MS - CONNECT_DEADLINE_MS - STORING_MS);
    expect(server.isCutOff).toBe(true);
  });
});
