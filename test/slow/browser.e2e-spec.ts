import type { Browser, BrowserContext, BrowserContextOptions, Page, Request, Route } from 'playwright-core';
import { startTestApp, type TestApp } from '../support/app.js';
import { CHROMIUM, FOR_TESTS, launchChromium, PATIENCE_MS } from '../web/browser/chromium.js';
import {
  connectSandboxBank,
  EMAIL,
  hrefOf,
  NOTHING_SEEN,
  PASSWORD,
  SANDBOX,
  settle,
  signUp,
  visit,
  watch,
} from '../web/browser/site.js';
import { daysBetween } from '../../src/platform/time/calendar-date.js';
import { dayText } from '../../src/web/components/when.js';
import { until } from '../support/syncs.js';

let test: TestApp;
let browser: Browser;

async function start(): Promise<void> {
  test = await startTestApp({ ...SANDBOX, SIGN_UP: 'open' });
  browser = await launchChromium(FOR_TESTS);
}

async function stop(): Promise<void> {
  await browser?.close();
  await test?.stop();
}

function newcomerInChromium(): void {
  beforeAll(start);
  afterAll(stop);

  it('a user gets in Chromium from sign-up to a chart and to a request with a new API key', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const seen = watch(page, test.url);
    await signUp(page, test.url);
    await page.getByRole('heading', { name: 'Connect your first bank' }).waitFor();
    await page.getByRole('link', { name: 'Try it with sandbox banks' }).click();
    await connectSandboxBank(page, test.url);

    await page.getByRole('link', { name: 'View overview' }).click();
    await page.locator('.plot[role=slider]').first().waitFor();
    await page
      .locator('.account-line')
      .getByRole('link', { name: /Everyday Checking/ })
      .click();
    await page.waitForURL(/accounts/);
    await page.locator('.plot[role=slider]').waitFor();
    await page.getByText(/The bank and its transactions agree|One balance reported so far/).waitFor();

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByLabel('Name').fill('Spreadsheet');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByRole('button', { name: 'Copy command' }).click();
    await page.getByText('Copied').waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const [, key = '', url = ''] = /'X-Api-Key: (\S+)' '(\S+)'/.exec(command) ?? [];
    const answer = await fetch(url, { headers: { 'X-Api-Key': key } });
    const { balances } = (await answer.json()) as { balances: unknown[] };
    expect([answer.status, balances.length]).toEqual([200, 3]);
    expect(seen).toEqual(NOTHING_SEEN);
  });

  it('a user can sign up, connect a bank, make and revoke an API key and sign out without a mouse', async () => {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${test.url}/sign-up`);
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type('bert@example.com');
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${test.url}/`);
    for (const text of ['Try it with sandbox banks', 'Sandbox: Banks in the United States']) await press(page, text);
    await page.getByText('Up to date').waitFor();

    await press(page, 'API keys');
    await page.waitForURL(/keys/);
    await tabTo(page, 'Name');
    await page.keyboard.type('Spreadsheet');
    await page.keyboard.press('Enter');
    await page.getByText('shown only once').waitFor();
    for (const text of ['Revoke', 'Revoke permanently']) await press(page, text);
    await page.getByText('Revoked').waitFor();
    await press(page, 'Sign out');
    await page.waitForURL(/sign-in/);
    await page.context().close();
  });
}

/** Tabs until the focus is on what is called so. */
async function tabTo(page: Page, text: string): Promise<void> {
  const called = () => {
    const element = document.activeElement as HTMLInputElement | null;
    return (element?.labels?.[0] ?? element)?.textContent?.trim();
  };
  for (let i = 0; i < 100 && (await page.evaluate(called)) !== text; i++) await page.keyboard.press('Tab');
  expect(await page.evaluate(called)).toBe(text);
}

async function press(page: Page, text: string): Promise<void> {
  await page.getByText(text, { exact: true }).first().waitFor();
  await tabTo(page, text);
  await page.keyboard.press('Enter');
}

