import type { Request, Response } from 'express';
import { queueFairly } from './queue-fairly.js';

const BURST = 900;
const nextTurn = () => new Promise(setImmediate);

describe('queueFairly', () => {
  /** Whose requests have begun, in this order. */
  let begun: string[];
  let middleware: ReturnType<typeof queueFairly>;

  beforeEach(() => {
    begun = [];
    middleware = queueFairly();
  });

  function arrive(ip: string): { destroyed: boolean } {
    const socket = { destroyed: false };
    void middleware({ ip, socket } as Request, {} as Response, () => void begun.push(ip));
    return socket;
  }

  it.each([
    ['address', () => '10.0.0.1'],
    ['IPv6 network', (i: number) => `2001:db8::${(i + 1).toString(16)}`],
  ])('a burst of requests from one %s lets the request of another client in between', async (_, address) => {
    for (let i = 0; i < BURST; i++) arrive(address(i));
    await nextTurn();
    const before = begun.length;
    arrive('10.0.0.2');
    expect([begun.at(-1), before < 30]).toEqual(['10.0.0.2', true]);
    while (begun.length < BURST + 1) await nextTurn();
  });

  it('queued requests begin in the order in which they came', async () => {
    const ips = Array.from({ length: 40 }, (_, i) => `2001:db8::${(i + 1).toString(16)}`);
    ips.forEach(arrive);
    while (begun.length < ips.length) await nextTurn();
    expect(begun).toEqual(ips);
  });

  it('queued requests of clients that have disconnected do not begin', async () => {
    const sockets = Array.from({ length: 40 }, () => arrive('10.0.0.3'));
    const before = begun.length;
    for (const socket of sockets) socket.destroyed = true;
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    expect(begun).toHaveLength(before);
  });
});
