import type { OpenAPIObject, RequestBodyObject } from '@nestjs/swagger';
import type { Browser } from 'playwright-core';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { parametersOf } from '../../src/web/openapi/document-types.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { CHROMIUM, FOR_TESTS, launchChromium, PATIENCE_MS } from '../web/browser/chromium.js';
import { NOTHING_SEEN, watch } from '../web/browser/site.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { Visitor } from '../../src/kit/visitor.js';

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
    await page.locator('.auth-container').getByText('Authorized').waitFor();
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

  it('Swagger UI forgets the API key with the page', async () => {
    const { page, seen } = await execute('Balances', 'listBalances');
    await page.reload();
    await page.locator('#operations-Balances-listBalances .opblock-body').waitFor();
    await page.getByRole('button', { name: 'authorization button unlocked' }).first().waitFor();
    expect(seen).toEqual(NOTHING_SEEN);
  });

  it('Swagger UI fits the screen of a phone, with the rules unfolded and an operation open', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${tidemark.url}/docs#/Balances/listBalances`);
    await page.locator('.opblock-body .responses-table').waitFor();
    await page.locator('.info summary').click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it('Swagger UI begins with five lines and Authorize, before the rules, and follows dark mode', async () => {
    const context = await browser.newContext({ colorScheme: 'dark', viewport: { width: 1280, height: 800 } });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const seen = watch(page, tidemark.url);
    await page.goto(`${tidemark.url}/docs`);
    const authorize = page.locator('.scheme-container .btn.authorize');
    await authorize.waitFor();
    const { y, height } = (await authorize.boundingBox())!;
    expect(y + height).toBeLessThan(800);
    expect(await page.locator('.info .description ol li').count()).toBe(5);
    const rules = page.getByText('rate_limit_exceeded').first();
    expect(await rules.isVisible()).toBe(false);
    await page.locator('.info summary').click();
    expect(await rules.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.classList.contains('dark-mode'))).toBe(true);
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

    const documentFor = async (visitor: Visitor) => {
      const { html, headers } = await visitor.get('/openapi.json');
      expect(headers.get('cache-control')).toBe('no-store');
      return JSON.parse(html) as OpenAPIObject;
    };
    const own = await documentFor(person);
    const idOf = (path: string, method: 'get' | 'post' | 'put' | 'patch' | 'delete') =>
      parametersOf(own.paths[path]![method]!, own).find(({ name }) => name === 'id')!;
    for (const method of ['get', 'patch'] as const) {
      expect(idOf('/api/v1/accounts/{id}', method).example).toBe(account!.id);
      expect(idOf('/api/v1/connections/{id}', method).example).toBe(connection.id);
    }
    expect(idOf('/api/v1/accounts/{id}/keep_separate', 'post').example).toBe(account!.id);
    const { requestBody } = own.paths['/api/v1/accounts/{id}/keep_separate']!.post!;
    expect((requestBody as RequestBodyObject).content['application/json']!.example).toEqual({ account_id: other!.id });
    // Neither may be merged, and a deletion is for good.
    expect(idOf('/api/v1/accounts/{id}/merge', 'post').description).toContain('you have no record yet');
    expect(idOf('/api/v1/accounts/{id}', 'delete').description).toContain('a deletion cannot be undone');

    const { html } = await person.get('/docs/swagger-ui-init.js');
    expect(html).toContain(account!.id);
    expect(JSON.stringify(await documentFor(new Visitor(tidemark.url)))).not.toContain(account!.id);
  });
});

if (CHROMIUM) describe('Swagger UI', swaggerUiInChromium);
else it('cannot use Swagger UI: no Chromium was found on this machine', () => console.warn('Install Chromium.'));
