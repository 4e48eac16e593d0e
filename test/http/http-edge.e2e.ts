import { isInstalled } from '../support/installed.js';
import { connect } from 'node:net';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, send, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { createConnection } from '../support/factories.js';

describe('HTTP protocol handling', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());

  const post = (path: string, body: BodyInit, headers: Record<string, string>) =>
    send(tidemark.url + path, { method: 'POST', body, headers: { 'X-Api-Key': client.key, ...headers } });

  it('an unsupported method is answered 405 with Allow, and an unknown path 404', async () => {
    const put = await send(`${tidemark.url}/api/v1/balances`, { method: 'PUT' });
    expect([put.status, put.body.error]).toEqual([405, 'method_not_allowed']);
    expect(put.headers.get('allow')).toBe('GET, HEAD');
    const replace = await send(`${tidemark.url}/api/v1/accounts/x`, { method: 'PUT' });
    expect(replace.headers.get('allow')).toBe('DELETE, GET, HEAD, PATCH');
    for (const path of ['/api/v1/nothing', '/api', '/api/v2/balances', '/api/v1/balances/a/b']) {
      const answer = await client.get(path);
      expect([answer.status, answer.body.error]).toEqual([404, 'record_not_found']);
    }
  });

  it('the keep-alive timeout is longer than that of a proxy, so no request meets a closing connection', async () => {
    const { headers } = await client.get('/api/v1/balances');
    expect(headers.get('keep-alive')).toBe('timeout=65');
  });

  it('an id that cannot be decoded is answered with 404', async () => {
    const answer = await client.get('/api/v1/balances/%E0%A4%A');
    expect([answer.status, answer.body.error]).toEqual([404, 'record_not_found']);
  });

  it('answers 406 to those who accept nothing it speaks, before it looks at the parameters', async () => {
    const answer = await client.get('/api/v1/accounts?page[]=1', { Accept: 'image/png' });
    expect([answer.status, answer.body.error]).toEqual([406, 'not_acceptable']);
  });

  it.each([
    ['application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['APPLICATION/JSON;CHARSET="UTF-8"', 'application/json; charset=utf-8'],
    ['text/csv; charset=utf-8', 'text/csv; charset=utf-8; header=present'],
    ['text/csv;header=present;q=0.5', 'text/csv; charset=utf-8; header=present'],
    ['application/x-ndjson; charset=utf-8', 'application/x-ndjson'],
  ])('a list accepts the media type %s', async (accept, type) => {
    const answer = await client.get('/api/v1/transactions', { Accept: accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, type]);
  });

  it.each(['application/json; version=2', 'text/csv; header=absent', 'text/csv; charset=utf-16'])(
    'a list refuses the media type %s with 406',
    async (accept) => {
      expect((await client.get('/api/v1/transactions', { Accept: accept })).status).toBe(406);
    },
  );

  it('the body of a request is not parsed before its API key is verified', async () => {
    const answer = await post('/api/v1/connections', '{"cut', { 'X-Api-Key': 'nobody' });
    expect(answer.status).toBe(401);
    const narrow = await createClient(tidemark, { scopes: ['balances:read'] });
    expect((await narrow.post('/api/v1/connections', '{"cut')).status).toBe(403);
  });

  it.each([
    ['cut off', '{"provider":', { 'Content-Type': 'application/json' }, 400],
    ['of another type', 'provider=us_provider', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['of no type', new Blob(['{}']), {}, 415],
    ['in an unknown encoding', '{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'rot13' }, 415],
    ['in an unknown charset', '{}', { 'Content-Type': 'application/json; charset=klingon' }, 415],
    ['not what its encoding says', '{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, 400],
    ['empty', '', { 'Content-Type': 'application/x-www-form-urlencoded' }, 400],
    ['not an object', '[1]', { 'Content-Type': 'application/json' }, 400],
    ['too large', JSON.stringify({ name: 'x'.repeat(200_000) }), { 'Content-Type': 'application/json' }, 413],
  ])('a request body that is %s is refused', async (_, body, headers, status) => {
    const answer = await post('/api/v1/connections', body, headers);
    const errors: Record<number, string> = { 413: 'payload_too_large', 415: 'unsupported_media_type' };
    expect([answer.status, answer.body.error]).toEqual([status, errors[status] ?? 'bad_request']);
  });

  it('unknown members of a request body are named in the error', async () => {
    const body = { overlap_hours: 1, overlap_hour: 2, Overlap_hours: 3 };
    const answer = await client.post('/api/v1/me/rotate_key', body);
    const errors = Object.keys(body).slice(1);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      errors.map((name) => `${name} is not a member of this body`),
    ]);
  });

  it('members in the body of a route which takes none are named in the error', async () => {
    const json = { 'Content-Type': 'application/json' };
    const path = '/api/v1/connections/x/sync';
    const answer = await post(path, '{"full":true}', json);
    expect([answer.status, answer.body.errors]).toEqual([422, ['full is not a member of this body']]);
    expect((await post(path, '[1]', json)).status).toBe(400);
    for (const nothing of ['{}', '']) expect((await post(path, nothing, json)).status).toBe(404);
  });

  it('a write with If-Match changes nothing and gets 412, since all entity tags are weak', async () => {
    const { id } = await createConnection(tidemark, client.userId);
    const ask = (method: string, path: string, tag: string) =>
      send(tidemark.url + path, {
        method,
        headers: { 'X-Api-Key': client.key, 'If-Match': tag, 'Content-Type': 'application/json' },
        ...(method !== 'DELETE' && { body: '{"name":"Renamed"}' }),
      });
    const connection = `/api/v1/connections/${id}`;
    const etag = (await client.get('/api/v1/connections')).headers.get('etag')!;
    for (const tag of [etag, '"strong"', '"*"', '']) {
      for (const method of ['PATCH', 'DELETE']) {
        const answer = await ask(method, connection, tag);
        expect([tag, method, answer.status, answer.body.error]).toEqual([tag, method, 412, 'precondition_failed']);
      }
    }
    expect((await ask('POST', '/api/v1/me/rotate_key', '"x"')).status).toBe(412);
    expect((await ask('PUT', `${connection}/credentials`, '"x"')).status).toBe(412);
    expect((await client.get('/api/v1/connections', { 'If-Match': '"x"' })).status).toBe(200);
    expect((await ask('PATCH', connection, ' * ')).body.name).toBe('Renamed');
    expect((await ask('DELETE', connection, '*')).status).toBe(204);
    expect((await ask('DELETE', connection, '*')).status).toBe(404);
  });

  it('a write with If-None-Match: * changes nothing, whether the resource exists or not', async () => {
    const { id } = await createConnection(tidemark, client.userId);
    const ask = (method: string, path: string, tag: string) =>
      send(tidemark.url + path, {
        method,
        headers: { 'X-Api-Key': client.key, 'If-None-Match': tag, 'Content-Type': 'application/json' },
        ...(method !== 'DELETE' && { body: '{"name":"Renamed"}' }),
      });
    const connection = `/api/v1/connections/${id}`;
    const before = (await client.get(connection)).body;
    for (const [method, path] of [
      ['PATCH', connection],
      ['DELETE', connection],
      ['DELETE', '/api/v1/connections/nobody'],
      ['PUT', `${connection}/credentials`],
      ['POST', '/api/v1/me/rotate_key'],
    ] as const) {
      for (const tag of ['*', ' * ']) {
        const answer = await ask(method, path, tag);
        expect([method, path, answer.status, answer.body.error]).toEqual([method, path, 412, 'precondition_failed']);
      }
    }
    expect((await client.get(connection)).body).toEqual(before);
    expect((await ask('PATCH', connection, '"x"')).body.name).toBe('Renamed');
    expect((await ask('DELETE', connection, 'W/"x", "*"')).status).toBe(204);
  });

  /** Sends bytes as they are. @returns all that comes until the connection is closed */
  async function exchange(sent: string): Promise<string> {
    const { hostname, port } = new URL(tidemark.url);
    const socket = connect(Number(port), hostname);
    socket.write(sent);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  }

  const ask = (target: string, ...lines: string[]) =>
    exchange([`GET ${target} HTTP/1.1`, 'Connection: close', ...lines, '', ''].join('\r\n'));

  it.each([
    ['two hosts', ['Host: localhost', 'Host: localhost']],
    ['a malformed host', ['Host: a b']],
  ])('a request with %s gets 400 with the JSON error body', async (_, lines) => {
    const text = await ask('/api/v1/me', ...lines);
    expect(text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
    expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toEqual({
      error: 'bad_request',
      message: 'The request must name one host.',
    });
  });

  it.each([
    ['is not valid HTTP', 'nonsense\r\n\r\n', 400],
    ['names no host', 'GET /api/v1/me HTTP/1.1\r\n\r\n', 400],
    ['has a header that is too large', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ])('a request that %s is refused, and its connection is closed', async (_, sent, status) => {
    expect(await exchange(sent)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('a form body is refused with 415 on every route of the API, however the path is written', async () => {
    const sendForm = (path: string, body: string, key = client.key) =>
      fetch(tidemark.url + path, { method: 'POST', headers: { 'X-Api-Key': key }, body: new URLSearchParams(body) });
    for (const path of ['/api/v1/me/rotate_key', '/API/v1/me/rotate_key', ...(isInstalled('mcp') ? ['/mcp'] : [])]) {
      const answer = await sendForm(path, 'overlap_hours=1');
      const said = expect.stringContaining('application/json') as string;
      const refused = { error: 'unsupported_media_type', message: said };
      expect([path, answer.status, await answer.json()]).toEqual([path, 415, refused]);
    }
    expect((await sendForm('/API/v1/connections', 'a='.padEnd(20_000, 'a'), 'nobody')).status).toBe(401);
  });

  it.each(['http://[::1/', 'http://', 'http://a b/'])('the request target %s finds nothing', async (target) => {
    expect(await ask(target, 'Host: localhost')).toMatch(/^HTTP\/1\.1 40[04] /);
  });

  it.each([
    ['a range that the file does not have', { Range: 'bytes=99999999-' }, 416, 'range_not_satisfiable'],
    ['another version of the file', { 'If-Match': '"another"' }, 412, 'precondition_failed'],
  ])('a request of a static file for %s is refused', async (_, headers, status, error) => {
    const answer = await send(`${tidemark.url}/docs/favicon-32x32.png`, { headers: headers as Record<string, string> });
    expect([answer.status, answer.body.error]).toEqual([status, error]);
    if (status === 416) expect(answer.headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
  });

  it('a page links to the first, previous, next and last page and keeps the filters', async () => {
    const link = async (query: string) =>
      (await client.get(`/api/v1/balances${query}`)).headers.get('link')?.replaceAll(`<${tidemark.url}/`, '</');
    expect(await link('')).toBe('</api/v1/balances?page=1>; rel="first", </api/v1/balances?page=1>; rel="last"');
    expect(await link('?currency=USD&page=3')).toBe(
      '</api/v1/balances?currency=USD&page=1>; rel="first", </api/v1/balances?currency=USD&page=1>; rel="prev", ' +
        '</api/v1/balances?currency=USD&page=1>; rel="last"',
    );
  });

  it('API responses forbid caching and media type sniffing', async () => {
    const { headers } = await client.get('/api/v1/me');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('vary')).toContain('X-Api-Key');
    expect(headers.get('x-powered-by')).toBeNull();
  });
});

describe('stopping the service', () => {
  it('the service stops although a client keeps its connection open', async () => {
    const tidemark = await startTestApp();
    afterThisTest(tidemark.stop);
    const { hostname, port } = new URL(tidemark.url);
    const socket = connect(Number(port), hostname);
    afterThisTest(() => socket.destroy());
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: keep-alive\r\n\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    await tidemark.stop();
    await closed;
  });
});