/** Of Cumulative Layout Shift, where 0.1 is called good: what no eye sees. */
const MAX_SHIFT = 0.001;

interface Shifting {
  shift: number;
}

function addUpShifts(): void {
  const all = globalThis as unknown as Shifting;
  all.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) all.shift += (entry as unknown as { value: number }).value;
  }).observe({ type: 'layout-shift', buffered: true });
}

function drawn(): Promise<unknown> {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/** With everything drawn in its own font. */
async function shiftAtLast(): Promise<number> {
  if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve));
  await document.fonts.ready;
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return (globalThis as unknown as Shifting).shift;
}

/** Forms that lead to a page with a secret, which is shown once. */
const MADE = [
  { path: '/keys', fields: { Name: 'Late font' }, button: 'Create key' },
  {
    path: '/settings/webhooks',
    fields: { Address: 'https://hooks.example/late-font', Name: 'late-font' },
    button: 'Create webhook',
  },
];

/** What a person wants to know, what is clicked on the overview for it, and where the answer stands. */
const QUESTIONS: [question: string, click: string | null, where: string, answer: RegExp][] = [
  ['How much have I?', null, '.figure', /^\$[\d,]+\.\d\d$/],
  ['Is everything up to date?', null, '.status', /up to date\s+· (\d+) of \1 connected accounts as of today/],
  ['Does one look say whether all is well?', null, '.status:not(.warn)', /up to date/],
  ['What will come?', null, '.worth', /\d pending, .* once posted/],
  ['Why did it change?', null, '.why', /Money in.*Money out.*Market.*Unexplained.*Today/],
  ['Which account moved most?', null, '.worth', /What moved most\s*\w/],
  ['What changed since last time?', 'Since last visit', '.worth', /since 14 Mar 2026/],
  ['How did I do this year?', 'This year', '.worth', /\([+−][\d.]+%\) since 31 Dec 2025/],
  [
    'Is this number right?',
    'Everyday Checking',
    '.side',
    /The bank and its transactions agree|One balance reported so far/,
  ],
];

