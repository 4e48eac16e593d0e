import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { operationsOf, parametersOf, type Schema } from '../src/openapi/parts.js';
import { send } from './app.js';
import { type Running, start } from './run-process.js';

/** What Swagger UI sends of everything that can be read when one only presses "Execute". */
function readableExamples(document: OpenAPIObject) {
  const reads = operationsOf(document).filter(({ method }) => method === 'get');
  return reads.map(({ path, operation }) => {
    const given = parametersOf(operation, document)
      .map(({ name, in: place, example, schema }) => ({ name, place, value: example ?? (schema as Schema).default }))
      .filter(({ value }) => value !== undefined)
      .map(({ name, place, value }) => ({ name, place, value: String(value) }));
    const of = (wanted: string) =>
      given.filter(({ place }) => place === wanted).map(({ name, value }) => [name, value]);
    return {
      path: path.replace('{id}', () => given.find(({ place }) => place === 'path')!.value),
      query: new URLSearchParams(of('query')),
      headers: Object.fromEntries(of('header')) as Record<string, string>,
    };
  });
}

describe('the demo', () => {
  let folder: string;
  let demo: Running;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-demo-'));
    demo = start('demo', [], { PORT: '0', DATA_DIR: folder });
  });
  afterAll(async () => {
    demo.child.kill('SIGTERM');
    await demo.finished;
    rmSync(folder, { recursive: true, force: true });
  });

  it('connects both providers of the sandbox while one watches, and hands over a key that works', async () => {
    const [, key = '', url = ''] = await demo.line(/curl -s -H 'X-Api-Key: (tm_\w+)' '(http:\/\/[^/]+)\//);
    const get = (path: string) => send(url + path, { headers: { 'X-Api-Key': key } });
    const { connections } = (await get('/api/v1/connections')).body;
    expect(connections).toHaveLength(2);
    const providers = connections.map((one: { provider: string; status: string }) => [one.provider, one.status]);
    expect(providers.sort()).toEqual([
      ['global_provider', 'active'],
      ['us_provider', 'active'],
    ]);
    const { body } = await get('/api/v1/accounts?per_page=100');
    const currencies = body.accounts.map(({ currency }: { currency: string }) => currency);
    expect(currencies).toHaveLength(12);
    expect(new Set(currencies)).toEqual(new Set(['USD', 'EUR', 'GBP', 'JPY']));
    expect((await get('/api/v1/balances?per_page=1')).body.pagination.total_count).toBeGreaterThan(5_000);

    for (const { path, query, headers } of readableExamples((await get('/openapi.json')).body as OpenAPIObject)) {
      // Events go on for ever; `send` waits for the end of what it reads.
      if (path.endsWith('/events')) continue;
      // Nobody listens to a demo, so it has no webhooks.
      if (path.startsWith('/api/v1/webhooks/')) continue;
      const { status } = await send(`${url}${path}?${query.toString()}`, { headers: { ...headers, 'X-Api-Key': key } });
      expect([path, status]).toEqual([path, 200]);
    }

    demo.child.kill('SIGINT');
    const { code, stdout, stderr } = await demo.finished;
    expect(code).toBe(0);
    expect(stdout).toContain('Connected the US provider');
    expect(stdout).toContain('Connected the global provider');
    expect(stderr.match(/12 accounts|6\/6 accounts/g)!.length).toBeGreaterThanOrEqual(2);
  });
});
