import { startTestApp, type TestApp } from '../support/app.js';
import { AXE } from '../web/browser/axe.js';
import { FIREFOX, FirefoxPage } from '../web/browser/firefox.js';
import { PASSWORD, SANDBOX } from '../web/browser/site.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { until } from '../support/syncs.js';

/** Chromium sees every page in every look. Here is what browsers do differently: forms, charts, layout, theme. */
function pagesInFirefox(): void {
  let test: TestApp;
  let page: FirefoxPage;

  beforeAll(async () => {
    test = await startTestApp({ ...SANDBOX, SIGN_UP: 'open' });
    page = await FirefoxPage.launch();
  });
  afterAll(async () => {
    await page?.close();
    await test?.stop();
  });

  /** Until an expression is true on the page that is shown, which may be another one meanwhile. */
  const shows = (expression: string) =>
    until(async () => (await page.evaluate<boolean>(expression).catch(() => false)) || null, expression);

  async function fits(): Promise<void> {
    for (const width of [1280, 360]) {
      await page.resize(width, 740);
      // The scroll bar takes some of the width.
      const { scrollWidth, clientWidth } = await page.evaluate<Pick<Element, 'scrollWidth' | 'clientWidth'>>(
        `(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))(document.documentElement)`,
      );
      expect([width, scrollWidth]).toEqual([width, clientWidth]);
    }
  }

  async function breaksNoRule(): Promise<void> {
    await page.evaluate(`(${JSON.stringify(AXE)}, new Function(${JSON.stringify(AXE)})(), null)`);
    expect(await page.evaluate('axe.run().then(({ violations }) => violations.map(({ id }) => id))')).toEqual([]);
  }

  it('a user gets in Firefox from sign-up to the first chart', async () => {
    await page.open(`${test.url}/sign-up`);
    await fits();
    await breaksNoRule();
    await page.evaluate(
      `(email.value = 'anna@example.com', password.value = ${JSON.stringify(PASSWORD)},
        document.querySelector('main button').click())`,
    );
    await shows(`document.body.textContent.includes('Connect your first bank')`);
    await page.open(`${test.url}/connections/new`);
    await page.evaluate(`document.querySelector('#sandbox button').click()`);
    await shows(`document.body.textContent.includes('Up to date')`);
    await page.open(test.url);
    await shows(`document.querySelector('.plot[role=slider]') !== null`);
    await fits();
    await breaksNoRule();
    expect(page.errors).toEqual([]);
  });

  it('the page of an account shows another day in Firefox without a reload', async () => {
    await page.open(test.url);
    await page.evaluate(`[...document.links].find(({ text }) => text.includes('Everyday Checking')).click()`);
    await shows(`document.querySelector('.plot[role=slider]') !== null && document.querySelector('#day h2') !== null`);
    await fits();
    const before = await page.evaluate<string>(`document.querySelector('#day time').dateTime`);
    await page.evaluate(`(window.stays = true, document.querySelector('[aria-label="The day before"]').click())`);
    await shows(`document.querySelector('#day time').dateTime < ${JSON.stringify(before)} && window.stays`);
    await breaksNoRule();
    expect(page.errors).toEqual([]);
  });

  it('the pages in Firefox follow the theme that the user chose', async () => {
    await page.open(`${test.url}/settings`);
    const brightness = `getComputedStyle(document.documentElement).backgroundColor`;
    expect(await page.evaluate(brightness)).toBe('rgb(246, 248, 247)');
    await page.evaluate(`(theme.value = 'dark', theme.form.requestSubmit())`);
    await shows(`document.body.textContent.includes('Appearance saved.')`);
    expect(await page.evaluate(brightness)).toBe('rgb(14, 20, 19)');
    await fits();
    await breaksNoRule();
    expect(page.errors).toEqual([]);
  });

  it('the overview in Firefox collapses the groups of many accounts and formats numbers as the user chose', async () => {
    const [user]: { id: string }[] = await test.em().execute('select id from users');
    const connection = await createConnection(test, user!.id);
    for (let n = 1; n <= 20; n++) {
      await writeSnapshot(test, connection, snapshotAccount({ name: `Account ${n}`, balance: balance(123_456 * n) }));
    }
    await page.open(`${test.url}/settings`);
    await page.evaluate(`(number_format.value = 'de-DE', number_format.form.requestSubmit())`);
    await shows(`document.body.textContent.includes('Appearance saved.')`);
    await page.open(test.url);
    await fits();
    expect(await page.evaluate(`document.querySelectorAll('details.accounts[open]').length`)).toBe(0);
    await page.evaluate(`document.querySelector('details.accounts summary').click()`);
    await shows(
      `document.querySelector('details.accounts').open && document.body.textContent.includes('1.234,56\u00a0$')`,
    );
    await fits();
    await breaksNoRule();
    expect(page.errors).toEqual([]);
  });
}

if (FIREFOX) describe('pages in Firefox', pagesInFirefox);
else it('cannot look at the pages: no Firefox was found on this machine', () => console.warn('Install Firefox.'));