function behaviourInChromium(): void {
  let session: Awaited<ReturnType<BrowserContext['storageState']>>;
  let account: string;

  beforeAll(async () => {
    await start();
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    await signUp(page, test.url);
    await connectSandboxBank(page, test.url);
    session = await page.context().storageState();
    await page.goto(test.url);
    account = await hrefOf(page, /Everyday Checking/);
    await page.context().close();
  });
  afterAll(stop);

  /** A page of a browser of its own, signed in. */
  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ storageState: session, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return context.newPage();
  }

  /** Of an account with holdings, and of the connection. */
  async function hrefsOf(page: Page): Promise<[string, string]> {
    await page.goto(test.url);
    const brokerage = await hrefOf(page, /Individual Brokerage/);
    await page.goto(`${test.url}/connections`);
    return [brokerage, await hrefOf(page, /Manage/)];
  }

  it('the pages show charts, days and transactions with scripts switched off', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(`${test.url}/`);
    await page.locator('.chart svg.picture polyline').first().waitFor();
    await page
      .locator('.account-line')
      .getByRole('link', { name: /Everyday Checking/ })
      .click();
    // It opens on the last day that moved anything; the day is chosen in the field, and sent by its button.
    await page.getByLabel('Show another day').fill('2026-03-15');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.waitForURL(/day=2026-03-15/);
    await page.getByRole('link', { name: 'The day before' }).click();
    await page.locator('#day').getByText('14 Mar 2026').waitFor();
    await page.waitForURL(/day=2026-03-14/);
    await page.getByLabel('Search').fill('rent');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('found').waitFor();
    expect(await page.locator('.transactions tbody tr').count()).toBeGreaterThan(0);
  });

  it('the pages can be used with the keyboard alone', async () => {
    const page = await open({ storageState: undefined });
    await page.goto(`${test.url}/sign-in`);
    await page.locator('#email:focus').waitFor();
    await page.keyboard.type(EMAIL);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${test.url}/`);

    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('#content:focus').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    for (let i = 0; i < 40 && !(await focused()).startsWith('Everyday Checking'); i++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(test.url + account);
    await page.locator('.plot[role=slider]').waitFor();

    const onChart = () => page.evaluate(() => document.activeElement?.classList.contains('plot') ?? false);
    for (let i = 0; i < 30 && !(await onChart()); i++) await page.keyboard.press('Tab');
    const readout = page.locator('.tip');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await readout.getByText('13 Mar 2026').waitFor();
    await page.keyboard.press('PageDown');
    await readout.getByText('11 Feb 2026').waitFor();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('ArrowUp');
    await readout.getByText('14 Mar 2026').waitFor();
    await page.keyboard.press('ArrowDown');
    await readout.getByText('13 Mar 2026').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('#day').getByText('13 Mar 2026').waitFor();
  });

  /** The middle of the chart, and how many pixels its days are apart. */
  async function onChart(page: Page) {
    const { x, y, width, height } = (await page.locator('.plot').boundingBox())!;
    const days = Number(await page.locator('.plot').getAttribute('aria-valuemax'));
    return { at: (day: number) => [x + (width * day) / days, y + height / 2] as const, days };
  }

  it('the chart of an account answers to the pointer, and a click opens the day beside it', async () => {
    const page = await open();
    await visit(page, `${test.url}${account}?range=30d`);
    const { at } = await onChart(page);
    const { day, name } = await page.evaluate(async () => {
      const answer = await fetch(document.querySelector('.chart')!.getAttribute('data-href')!);
      return ((await answer.json()) as { day: string; name: string }[])[3]!;
    });
    const shown = dayText(day);
    const index = daysBetween('2026-02-14', day);
    await page.mouse.move(...at(index));
    const tip = page.locator('.tip');
    await tip.getByText(`Largest: ${name}`).waitFor();
    const said = (await tip.innerText()).split('\n');
    expect(said[0]).toBe(shown);
    expect(said[1]).toMatch(/^Balance \$\S+$/);
    expect(said[2]).toMatch(/^[+−]\S+ since 13 Feb 2026$/);
    await page.mouse.click(...at(index));
    await page.locator('#day h2').getByText(shown).waitFor();
  });

  it('a drag over the chart, and arrow keys with Shift, show why the balance changed between two days', async () => {
    const page = await open();
    await visit(page, `${test.url}${account}?range=30d`);
    const { at } = await onChart(page);
    await page.mouse.move(...at(20));
    await page.mouse.down();
    await page.mouse.move(...at(10), { steps: 3 });
    await page.locator('.tip').getByText('25 Feb 2026 – 6 Mar 2026').waitFor();
    const said = await page.locator('.tip').innerText();
    await page.mouse.up();
    await page.waitForURL(/from=2026-02-25&to=2026-03-06/);
    const figures = page.locator('.why .number');
    const amounts = (await figures.allTextContents()).map((text) =>
      Number(text.replace(/[^0-9.−]/g, '').replace('−', '-')),
    );
    expect(said).toContain(
      (amounts.at(-1)! - amounts[0]!)
        .toFixed(2)
        .replace('-', '')
        .replace(/\B(?=(\d{3})+\.)/, ','),
    );

    await visit(page, `${test.url}/?range=30d`);
    await page.locator('.plot').focus();
    for (const key of ['ArrowLeft', 'Shift+ArrowLeft', 'Shift+ArrowLeft']) await page.keyboard.press(key);
    await page.locator('.tip').getByText('13 Mar 2026 – 14 Mar 2026').waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/currency=USD&from=2026-03-13&to=2026-03-14/);
    await page.locator('.why').getByText('12 Mar 2026').waitFor();
  });

  it('a click on the chart of the overview, and Enter, open the day over all accounts', async () => {
    const page = await open();
    await visit(page, `${test.url}/?range=30d`);
    const { at } = await onChart(page);
    await page.mouse.click(...at(20));
    await page.getByRole('heading', { name: /^\d+ (Feb|Mar) 2026$/ }).waitFor();
    const rows = await page.locator('.day-accounts tbody tr').count();
    expect(rows).toBeGreaterThan(3);
    await page.getByRole('link', { name: 'The day before' }).click();
    await page.goto(`${test.url}/?range=30d`);
    await page.locator('.plot').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.waitForURL(/days\?day=2026-03-14/);
  });

  it('a tap on the chart reads the day out, and another one opens it', async () => {
    const page = await open({ hasTouch: true, viewport: { width: 390, height: 844 } });
    await visit(page, `${test.url}/?range=30d`);
    await page.locator('.plot').scrollIntoViewIfNeeded();
    const { at } = await onChart(page);
    await page.touchscreen.tap(...at(15));
    await page.locator('.tip').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.touchscreen.tap(...at(15));
    await page.waitForURL(/days\?day=/);
  });

  it('a first visit of a page with its chart transfers less than 90 kB', async () => {
    const page = await open();
    const sizes: ReturnType<Request['sizes']>[] = [];
    page.on('requestfinished', (request) => sizes.push(request.sizes()));
    await visit(page, test.url + account);
    await page.locator('.plot[role=slider]').waitFor();
    // The browser reports some requests only after it has drawn what came.
    await until(() => Promise.resolve(sizes.length >= 6 || null), 'loaded: all that the page shows');
    const bytes = (await Promise.all(sizes)).map((size) => size.responseHeadersSize + size.responseBodySize);
    expect(bytes.reduce((sum, size) => sum + size)).toBeLessThan(90_000);
  });

  it.each([1280, 320])('no layout shifts when the font loads late, %i pixels wide', async (width) => {
    const page = await open({ viewport: { width, height: 740 } });
    await page.addInitScript(addUpShifts);
    const [brokerage, connection] = await hrefsOf(page);
    let fontMayCome = Promise.withResolvers<void>();
    await page.route('**/*.woff2', async (route) => {
      await fontMayCome.promise;
      await route.continue();
    });
    /** Of the page that a step leads to. */
    const shiftAfter = async (step: () => Promise<unknown>): Promise<number> => {
      fontMayCome = Promise.withResolvers();
      await step();
      await page.evaluate(drawn);
      fontMayCome.resolve();
      await settle(page);
      return page.evaluate(shiftAtLast);
    };
    const shifts: Record<string, number> = {};
    fontMayCome.resolve();
    for (const { path, fields, button } of MADE) {
      await page.goto(test.url + path);
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
      for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
      shifts[button] = await shiftAfter(async () => {
        await page.getByRole('button', { name: button }).click();
        await page.waitForURL(/created=/, { waitUntil: 'domcontentloaded' });
      });
    }
    const webhook = await hrefOf(page, /late-font/);
    const connected = ['', '/syncs'].map((rest) => connection + rest);
    const ofAccount = ['', '/balances', '/reconciliation', '?search=rent', '?range=30d'].map((rest) => account + rest);
    const settings = ['', '/activity', '/second-factor', '/webhooks'].map((rest) => `/settings${rest}`).concat(webhook);
    const others = [
      '/',
      '/?range=all',
      brokerage,
      '/transactions',
      '/days?day=2026-03-01',
      '/connections',
      '/connections/new',
      '/keys',
    ];
    const entrance = ['/sign-in', '/sign-up', '/nowhere'];
    for (const path of [...others, ...ofAccount, ...connected, ...settings, ...entrance]) {
      if (path === entrance[0]) await page.context().clearCookies();
      shifts[path] = await shiftAfter(() => page.goto(test.url + path, { waitUntil: 'domcontentloaded' }));
    }
    expect(Object.entries(shifts).filter(([, shift]) => shift >= MAX_SHIFT)).toEqual([]);
  });

  it('the page of an account keeps the focus when the day is changed, so that the next key changes it again', async () => {
    const page = await open();
    await visit(page, `${test.url}${account}?day=2026-03-15`);
    await page.getByRole('link', { name: 'The day before' }).focus();
    const shown = () => page.locator('#day h2').textContent();
    for (const day of ['14 Mar 2026', '13 Mar 2026', '12 Mar 2026']) {
      await page.keyboard.press('Enter');
      await page.locator('#day h2').getByText(day).waitFor();
    }
    // A date field is typed part by part, and each part is a change.
    const field = page.getByLabel('Show another day');
    await field.focus();
    await page.keyboard.type('02');
    await page.locator('#day h2').getByText('12 Feb 2026').waitFor();
    await page.keyboard.type('24');
    await page.locator('#day h2').getByText('24 Feb 2026').waitFor();
    expect([await shown(), await field.inputValue()]).toEqual(['24 Feb 2026', '2026-02-24']);
  });

  it('Escape closes what was opened by keyboard and leaves the focus on its button', async () => {
    const page = await open();
    const [, connection] = await hrefsOf(page);
    await visit(page, test.url + account);
    const summary = page.locator('summary', { hasText: 'Close or hide' });
    await summary.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    // A calendar that is open would be closed, and nothing else.
    await page.locator('#closed_on:focus').waitFor();
    await page.getByLabel('Hide from the overview').focus();
    await page.keyboard.press('Escape');
    await page.locator('details:not([open]) > summary:focus-visible', { hasText: 'Close or hide' }).waitFor();
    // The links of a problem lead to what is folded up.
    await page.goto(`${test.url}${connection}#remove`);
    await page.locator('details[open] #remove').waitFor();
  });

  it('the tables of a day, of all days and of balance reports show every column on a phone 320 pixels wide', async () => {
    const page = await open({ viewport: { width: 320, height: 740 } });
    await page.goto(test.url);
    const brokerage = await hrefOf(page, /Individual Brokerage/);
    for (const path of [brokerage, `${account}/reconciliation`, `${account}/balances`, `${brokerage}/balances`]) {
      await visit(page, test.url + path);
      const tables = page.locator('main .table-scroll');
      const hidden = await tables.evaluateAll((boxes) => boxes.map((box) => box.scrollWidth - box.clientWidth));
      expect([path, hidden]).toEqual([path, hidden.map(() => 0)]);
      expect(hidden.length).toBeGreaterThan(0);
    }
  });

  it.each([
    [44, 1280],
    // A name has two lines there.
    [62, 320],
  ])(
    'an account has a row of at most %i pixels with its whole name, however long its bank’s name is, %i pixels wide',
    async (height, width) => {
      const institution = 'Bancolombia Panama International Savings and Trust Company';
      const name = async (value: string, status: string) =>
        test
          .em()
          .execute(`update accounts set institution = ?, status = ? where name like 'High-Yield%'`, [value, status]);
      const stored: { before: string }[] = await test
        .em()
        .execute(`select institution as before from accounts where name like 'High-Yield%'`);
      await name(institution, 'missing');
      const page = await open({ viewport: { width, height: 800 } });
      await visit(page, test.url);
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
      const heights = await page
        .locator('.account-line')
        .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height));
      expect(Math.max(...heights.map(Math.round))).toBeLessThanOrEqual(height);
      const names = page.locator('.account-line a');
      expect(await names.evaluateAll((all) => all.every((name) => name.scrollWidth <= name.clientWidth))).toBe(true);
      const row = page.locator('.account-line', { hasText: 'High-Yield' });
      const box = async (text: string) => (await row.getByText(text).boundingBox())!;
      const [bank, state, all] = [await box(institution), await box('No longer listed'), (await row.boundingBox())!];
      expect(bank.x + bank.width).toBeLessThanOrEqual(state.x);
      expect(state.x + state.width).toBeLessThan(all.x + all.width);
      await page.context().close();
      await name(stored[0]!.before, 'active');
    },
  );

  /** Makes a key, and stays on the page that shows it once. */
  async function createKey(page: Page): Promise<void> {
    await page.goto(`${test.url}/keys`);
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
    await page.getByLabel('Name').fill('Copied');
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('shown only once').waitFor();
  }

  it('the layout does not shift when the script loads late, on a screen 320 pixels wide', async () => {
    const page = await open({ viewport: { width: 320, height: 740 } });
    await page.addInitScript(addUpShifts);
    const scriptMayCome = Promise.withResolvers<void>();
    await page.route('**/page*.js', async (route) => {
      if (page.url().includes('created=')) await scriptMayCome.promise;
      await route.continue();
    });
    await createKey(page);
    await page.evaluate(drawn);
    const button = page.locator('[data-copy="new-key"]');
    expect(await button.isVisible()).toBe(false);
    scriptMayCome.resolve();
    await button.waitFor();
    await settle(page);
    expect(await page.evaluate(shiftAtLast)).toBe(0);
  });

  it('the copy button of a secret has its label back after it was pressed, however often', async () => {
    const page = await open({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.clock.install();
    await createKey(page);
    const button = page.locator('[data-copy="new-key"]');
    for (let pressed = 0; pressed < 2; pressed++) {
      await button.click();
      await button.getByText('Copied').waitFor();
    }
    await until(async () => {
      await page.clock.runFor(2_000);
      return (await button.textContent()) === 'Copy key' || null;
    }, 'named as before');
  });

  it('a secret is shown without a copy button if the browser has no clipboard for the page', async () => {
    const page = await open();
    await page.addInitScript(() => Object.defineProperty(globalThis, 'isSecureContext', { value: false }));
    await createKey(page);
    await page.locator('#new-key').waitFor();
    expect(await page.locator('[data-copy]:visible').count()).toBe(0);
  });

  it('a page says that a part could not be loaded until it is loaded', async () => {
    const page = await open();
    await visit(page, test.url + account);
    const failed = page.getByText('This could not be loaded.');
    const parts = /\/transactions\?search=/;
    const failing = {
      abort: (route: Route) => route.abort(),
      refuse: (route: Route) => route.fulfill({ status: 503 }),
    };
    for (const fail of Object.values(failing)) {
      await page.route(parts, fail);
      await page.getByLabel('Search').fill('rent');
      await failed.waitFor();
      await page.unroute(parts);
      await page.getByLabel('Search').fill('payroll');
      await failed.waitFor({ state: 'detached' });
    }
  });

  /** Holds up the requests for a part of the page until `release`, and counts them. */
  async function holdUp(page: Page, part: RegExp): Promise<{ asked: () => Promise<number>; release: () => void }> {
    const held = Promise.withResolvers<void>();
    await page.route(part, async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.evaluate(() => {
      const all = globalThis as unknown as { asked: number };
      all.asked = 0;
      document.addEventListener('htmx:config:request', () => all.asked++);
    });
    return {
      asked: () => page.evaluate(() => (globalThis as unknown as { asked: number }).asked),
      release: () => held.resolve(),
    };
  }

  it('a search shows the results of the last input, however slow the response to an earlier one', async () => {
    const page = await open();
    await visit(page, test.url + account);
    const { asked, release } = await holdUp(page, /\/transactions\?search=/);
    const search = page.getByLabel('Search');
    for (const [index, text] of ['p', 'pay', 'payroll'].entries()) {
      await search.fill(text);
      await until(async () => ((await asked()) > index ? true : null), `asked for: ${text}`);
    }
    release();
    await page.waitForURL(/search=payroll/);
    await page.locator('#transaction-list').getByText('found').waitFor();
  });

  it('the chart shows the last chosen day, however it was chosen', async () => {
    const page = await open();
    await visit(page, `${test.url}${account}?day=2026-03-10`);
    const { asked, release } = await holdUp(page, /\/day\?/);
    const field = page.getByLabel('Show another day');
    const steps = [
      () => page.getByRole('link', { name: 'The day before' }).click(),
      () => field.fill('2026-03-11'),
      () => field.fill('2026-03-12'),
      () => field.fill('2026-03-13'),
    ];
    for (const [index, step] of steps.entries()) {
      await step();
      await until(async () => ((await asked()) > index ? true : null), 'asked for a day');
    }
    release();
    await page.locator('#day h2').getByText('13 Mar 2026').waitFor();
    expect(await field.inputValue()).toBe('2026-03-13');
  });

  it('an opened part of a page stays open when that part is updated', async () => {
    const page = await open();
    const [, connection] = await hrefsOf(page);
    const id = connection.split('/').at(-1)!;
    // A sync that never starts.
    const queue = `insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
      select user_id, gen_random_uuid(), id, 'person', 'queued', 'waiting', ? from connections where id = ?`;
    await test.em().execute(queue, [test.clock.now(), id]);
    const details = `<details><summary>More</summary><p>Opened</p></details>`;
    await page.route(/\/state\?/, async (route) => {
      const { origin, pathname } = new URL(route.request().url());
      const response = await route.fetch({ url: origin + pathname });
      const body = (await response.text()).replace('<p class="row">', `${details}<p class="row">`);
      await route.fulfill({ response, body });
    });
    await visit(page, test.url + connection);
    await page.locator('.connection-state summary', { hasText: 'More' }).click();
    for (let renewed = 0; renewed < 2; renewed++) await page.waitForResponse(/\/state\?/);
    await page.evaluate(drawn);
    await page.getByText('Opened').waitFor();
    await test.em().execute('delete from sync_runs where connection_id = ? and status = ?', [id, 'queued']);
  });

  it('a long text of a transaction is shown completely', async () => {
    const page = await open();
    await visit(page, test.url + account);
    const isCut = await page
      .locator('.transactions td > a')
      .first()
      .evaluate((what) => {
        what.textContent = 'A transfer with a long text. '.repeat(40);
        return what.scrollHeight > what.clientHeight + 1 && what.clientHeight > 0;
      });
    expect(isCut).toBe(false);
  });

  it('transactions are searched while the user types', async () => {
    const page = await open();
    await visit(page, test.url + account);
    const list = page.locator('#transaction-list');
    const all = await list.locator('[role=status]').textContent();
    await page.getByLabel('Search').pressSequentially('payroll');
    await list.getByText('found').waitFor();
    expect(await list.locator('[role=status]').textContent()).not.toBe(all);
    await page.getByRole('link', { name: 'This month' }).click();
    await page.waitForURL(/range=month/);
    expect(await page.getByLabel('Search').inputValue()).toBe('payroll');
  });

  describe('questions that people bring', () => {
    beforeAll(async () => {
      const page = await open();
      await page.goto(test.url);
      test.clock.set('2026-03-15T15:00:00Z');
      await page.context().close();
    });

    it.each(QUESTIONS)(
      '“%s” is answered with one click at most, on the first screen',
      async (_, click, where, answer) => {
        const page = await open({ viewport: { width: 1280, height: 800 } });
        await visit(page, test.url);
        if (click) {
          await page.getByRole('link', { name: click }).first().click();
          await page.waitForURL(/accounts|range=|from=/);
          await settle(page);
        }
        const part = page.locator(where).first();
        await part.getByText(answer).or(part).first().waitFor();
        const text = await part.evaluate((element) => element.textContent);
        expect(text).toMatch(answer);
        const top = await part.evaluate((element) => element.getBoundingClientRect().top);
        expect(top).toBeLessThan(700);
        await page.context().close();
      },
    );

    it('“Did that payment arrive?” is answered by one search', async () => {
      const page = await open();
      await visit(page, test.url);
      await page.getByLabel('Search transactions').fill('rent');
      await page.keyboard.press('Enter');
      await page.locator('#transaction-list').getByText('Maple Court').first().waitFor();
      await page.context().close();
    });
  });
}

if (CHROMIUM) {
  describe('first visit in Chromium', newcomerInChromium);
  describe('pages in Chromium', behaviourInChromium);
} else {
  it('the pages cannot be tested: no Chromium was found on this machine', () => console.warn('Install Chromium.'));
}
