import type { OpenAPIObject } from '@nestjs/swagger';
import type { Browser, Request } from 'playwright-core';
import type { Connection } from '../../src/connections/connection.entity.js';
import { operationsOf, parametersOf, type RequestBody } from '../../src/openapi/document-types.js';
import { SyncRunsService } from '../../src/sync/runs/sync-runs.service.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { violations } from '../browser/axe.js';
import { CHROMIUM, FOR_TESTS, launchChromium, PATIENCE_MS } from '../browser/chromium.js';
import { NOTHING_SEEN, watch } from '../browser/site.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { Visitor } from '../support/visitor.js';

function swaggerUiInChromium(): void {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;
  let browser: Browser;

  beforeAll(async () => {
    // Nobody takes up the syncs that are asked for.
    tidemark = await startTestApp({ ROLE: 'api' });
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
    await writeSnapshot(tidemark, connection, snapshotAccount({ name: 'Tide pool', balance: balance(5_000) }));
    browser = await launchChromium(FOR_TESTS);
  });
  afterAll(async () => {
    await browser?.close();
    await tidemark?.stop();
  });

  // A page that is left open goes on listening to its stream.
  afterEach(async () => {
    for (const context of browser.contexts()) await context.close();
  });

  /** Opens an operation by its address, gives it the key and executes it. */
  async function execute(tag: string, operationId: string) {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const seen = watch(page, tidemark.url);
    await page.goto(`${tidemark.url}/docs#/${tag}/${operationId}`);
    await page.locator('.btn.authorize').first().click();
    await page.getByLabel('Value:').fill(client.key);
    await page.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByText('Authorized').first().waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    const operation = page.locator(`#operations-${tag}-${operationId}`);
    await operation.locator('.opblock-body').waitFor();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await answer.locator('tbody .response-col_status').getByText('200').waitFor();
    return { page, seen, operation, answer };
  }

  it('Swagger UI accepts an API key, opens an operation by its URL, and its request succeeds at once', async () => {
    const { seen, operation, answer } = await execute('Balances', 'listBalances');
    await answer.getByText('Tide pool').first().waitFor();
    const asked = await operation.locator('.request-url pre').textContent();
    expect(asked).toBe(`${tidemark.url}/api/v1/balances?page=1&per_page=25&sort=-date`);

    expect(seen).toEqual(NOTHING_SEEN);
  });

  it('Swagger UI forgets the API key with the page, and also one that an earlier version stored', async () => {
    const { page, seen } = await execute('Balances', 'listBalances');
    await page.evaluate(() => localStorage.setItem('authorized', '{}'));
    await page.reload();
    await page.locator('#operations-Balances-listBalances .opblock-body').waitFor();
    await page.getByRole('button', { name: 'authorization button unlocked' }).first().waitFor();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    expect(seen).toEqual(NOTHING_SEEN);
  });

  it('Swagger UI begins with five lines, weighs less than 300 kB, loads on demand and follows dark mode', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const seen = watch(page, tidemark.url);
    const sizes: ReturnType<Request['sizes']>[] = [];
    page.on('requestfinished', (request) => sizes.push(request.sizes()));
    await page.goto(`${tidemark.url}/docs`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).map((size) => size.responseHeadersSize + size.responseBodySize);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(100_000);
    expect(await page.locator('.start li').count()).toBe(5);
    expect(await violations(page)).toEqual([]);
    expect(await page.getByRole('link', { name: '← Overview' }).getAttribute('href')).toBe('/');

    await page.getByRole('link', { name: 'Open Swagger UI' }).click();
    await page.locator('.opblock').first().waitFor();
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark-mode'))).toBe(true);
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 740 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
    expect(seen).toEqual(NOTHING_SEEN);
  });

  it('Swagger UI shows the beginning of an endless event stream', async () => {
    const { id } = await tidemark.app.get(SyncRunsService).request(client.userId, connection.id, 'person');
    const { seen, answer } = await execute('Syncs', 'streamEvents');
    await answer.getByText(`data: {"id":"${id}"`).first().waitFor();
    expect(seen).toEqual(NOTHING_SEEN);
  });
}

describe('examples of the OpenAPI document', () => {
  let tidemark: TestApp;

  beforeAll(async () => {
    tidemark = await startTestApp({ ROLE: 'api' });
  });
  afterAll(() => tidemark.stop());

  it('the examples name records of the signed-in user for reading and changing, but not for deleting', async () => {
    const person = new Visitor(tidemark.url);
    await person.signUp();
    const [user]: { id: string }[] = await tidemark.em().execute('select id from users');
    const connection = await createConnection(tidemark, user!.id);
    await writeSnapshot(tidemark, connection, snapshotAccount({ name: 'Tide pool', balance: balance(5_000) }));
    await writeSnapshot(tidemark, connection, snapshotAccount({ name: 'Tide table', balance: balance(5_000) }));
    const [account, other]: { id: string }[] = await tidemark.em().execute('select id from accounts order by name');

    const scriptFor = (visitor: Visitor) => visitor.get('/docs/swagger-ui-init.js');
    const own = await scriptFor(person);
    expect(own.headers.get('cache-control')).toBe('no-store');
    const text = /"swaggerDoc": ([\s\S]*?),\s*"customOptions"/.exec(own.html)![1]!;
    const swaggerDoc = JSON.parse(text) as OpenAPIObject;
    const named = operationsOf(swaggerDoc).flatMap(({ path, method, operation }) => {
      const example: unknown = parametersOf(operation, swaggerDoc).find(({ name }) => name === 'id')?.example;
      return example === account!.id || example === connection.id ? [`${method} ${path}`] : [];
    });
    expect(named).toEqual(
      expect.arrayContaining([
        ...['patch /api/v1/accounts/{id}', 'get /api/v1/accounts/{id}', 'patch /api/v1/connections/{id}'],
        ...['post /api/v1/connections/{id}/sync', 'put /api/v1/connections/{id}/credentials'],
      ]),
    );
    expect(named.some((operation) => operation.startsWith('delete'))).toBe(false);
    const summaries = {
      merge: 'Refused with 409: none of your accounts continues a disconnected one',
      keep_separate: 'Two accounts of yours',
    };
    for (const [path, summary] of Object.entries(summaries)) {
      const body = swaggerDoc.paths[`/api/v1/accounts/{id}/${path}`]!.post!.requestBody as RequestBody;
      expect(body.content['application/json']!.examples).toEqual({
        OtherAccountRequest: { summary, value: { account_id: other!.id } },
      });
    }

    const stranger = await scriptFor(new Visitor(tidemark.url));
    expect(stranger.html).not.toContain(account!.id);
    expect(stranger.headers.get('cache-control')).toBe('public, max-age=300');
  });
});

if (CHROMIUM) describe('Swagger UI', swaggerUiInChromium);
else it('cannot use Swagger UI: no Chromium was found on this machine', () => console.warn('Install Chromium.'));
