import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { Visitor } from '../../src/kit/visitor.js';

describe('slow and large requests', () => {
  let tidemark: TestApp;
  let client: TestClient;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    tidemark = await startTestApp({ SIGN_UP: 'open' });
    client = await createClient(tidemark);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => tidemark.stop());

  /** Sends that much, and no more. */
  function send(text: string): Socket {
    const { hostname, port } = new URL(tidemark.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(text);
    sockets.push(socket);
    return socket;
  }

  const begin = (head: string[], body: string) => send([...head, 'Host: localhost', '', body].join('\r\n'));

  /** All that comes until the connection ends. */
  async function answer(socket: Socket): Promise<{ status: number; headers: string; body: string }> {
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk)));
    await new Promise((resolve) => socket.once('close', resolve));
    const [headers = '', body = ''] = text.split('\r\n\r\n');
    return { status: Number(headers.split(' ')[1]), headers, body };
  }

  const json = (key: string) => [
    'POST /api/v1/connections HTTP/1.1',
    `X-Api-Key: ${key}`,
    'Content-Type: application/json',
    'Content-Length: 100',
  ];
  const form = (path = '/sign-in') => [
    `POST ${path} HTTP/1.1`,
    'Content-Type: application/x-www-form-urlencoded',
    'Content-Length: 100',
    'Sec-Fetch-Site: same-origin',
  ];

  it('a request must send its header within 20 seconds and its body within 60', () => {
    const { headersTimeout, requestTimeout } = tidemark.app.getHttpServer();
    expect([headersTimeout, requestTimeout]).toEqual([20_000, 60_000]);
  });

  it.each([
    ['body', () => begin(json(client.key), '{')],
    ['form', () => begin(form(), 'email=')],
    ['header', () => send('GET /health/live HTTP/1.1\r\nHost: loc')],
  ])('a request whose %s takes too long is answered 408', async (_, beginRequest) => {
    const server: Server = tidemark.app.getHttpServer();
    const { headersTimeout, requestTimeout } = server;
    Object.assign(server, { headersTimeout: 500, requestTimeout: 500 });
    try {
      expect((await answer(beginRequest())).status).toBe(408);
    } finally {
      Object.assign(server, { headersTimeout, requestTimeout });
    }
  });

  const announced = (head: string[], ...more: string[]) =>
    send(
      [...head.filter((line) => !line.startsWith('Content-Length')), ...more, 'Host: localhost', '', ''].join('\r\n'),
    );

  it.each([
    ['a body', () => json(client.key)],
    ['a form', () => form()],
  ])('a request with %s announced as too large is answered 413 at once', async (_, head) => {
    const [answered] = await once(announced(head(), 'Content-Length: 9999999'), 'data');
    expect(String(answered)).toMatch(/^HTTP\/1.1 413 /);
  });
});

describe('concurrent sign-ins', () => {
  it('concurrent sign-ins hash two passwords at a time: most get 503, and other requests are answered', async () => {
    const tidemark = await startTestApp({ TRUSTED_PROXIES: 'loopback' });
    try {
      const client = await createClient(tidemark);
      const signIn = async (i: number) => {
        const person = new Visitor(tidemark.url);
        const from = { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': `10.0.${i >> 8}.${i & 255}` };
        return person.post('/sign-in', { email: `nobody-${i}@example.com`, password: 'guessed' }, from);
      };
      const signIns = Promise.all(Array.from({ length: 300 }, (_, i) => signIn(i)));
      expect((await client.get('/api/v1/transactions')).status).toBe(200);
      const visits = await signIns;
      const refused = visits.filter(({ status }) => status === 503);
      expect(refused.length).toBeGreaterThan(0);
      for (const { headers, text } of refused) {
        expect([headers.get('retry-after'), headers.get('content-type')]).toEqual(['2', 'text/html; charset=utf-8']);
        expect(text).toContain('Try again in a few seconds.');
      }
      for (const { status } of visits) expect([422, 429, 503]).toContain(status);
    } finally {
      await tidemark.stop();
    }
  });
});
