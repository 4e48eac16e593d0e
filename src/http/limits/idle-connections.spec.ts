import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { limitIdleConnections } from './idle-connections.js';

const MAX = 4;
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

describe('limitIdleConnections', () => {
  let server: Server;
  /** Of the next connections. */
  let addresses: string[];
  const clients: Socket[] = [];

  beforeEach(async () => {
    Logger.overrideLogger(false);
    addresses = [];
    server = createServer((_, response) => void response.end('answer'));
    limitIdleConnections(server, MAX);
    server.prependListener('connection', (socket) => {
      const address = addresses.shift();
      if (address) Object.defineProperty(socket, 'remoteAddress', { value: address });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  function client(): Socket {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    clients.push(socket);
    return socket;
  }

  async function opened(): Promise<Socket> {
    const socket = client();
    await Promise.all([once(socket, 'connect'), once(server, 'connection')]);
    return socket;
  }

  it('a connection whose request has arrived but is not read yet is not closed as idle', async () => {
    const idle: Socket[] = [];
    while (idle.length < MAX) idle.push(await opened());
    const answers = Promise.all(idle.map((socket) => once(socket, 'data')));
    client();
    // By then it is connecting, so that the server hears of it first.
    await new Promise<void>((resolve) => process.nextTick(resolve));
    for (const socket of idle) socket.write(REQUEST);
    for (const [answer] of await answers) expect(String(answer)).toMatch(/^HTTP\/1.1 200 /);
  });

  it('idle connections of the address with most of them are closed first, longest idle first', async () => {
    addresses = ['10.0.0.1', '2001:db8::1', '2001:db8::2', '2001:db8::3', '10.0.0.4', '10.0.0.5'];
    const sockets: Socket[] = [];
    while (addresses.length > 0) sockets.push(await opened());
    const closing = sockets.slice(1, 3);
    while (!closing.every(({ closed }) => closed)) await new Promise(setImmediate);
    expect(sockets.map(({ closed }) => closed)).toEqual([false, true, true, false, false, false]);
  });
});
