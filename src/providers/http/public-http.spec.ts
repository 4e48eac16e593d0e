import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Config } from '../../platform/config/config.js';
import { SystemClock } from '../../platform/time/clock.js';
import { PublicHttp } from './public-http.js';

describe('PublicHttp', () => {
  let server: Server;
  let answer: string;
  const http = new PublicHttp({ providerAllowPrivateNetwork: true } as Config, new SystemClock());

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
    const exchange = await http.post(post, new AbortController().signal);
    expect(exchange).toMatchObject({ status: null, problem: `It cannot be reached (${code}).` });
  });

  it('a delivery is judged by the first final response, after any number of interim ones', async () => {
    const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
    answer = `HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}${ok}`;
    const { port } = server.address() as AddressInfo;
    const post = { url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' };
    const exchange = await http.post(post, new AbortController().signal);
    expect(exchange).toMatchObject({ status: 200, body: 'ok', problem: null });
  });
});
