import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SessionClient } from './session-client.js';

describe('SessionClient with a server that accepts connections and never answers', () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('a database session can be ended before it is open', async () => {
    const { port } = server.address() as AddressInfo;
    const config = { host: '127.0.0.1', port, user: 'nobody', database: 'none', password: '' };
    const session = new SessionClient({ ...config, connectTimeoutMs: 600_000, query_timeout: 600_000 });
    const opened = session.connect();
    const refused = expect(opened).rejects.toThrow('The session has ended before it was open.');
    await Promise.all([once(server, 'connection'), session.end()]);
    await refused;
  });
});
