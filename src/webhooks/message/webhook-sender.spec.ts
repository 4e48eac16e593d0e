import { jest } from '@jest/globals';
import dns from 'node:dns';
import { get } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { agents } from '../../bank-provider/http/network-guard.js';
import type { Config } from '../../config/config.js';
import { SystemClock } from '../../time/clock.js';
import { WebhookSender } from './webhook-sender.js';

describe('WebhookSender', () => {
  let server: Server;
  let answer: string;
  const sender = new WebhookSender({ providerAllowPrivateNetwork: true } as Config, new SystemClock());

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => (answer ? socket.write(answer) : socket.end()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  it.each([
    [
      'answers 101 Switching Protocols',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      'EPROTO',
    ],
    ['closes the connection', '', 'ECONNRESET'],
    ['answers with invalid HTTP', 'HTTP/1.1 999999 NO\r\n\r\n', 'HPE_INVALID_STATUS'],
    ['answers with endless headers', `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(100_000)}`, 'HPE_HEADER_OVERFLOW'],
  ])('a delivery fails if the receiver %s', async (_, bytes, code) => {
    answer = bytes;
    const { port } = server.address() as AddressInfo;
    const post = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' };
    const exchange = await sender.post(post, new AbortController().signal);
    expect(exchange).toMatchObject({ status: null, problem: `It cannot be reached (${code}).` });
  });

  it('a delivery is judged by the first final response, after any number of interim ones', async () => {
    const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    answer = `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}${ok}`;
    const { port } = server.address() as AddressInfo;
    const post = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' };
    const exchange = await sender.post(post, new AbortController().signal);
    expect(exchange).toMatchObject({ status: 200, body: 'ok', problem: null });
  });

  it('deliveries to names that never resolve do not delay the name look-ups of other requests', async () => {
    answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    const { port } = server.address() as AddressInfo;
    const posted = (host: string, { signal } = new AbortController()) =>
      sender.post({ url: `http://${host}:${port}/`, headers: {}, body: '{}' }, signal);
    const { silent, giveUp } = playTwoThreads();
    try {
      for (let round = 0; round < 3; round++) {
        const given = new AbortController();
        const attempts = ['a', 'b', 'c', 'd'].map((name) => posted(`${name}${round}.local`, given));
        await new Promise(setImmediate);
        given.abort();
        await Promise.allSettled(attempts);
      }
      while (silent().length === 0) await new Promise(setImmediate);
      expect(await posted('localhost')).toMatchObject({ status: 200 });
      expect(silent()).toHaveLength(1);
      const bank = { host: 'localhost', port, agent: agents(BANK).httpAgent };
      const status = await new Promise((resolve, reject) =>
        get(bank, (response) => response.resume().once('end', () => resolve(response.statusCode))).once(
          'error',
          reject,
        ),
      );
      expect(status).toBe(200);
    } finally {
      giveUp();
      // Its turn comes after all others.
      await posted('last.local');
      jest.restoreAllMocks();
    }
  });
});

const BANK = { allowedHosts: ['localhost'], allowPrivateNetwork: true };

interface Lookup {
  host: string;
  options: object;
  done: (...answer: unknown[]) => void;
}

/** The system's look-up, of which two are under way at a time. Those of `.local` names never end. */
function playTwoThreads() {
  const original = dns.lookup as (host: string, options: object, done: Lookup['done']) => void;
  const waiting: Lookup[] = [];
  const underWay = new Set<Lookup>();
  let isOver = false;
  const next = () => {
    while (underWay.size < 2 && waiting.length > 0) {
      const lookup = waiting.shift()!;
      underWay.add(lookup);
      const done: Lookup['done'] = (...answer) => {
        underWay.delete(lookup);
        lookup.done(...answer);
        next();
      };
      if (!lookup.host.endsWith('.local')) original(lookup.host, lookup.options, done);
      else if (isOver) done(NOT_FOUND);
    }
  };
  const play = (host: string, options: object, done: Lookup['done']) => {
    waiting.push({ host, options, done });
    next();
  };
  jest.spyOn(dns, 'lookup').mockImplementation(play as typeof dns.lookup);
  return {
    silent: () => [...underWay, ...waiting].filter(({ host }) => host.endsWith('.local')),
    giveUp: () => {
      isOver = true;
      const given = [...underWay];
      underWay.clear();
      for (const { done } of given) done(NOT_FOUND);
      next();
    },
  };
}

const NOT_FOUND = Object.assign(new Error(), { code: 'ENOTFOUND' });
