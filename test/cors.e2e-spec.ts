import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, parametersOf } from '../src/openapi/document-types.js';
import { HEADERS } from '../src/openapi/headers.js';
import { afterThisTest } from './support/after-this-test.js';
import { createClient, startTestApp } from './support/app.js';
import { rawRequest } from './support/raw-request.js';

const ORIGIN = 'https://board.example';

async function serve(environment: NodeJS.ProcessEnv) {
  const tidemark = await startTestApp({ ROLE: 'api', ...environment });
  afterThisTest(tidemark.stop);
  const { key } = await createClient(tidemark);
  const ask = (path: string, init: RequestInit, origin = ORIGIN) =>
    fetch(tidemark.url + path, { ...init, headers: { Origin: origin, ...(init.headers as object) } });
  const preflight = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'x-api-key' };
  return { key, ask, preflight: { method: 'OPTIONS', headers: preflight } };
}

const allowedOrigin = ({ headers }: Response) => headers.get('access-control-allow-origin');

describe('CORS_ORIGINS', () => {
  it('lets pages of the listed origins call the API, without cookies, as it says to browsers', async () => {
    const { key, ask, preflight } = await serve({ CORS_ORIGINS: `https://other.example, ${ORIGIN}` });
    const asked = await ask('/api/v1/accounts', preflight);
    expect([asked.status, allowedOrigin(asked)]).toEqual([204, ORIGIN]);
    expect(asked.headers.get('access-control-allow-headers')).toContain('X-Api-Key');
    expect(asked.headers.get('access-control-allow-methods')).toContain('PUT');

    const answer = await ask('/api/v1/accounts', { headers: { 'X-Api-Key': key } });
    expect([answer.status, allowedOrigin(answer)]).toEqual([200, ORIGIN]);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');

    const refused = await ask('/api/v1/accounts', {});
    expect([refused.status, allowedOrigin(refused)]).toEqual([401, ORIGIN]);
    expect(allowedOrigin(await ask('/openapi.json', {}))).toBe(ORIGIN);
  });

  it('lets them send and read every header that the document declares or names', async () => {
    const { ask, preflight } = await serve({ CORS_ORIGINS: ORIGIN });
    const listed = async (name: string, init: RequestInit) =>
      (await ask('/api/v1/accounts', init)).headers.get(name)!.split(',');
    const allowed = await listed('access-control-allow-headers', preflight);
    const exposed = await listed('access-control-expose-headers', {});
    const text = await (await ask('/openapi.json', {})).text();
    const document = JSON.parse(text) as OpenAPIObject;
    const parameters = operationsOf(document).flatMap(({ operation }) => parametersOf(operation, document));
    const sent = parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name);
    expect(allowed).toEqual(expect.arrayContaining(['X-Api-Key', ...sent]));
    expect(exposed).toEqual(expect.arrayContaining([...Object.keys(HEADERS), 'Allow']));
    const words = [...text.matchAll(/`([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*)(?:: [^`]*)?`/g)].map(([, word]) => word!);
    const named = words.filter((word) => /[a-z]/.test(word));
    const known = new Set([...allowed, ...exposed, 'ErrorResponse', 'EventSource']);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(named).toContain('If-Match');
  });

  it('lets pages of the listed origins speak MCP, with the headers of its protocol', async () => {
    const { key, ask } = await serve({ CORS_ORIGINS: ORIGIN });
    const headers = ['content-type', 'x-api-key', 'mcp-protocol-version', 'mcp-session-id'];
    const asked = await ask('/mcp', {
      method: 'OPTIONS',
      headers: { 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': headers.join(',') },
    });
    expect([asked.status, allowedOrigin(asked)]).toEqual([204, ORIGIN]);
    const allowed = asked.headers.get('access-control-allow-headers')!.toLowerCase().split(',');
    expect(allowed).toEqual(expect.arrayContaining(headers));
    const message = {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      headers: {
        'X-Api-Key': key,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        'Mcp-Protocol-Version': '2025-06-18',
      },
    };
    const answer = await ask('/mcp', message);
    expect([answer.status, allowedOrigin(answer)]).toEqual([200, ORIGIN]);
    const refused = await ask('/mcp', message, 'https://evil.example');
    expect([refused.status, allowedOrigin(refused)]).toEqual([403, null]);
  });

  it('leaves what is no preflight to the routes', async () => {
    const { ask, preflight } = await serve({ CORS_ORIGINS: ORIGIN });
    const { url } = await ask('/openapi.json', {});
    const request = async (headers: Record<string, string>) => {
      const { status, headers: answered } = await rawRequest(new URL(url).origin, {
        method: 'OPTIONS',
        path: '/api/v1/balances',
        headers,
      });
      return [status, answered.allow];
    };
    expect(await request({})).toEqual([405, 'GET, HEAD']);
    expect(await request({ Origin: ORIGIN })).toEqual([405, 'GET, HEAD']);
    expect(await request({ ...preflight.headers })).toEqual([405, 'GET, HEAD']);
    expect(await request({ Origin: ORIGIN, ...preflight.headers })).toEqual([204, undefined]);
  });

  it('lets no other origin in, and nobody into the pages', async () => {
    const { key, ask, preflight } = await serve({ CORS_ORIGINS: ORIGIN });
    for (const origin of ['https://board.example.evil.example', 'http://board.example', 'null']) {
      expect(allowedOrigin(await ask('/api/v1/accounts', preflight, origin))).toBeNull();
      expect(allowedOrigin(await ask('/api/v1/accounts', { headers: { 'X-Api-Key': key } }, origin))).toBeNull();
    }
    for (const path of ['/sign-in', '/health/live', '/docs']) expect(allowedOrigin(await ask(path, {}))).toBeNull();
  });

  it('knows the API in any case of its address, as routes do', async () => {
    const { key, ask } = await serve({ CORS_ORIGINS: ORIGIN });
    const answers = [];
    for (const path of ['/api/v1/accounts', '/API/v1/accounts']) {
      const answer = await ask(path, { headers: { 'X-Api-Key': key } });
      const names = ['content-security-policy', 'x-frame-options', 'referrer-policy', 'cache-control'];
      answers.push([answer.status, allowedOrigin(answer), ...names.map((name) => answer.headers.get(name))]);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]!.slice(0, 2)).toEqual([200, ORIGIN]);
  });

  it('is off without the setting', async () => {
    const { key, ask, preflight } = await serve({});
    expect((await ask('/api/v1/accounts', preflight)).status).toBe(405);
    expect(allowedOrigin(await ask('/api/v1/accounts', { headers: { 'X-Api-Key': key } }))).toBeNull();
  });
});
