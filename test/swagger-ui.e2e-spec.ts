import type { Browser } from 'playwright-core';
import { createClient, startTestApp, type TestApp, type TestClient } from './app.js';
import { CHROMIUM, launchChromium, PATIENCE_MS } from './browser/chromium.js';
import { NOTHING_SEEN, watch } from './browser/site.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from './factories.js';

function swaggerUiInChromium(): void {
  let tidemark: TestApp;
  let client: TestClient;
  let browser: Browser;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    await writeSnapshot(tidemark, connection, snapshotAccount({ name: 'Tide pool', balance: balance(5_000) }));
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await tidemark?.stop();
  });

  it('takes a key, opens an operation by its address, and its request succeeds at once', async () => {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const seen = watch(page, tidemark.url);

    await page.goto(`${tidemark.url}/docs#/Balances/listBalances`);
    await page.locator('.btn.authorize').first().click();
    await page.getByLabel('Value:').fill(client.key);
    await page.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByText('Authorized').first().waitFor();
    await page.getByRole('button', { name: 'Close' }).click();

    const operation = page.locator('#operations-Balances-listBalances');
    await operation.locator('.opblock-body').waitFor();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answer = operation.locator('.live-responses-table');
    await answer.locator('tbody .response-col_status').getByText('200').waitFor();
    await answer.getByText('Tide pool').first().waitFor();
    const asked = await operation.locator('.request-url pre').textContent();
    expect(asked).toBe(`${tidemark.url}/api/v1/balances?page=1&per_page=25`);

    await page.reload();
    await page.locator('#operations-Balances-listBalances .opblock-body').waitFor();
    await page.getByRole('button', { name: 'authorization button locked' }).first().waitFor();
    expect(seen).toEqual(NOTHING_SEEN);
  });
}

if (CHROMIUM) describe('Swagger UI', swaggerUiInChromium);
else it('cannot use Swagger UI: no Chromium was found on this machine', () => console.warn('Install Chromium.'));
