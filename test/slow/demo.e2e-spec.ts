import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject } from '@nestjs/swagger';
import { MODULES } from '../../src/modules.js';
import { operationsOf, parametersOf, type RequestBody, type Schema } from '../../src/openapi/document-types.js';
import { send } from '../support/app.js';
import { CHROMIUM, FOR_TESTS, launchChromium, PATIENCE_MS } from '../browser/chromium.js';
import { NOTHING_SEEN, watch } from '../browser/site.js';
import { type Running, start } from '../support/run-process.js';
import { Visitor } from '../support/visitor.js';

const DEMO_PERSON = { email: 'demo@tidemark.example', password: 'tidemark-demo' };

/** Without those of added modules: the demo has nothing of theirs. */
function ownOperations(document: OpenAPIObject) {
  const added = MODULES.flatMap(({ tag }) => tag?.name ?? []);
  return operationsOf(document).filter(({ operation }) => !added.includes(operation.tags![0]!));
}

/** What Swagger UI sends of everything that can be read when one only presses "Execute". */
function readableExamples(document: OpenAPIObject) {
  const reads = ownOperations(document).filter(({ method }) => method === 'get');
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

/** What comes of the writing operations with the examples of somebody who is signed in; one finds what another has made. */
const WRITES: Record<string, number> = {
  'post /api/v1/webhooks': 201,
  'patch /api/v1/webhooks/{id}': 200,
  'post /api/v1/webhooks/{id}/rotate_secret': 200,
  'post /api/v1/webhooks/{id}/test': 202,
  'post /api/v1/webhooks/deliveries/{id}/replay': 202,
  'patch /api/v1/accounts/{id}': 200,
  // It needs a pair that has not been kept separate.
  'post /api/v1/accounts/{id}/merge': 200,
  'post /api/v1/accounts/{id}/keep_separate': 204,
  'patch /api/v1/connections/{id}': 200,
  'post /api/v1/connections/{id}/sync': 202,
  'put /api/v1/connections/{id}/credentials': 200,
  'post /api/v1/connections': 201,
  'post /api/v1/me/rotate_key': 201,
};

/** What Swagger UI sends of an operation when one only presses "Execute". */
function writingExample(document: OpenAPIObject, wanted: string) {
  const { path, method, operation } = operationsOf(document).find((one) => `${one.method} ${one.path}` === wanted)!;
  const id: unknown = parametersOf(operation, document).find(({ name }) => name === 'id')?.example;
  const content = (operation.requestBody as RequestBody | undefined)?.content['application/json'];
  const [first] = Object.values(content?.examples ?? {}) as { value: unknown }[];
  const body = first ? first.value : content?.example;
  return {
    path: path.replace('{id}', String(id)),
    method,
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

/** The scripts of the other suites with a browser are those of the sources: only the build makes them smaller. */
async function usesBuiltPages(url: string): Promise<void> {
  const browser = await launchChromium(FOR_TESTS);
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const seen = watch(page, url);
    await page.goto(`${url}/sign-in`);
    await page.getByLabel('E-mail address').fill(DEMO_PERSON.email);
    await page.getByLabel('Password').fill(DEMO_PERSON.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.locator('.chart canvas').first().waitFor();
    await page.locator('main a[href^="/accounts/"]').first().click();
    await page.locator('.chart canvas').first().waitFor();
    await page.goto(`${url}/docs#/Balances`);
    await page.locator('.opblock').first().waitFor();
    expect(seen).toEqual(NOTHING_SEEN);
  } finally {
    await browser.close();
  }
}

describe('npm run demo', () => {
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

  it('the demo connects both sandbox providers in the browser and prints an API key that works', async () => {
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
    expect(currencies).toHaveLength(13);
    const disconnected = body.accounts.filter(({ connection_id: id }: { connection_id: string | null }) => id === null);
    expect(disconnected.map(({ name }: { name: string }) => name)).toEqual(['High-Yield Savings (8021)']);
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

    // Each time the examples are read anew, with the ids of what there is now and with fresh secrets of the sandbox.
    const person = new Visitor(url);
    await person.post('/sign-in', DEMO_PERSON);
    const examples = async () => {
      const { html } = await person.get('/docs/swagger-ui-init.js');
      return JSON.parse(/"swaggerDoc": ([\s\S]*?),\s*"customOptions"/.exec(html)![1]!) as OpenAPIObject;
    };
    const writes = ownOperations(await examples()).filter(({ method }) => method !== 'get' && method !== 'delete');
    expect(writes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(Object.keys(WRITES).sort());
    for (const [operation, expected] of Object.entries(WRITES)) {
      const { path, method, body } = writingExample(await examples(), operation);
      const headers = { 'X-Api-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
      const answer = await send(url + path, { method: method.toUpperCase(), headers, body });
      expect([operation, answer.status, answer.status === expected ? null : answer.body]).toEqual([
        operation,
        expected,
        null,
      ]);
    }

    if (CHROMIUM) await usesBuiltPages(url);

    demo.child.kill('SIGINT');
    const { code, stdout, stderr } = await demo.finished;
    expect(code).toBe(0);
    expect(stdout).toContain('Connected the US provider');
    expect(stdout).toContain('Connected the global provider');
    expect(stderr.match(/12 accounts|6\/6 accounts/g)!.length).toBeGreaterThanOrEqual(2);
  });
});
