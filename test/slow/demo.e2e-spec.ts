import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenAPIObject, RequestBodyObject, SchemaObject } from '@nestjs/swagger';
import { type DocumentedOperation, operationsOf, parametersOf } from '../../src/web/openapi/document-types.js';
import { send } from '../support/app.js';
import { CHROMIUM, FOR_TESTS, launchChromium, PATIENCE_MS } from '../web/browser/chromium.js';
import { NOTHING_SEEN, watch } from '../web/browser/site.js';
import { type Running, start } from '../support/run-process.js';

const DEMO_PERSON = { email: 'demo@tidemark.example', password: 'tidemark-demo' };

/** The text of the file becomes a file. */
function formOf({ file = '', ...fields }: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) form.append(name, text);
  form.append('file', new File([file], 'example.csv'));
  return form;
}

/** What Swagger UI sends of an operation when one only presses "Execute", once for each example of its body. */
function examplesOf({ path, method, operation }: DocumentedOperation, document: OpenAPIObject) {
  const given = parametersOf(operation, document)
    .map(({ name, in: place, example, schema }) => ({
      name,
      place,
      value: example ?? (schema as SchemaObject).default,
    }))
    .filter(({ value }) => value !== undefined)
    .map(({ name, place, value }) => ({ name, place, value: String(value) }));
  const of = (wanted: string) => given.filter(({ place }) => place === wanted).map(({ name, value }) => [name, value]);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => given.find((one) => one.name === name)!.value);
  const [[type, content] = ['', undefined]] = Object.entries(
    (operation.requestBody as RequestBodyObject | undefined)?.content ?? {},
  );
  const bodies = Object.values(content?.examples ?? { only: { value: content?.example } }) as { value: unknown }[];
  const isForm = type === 'multipart/form-data';
  return bodies.map(({ value }) => ({
    path: `${filled}?${new URLSearchParams(of('query')).toString()}`,
    method: method.toUpperCase(),
    headers: {
      ...(Object.fromEntries(of('header')) as Record<string, string>),
      ...(value !== undefined && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(value !== undefined && { body: isForm ? formOf(value as Record<string, string>) : JSON.stringify(value) }),
  }));
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
    await page.locator('.plot[role=slider]').first().waitFor();
    await page.getByRole('link', { name: 'Since last visit' }).waitFor();
    await page.locator('main a[href^="/accounts/"]').first().click();
    await page.locator('.plot[role=slider]').first().waitFor();
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
    expect(currencies).toHaveLength(14);
    const disconnected = body.accounts.filter(({ status }: { status: string }) => status === 'disconnected');
    expect(disconnected.map(({ name }: { name: string }) => name)).toEqual(['High-Yield Savings (8021)']);
    expect(new Set(currencies)).toEqual(new Set(['USD', 'EUR', 'GBP', 'JPY']));
    expect((await get('/api/v1/balances?per_page=1')).body.pagination.total_count).toBeGreaterThan(5_000);

    // In the order of the document. The connection has another provider than that of the second secret.
    const failed: string[] = [];
    const document = (await get('/openapi.json')).body as OpenAPIObject;
    for (const operation of operationsOf(document)) {
      // Events go on for ever; `send` waits for the end of what it reads.
      if (operation.path.endsWith('/events')) continue;
      // The providers of the demo have neither consents nor pushes.
      if (operation.path.endsWith('/institutions') || operation.path.startsWith('/pushes/')) continue;
      const id = parametersOf(operation.operation, document).find(({ name }) => name === 'id');
      const isNobodys = id?.description?.startsWith('Nothing has this id') ?? false;
      for (const { path, ...example } of examplesOf(operation, document)) {
        const headers = { ...example.headers, 'X-Api-Key': key };
        const { status, body: answer } = await send(url + path, { ...example, headers });
        const isOfOther =
          operation.path.endsWith('/credentials') && (JSON.stringify(example.body) ?? '').includes('api_key');
        const isAsSaid = isNobodys ? status === 404 : isOfOther ? status === 422 : status >= 200 && status < 300;
        if (!isAsSaid) failed.push(`${example.method} ${path}: ${status} ${JSON.stringify(answer)}`);
      }
    }
    expect(failed).toEqual([]);

    if (CHROMIUM) await usesBuiltPages(url);

    demo.child.kill('SIGINT');
    const { code, stdout, stderr } = await demo.finished;
    expect(code).toBe(0);
    expect(stdout).toContain('Connected the US provider');
    expect(stdout).toContain('Connected the global provider');
    expect(stderr.match(/12 accounts|6\/6 accounts/g)!.length).toBeGreaterThanOrEqual(2);
  });
});
