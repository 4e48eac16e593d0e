import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { NextFunction, Request, Response } from 'express';
import { holdSocket } from '../../../test/support/held-answers.js';
import { serializePipelined } from './serialize-pipelined.js';
import { limitUnreadAnswers } from './unread-answers.js';

/** More than a socket takes before it wants its reader to go on. */
const LARGE = 'x'.repeat(1_000_000);
const REQUEST = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

describe('limitUnreadAnswers', () => {
  let server: Server;
  const clients: Socket[] = [];
  const begun: string[] = [];
  /** Lets the answers leave that are unread. */
  const letGo: (() => void)[] = [];

  async function start(idleReaderTimeoutMs: number): Promise<void> {
    const steps = [serializePipelined(), limitUnreadAnswers(idleReaderTimeoutMs)];
    server = createServer((incoming, outgoing) => {
      const [request, response] = [incoming as Request, outgoing as Response];
      const answer: NextFunction = () => {
        begun.push(request.url);
        if (request.url === '/silent') return;
        if (request.url !== '/unread') return void response.end('small');
        letGo.push(holdSocket(request.socket));
        response.end(LARGE);
      };
      const [inTurn, limited] = steps;
      void inTurn!(request, response, () => void limited!(request, response, answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  afterEach(async () => {
    for (const client of clients.splice(0)) client.destroy();
    begun.length = letGo.length = 0;
    await new Promise((resolve) => server.close(resolve));
  });

  function client(...paths: string[]): Socket {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(paths.map(REQUEST).join(''));
    clients.push(socket);
    return socket;
  }

  const closed = async (socket: Socket) => {
    if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
  };

  /** @returns the server's ends of the next connections */
  async function accepted(count: number): Promise<Socket[]> {
    const connections: Socket[] = [];
    return new Promise((resolve) => {
      server.on('connection', (connection: Socket) => {
        connection.on('error', () => undefined);
        if (connections.push(connection) === count) resolve(connections);
      });
    });
  }

  it('a connection whose response is not read is closed, and no other connection is', async () => {
    await start(200);
    const [connections, waiting, idle] = [accepted(2), client('/silent'), client('/unread').resume()];
    await Promise.race((await connections).map(closed));
    await closed(idle);
    expect(waiting.closed).toBe(false);
  });

  it('a pipelined request is not processed before the previous response is read', async () => {
    await start(60_000);
    const ahead = client('/unread', '/second', '/third');
    await once(server, 'request');
    await new Promise(setImmediate);
    expect(begun).toEqual(['/unread']);
    letGo[0]!();
    let read = 0;
    for await (const chunk of ahead) {
      read += (chunk as Buffer).length;
      if (read > `${LARGE}smallsmall`.length && begun.length === 3) break;
    }
    expect(begun).toEqual(['/unread', '/second', '/third']);
  });

  it('a pipelined request of a client that has disconnected is not processed', async () => {
    await start(60_000);
    const connections = accepted(1);
    client('/unread', '/second');
    await once(server, 'request');
    const [connection] = await connections;
    // The server learns so that its client has gone.
    connection!.destroy();
    await closed(connection!);
    await new Promise(setImmediate);
    expect(begun).toEqual(['/unread']);
  });

  it('a connection with more than a hundred pipelined requests is closed', async () => {
    await start(60_000);
    await closed(client('/silent', ...Array.from({ length: 101 }, () => '/small')));
    expect(begun).toEqual(['/silent']);
  });

  it('a client may have twenty unread responses, and one more closes a connection', async () => {
    await start(60_000);
    const connections = accepted(21);
    Array.from({ length: 21 }, () => client('/unread').resume());
    await Promise.race((await connections).map(closed));
    expect((await connections).filter(({ destroyed }) => !destroyed)).toHaveLength(20);
  });
});
