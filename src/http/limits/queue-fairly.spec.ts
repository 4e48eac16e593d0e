import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import express from 'express';
import { serializePipelined } from './serialize-pipelined.js';
import { queueFairly } from './queue-fairly.js';

const CONNECTIONS = 10;
const AHEAD = 90;

describe('requests that come at once', () => {
  let server: Server;
  const clients: Socket[] = [];
  /** Who was answered, in this order. */
  const answered: string[] = [];
  let onBegin: (() => void) | undefined;

  beforeAll(async () => {
    const app = express().set('trust proxy', 'loopback');
    app.use(serializePipelined());
    app.use(queueFairly());
    app.use(({ ip = '' }, response) => {
      onBegin?.();
      answered.push(ip);
      response.end('x'.repeat(1_000));
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  beforeEach(() => void (answered.length = 0));
  afterEach(() => {
    for (const client of clients.splice(0)) client.destroy();
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    clients.push(socket);
    await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
    return socket;
  }

  async function openMany(count: number): Promise<Socket[]> {
    const sockets: Socket[] = [];
    while (sockets.length < count) sockets.push(await open());
    return sockets;
  }

  const request = (ip: string) => `GET / HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${ip}\r\n\r\n`;
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise(setImmediate);
  };

  it.each([
    ['address', () => '10.0.0.1'],
    ['IPv6 network', (i: number) => `2001:db8::${i + 1}`],
  ])('from one %s let the request of another one in between', async (_, address) => {
    const other = await open();
    const burst = await openMany(CONNECTIONS);
    onBegin = () => {
      onBegin = undefined;
      other.write(request('10.0.0.2'));
    };
    burst.forEach((socket, i) => socket.write(request(address(i)).repeat(AHEAD)));
    await until(() => answered.length === CONNECTIONS * AHEAD + 1);
    expect(answered.indexOf('10.0.0.2')).toBeLessThan(AHEAD);
  });

  it('do not begin for clients that have gone while they waited', async () => {
    const burst = await openMany(2 * CONNECTIONS);
    for (const socket of burst) socket.write(request('10.0.0.3'));
    onBegin = () => {
      onBegin = undefined;
      server.closeAllConnections();
    };
    await until(() => burst.every(({ closed }) => closed));
    await new Promise(setImmediate);
    expect(answered.length).toBeLessThan(burst.length);
  });
});
