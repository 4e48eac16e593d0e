import type { Browser } from 'playwright-core';
import type { Connection } from '../src/connections/connection.entity.js';
import { SyncRunsService } from '../src/sync/runs/sync-runs.service.js';
import { createClient, startTestApp, type TestApp, type TestClient } from './app.js';
import { CHROMIUM, launchChromium, PATIENCE_MS } from './browser/chromium.js';
import { NOTHING_SEEN, watch } from './browser/site.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from './factories.js';

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
    browser = await launchChromium();
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

  it('takes a key, opens an operation by its address, and its request succeeds at once', async () => {
    const { page, seen, operation, answer } = await execute('Balances', 'listBalances');
    await answer.getByText('Tide pool').first().waitFor();
    const asked = await operation.locator('.request-url pre').textContent();
    expect(asked).toBe(`${tidemark.url}/api/v1/balances?page=1&per_page=25&sort=-date`);

    await page.reload();
    await page.locator('#operations-Balances-listBalances .opblock-body').waitFor();
    await page.getByRole('button', { name: 'authorization button locked' }).first().waitFor();
    expect(seen).toEqual(NOTHING_SEEN);
  });

  it('shows the beginning of a stream that never ends', async () => {
    const { id } = await tidemark.app.get(SyncRunsService).request(client.userId, connection.id, 'person');
    const { seen, answer } = await execute('Syncs', 'streamEvents');
    await answer.getByText(`data: {"id":"${id}"`).first().waitFor();
    expect(seen).toEqual(NOTHING_SEEN);
  });
}

if (CHROMIUM) describe('Swagger UI', swaggerUiInChromium);
else it('cannot use Swagger UI: no Chromium was found on this machine', () => console.warn('Install Chromium.'));
