import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { Visitor } from '../support/visitor.js';

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
      const { status, headers, body } = await answer(beginRequest());
      expect(status).toBe(408);
      expect(headers).toMatch(/^X-Request-Id: /m);
      expect(JSON.parse(body)).toMatchObject({ error: 'request_timeout' });
    } finally {
      Object.assign(server, { headersTimeout, requestTimeout });
    }
  });

  const announced = (head: string[], ...more: string[]) =>
    send(
      [...head.filter((line) => !line.startsWith('Content-Length')), ...more, 'Host: localhost', '', ''].join('\r\n'),
    );

  it.each([
    ['a body', () => json(client.key), []],
    ['a form', () => form(), []],
    ['a body that waits for 100', () => json(client.key), ['Expect: 100-continue']],
    ['a form that waits for 100', () => form(), ['Expect: 100-continue']],
  ])('a request with %s announced as too large is answered 413 at once', async (_, head, more) => {
    const { status, headers } = await answer(announced(head(), 'Content-Length: 9999999', ...more));
    expect(status).toBe(413);
    expect(headers).toMatch(/^Connection: close$/im);
  });

  it.each([
    ['a body', () => json(client.key)],
    ['a form', () => form()],
  ])('a request with %s of no announced length is answered 413 as soon as it is too large', async (_, head) => {
    const socket = announced(head(), 'Transfer-Encoding: chunked');
    socket.write(`18000\r\n${'x'.repeat(0x18000)}\r\n`);
    const { status, headers } = await answer(socket);
    expect(status).toBe(413);
    expect(headers).toMatch(/^Connection: close$/im);
  });

  it('a request with Expect: 100-continue gets 100 if its body is read, and otherwise its refusal at once', async () => {
    const expecting = (key: string) => [...json(key).slice(0, -1), 'Expect: 100-continue', 'Connection: close'];
    const socket = announced(expecting(client.key), 'Content-Length: 2');
    const [first] = await once(socket, 'data');
    expect(String(first)).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('{}');
    expect((await answer(socket)).status).toBe(422);
    expect((await answer(announced(expecting('nobody'), 'Content-Length: 2'))).status).toBe(401);
  });

  it('slow requests are limited per API key, and other requests are answered', async () => {
    const answers = Array.from({ length: 30 }, () => answer(begin(json(client.key), '{')));
    // The refused ones end by themselves, the others only when the test ends them.
    const refused = await firstOf(answers, 10);
    for (const { status, headers } of refused) expect([status, /^Retry-After: 5/m.test(headers)]).toEqual([429, true]);
    expect(sockets.filter(({ closed }) => !closed)).toHaveLength(20);
    expect((await client.post('/api/v1/connections', {})).status).toBe(422);
  });

  it('slow forms are limited per client address, and complete forms are answered', async () => {
    const answers = Array.from({ length: 30 }, () => answer(begin(form(), 'email=')));
    const refused = await firstOf(answers, 10);
    for (const { status, headers } of refused) expect([status, /^Retry-After: 5/m.test(headers)]).toEqual([429, true]);
    expect(sockets.filter(({ closed }) => !closed)).toHaveLength(20);
    expect((await new Visitor(tidemark.url).signUp()).status).toBe(303);
  });

  it.each([
    ['body', () => json(client.key), '{', '}'],
    ['form', () => form('/nowhere'), 'email=', 'x'],
  ])('a client that disconnects during a compressed %s frees its slot', async (_, head, start, end) => {
    const server: Server = tidemark.app.getHttpServer();
    const half = gzipSync('x'.repeat(1_000)).subarray(0, 12);
    const closed: Promise<unknown>[] = [];
    for (let i = 0; i < 20; i++) {
      const gone = announced(head(), 'Content-Length: 100', 'Content-Encoding: gzip');
      const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
      closed.push(once(response, 'close'));
      gone.write(half);
    }
    for (const gone of sockets.splice(0)) gone.destroy();
    await Promise.all(closed);
    const answers = Array.from({ length: 21 }, () => answer(begin([...head(), 'Connection: close'], start)));
    expect(await firstOf(answers, 1)).toMatchObject([{ status: 429 }]);
    for (const socket of sockets) if (socket.writable) socket.write(end.padStart(100 - start.length));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });

  /** The first that end, of promises of which some may never. */
  function firstOf<T>(promises: Promise<T>[], count: number): Promise<T[]> {
    const done: T[] = [];
    return new Promise((resolve) => {
      for (const promise of promises) {
        void promise.then((value) => {
          if (done.push(value) === count) resolve(done);
        });
      }
    });
  }
});

describe('limit of idle connections', () => {
  it('the longest idle connection is closed above the limit, and none with a running request', async () => {
    const tidemark = await startTestApp({ MAX_IDLE_CONNECTIONS: '3' });
    afterThisTest(() => tidemark.stop());
    const client = await createClient(tidemark);
    const { hostname, port } = new URL(tidemark.url);
    const open = async (text = '') => {
      const socket = connect(Number(port), hostname);
      afterThisTest(() => socket.destroy());
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    };
    const request = (line: string, ...headers: string[]) => [line, 'Host: localhost', ...headers, '', ''].join('\r\n');
    const key = `X-Api-Key: ${client.key}`;
    const posting = await open(
      request(
        'POST /api/v1/connections HTTP/1.1',
        key,
        'Content-Type: application/json',
        'Expect: 100-continue',
        'Content-Length: 2',
      ),
    );
    expect(String((await once(posting, 'data'))[0])).toMatch(/^HTTP\/1.1 100 /);
    const closed = async (socket: Socket) => void (await Promise.all([once(socket, 'close'), open(), open(), open()]));
    await closed(await open());
    expect((await client.get('/api/v1/me')).status).toBe(200);
    const keptAlive = await open(request('GET /health/live HTTP/1.1').repeat(2));
    await once(keptAlive, 'data');
    await closed(keptAlive);
    posting.write('{}');
    expect(String((await once(posting, 'data'))[0])).toMatch(/^HTTP\/1.1 422 /);
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
