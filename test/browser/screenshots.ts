import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { createApp } from '../../src/app.setup.js';
import { readConfig } from '../../src/config.js';
import { listen } from '../../src/listen.js';
import { freshSetupToken } from '../../src/sandbox/us-provider/setup-token.js';
import { startSurroundings } from '../../src/startup.js';
import { StillClock } from '../app.js';
import { CHROMIUM, launchChromium, PATIENCE_MS } from './chromium.js';
import { connectPretendBank, ENTRANCES, NOWHERE, pagesOf, SANDBOX, signUp, visit } from './site.js';

// Takes a picture of every page, light and dark, wide and narrow, of a person whose pretend banks were synced for a year.

const FOLDER = 'screenshots';
const LOOKS: Record<string, BrowserContextOptions> = {
  'wide-light': { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  'wide-dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  'narrow-light': { viewport: { width: 360, height: 740 }, colorScheme: 'light', deviceScaleFactor: 2 },
  'narrow-dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark', deviceScaleFactor: 2 },
};
/** How much of a page the README shows, in pixels from its top. */
const README_HEIGHTS = { overview: 1000, brokerage: 1075 };
const SYNCS = 40;
const DAYS_BETWEEN = 9;
const DAY_MS = 86_400_000;
/** What goes wrong at banks, each for a person of its own. */
const TROUBLES = ['bank-needs-login', 'revoked-later', 'account-readded'];
const LAST = Date.parse('2026-11-20T18:00:00Z');

if (!CHROMIUM) {
  console.error('No Chromium was found on this machine, so there are no screenshots.');
  process.exit(1);
}

const clock = new StillClock(new Date(LAST - SYNCS * DAYS_BETWEEN * DAY_MS));
const dataDir = await mkdtemp(join(tmpdir(), 'tidemark-screenshots-'));
const config = readConfig({
  ...{ PORT: '0', DATA_DIR: dataDir, DATABASE_URL: '', LOG_LEVEL: 'error', SYNC_CRON: 'off', ...SANDBOX },
  SIGN_UP: 'open',
});
const started = await startSurroundings(config);
const app = await createApp({ config, ...started, clock });
const url = await listen(app, config);
const browser = await launchChromium();
try {
  await mkdir(FOLDER, { recursive: true });
  const person = await browser.newContext({ ...LOOKS['wide-light'], timezoneId: 'UTC' });
  await live(await person.newPage());
  const storageState = await person.storageState();
  for (const [look, options] of Object.entries(LOOKS)) {
    const stranger = await browser.newPage(options);
    await shoot(stranger, look, { ...ENTRANCES, ...NOWHERE });
    const page = await browser.newPage({ ...options, storageState });
    const paths = await pagesOf(page, url);
    await shoot(page, look, paths);
    if (look === 'wide-light') await illustrate(page, paths);
  }
  for (const scenario of TROUBLES) await meet(scenario, await browser.newContext(LOOKS['wide-light']));
} finally {
  await browser.close();
  await app.close();
  await started.stop();
  await rm(dataDir, { recursive: true, force: true });
}

/** A year with the pretend bank: signed up, connected, synced every few days. */
async function live(page: Page): Promise<void> {
  await page.goto(url);
  await page.screenshot({ path: join(FOLDER, 'sign-up-wide-light.png') });
  await signUp(page, url);
  await page.screenshot({ path: join(FOLDER, 'welcome-wide-light.png') });
  await connectPretendBank(page, url);
  for (let sync = 1; sync <= SYNCS; sync++) {
    clock.set(new Date(LAST - (SYNCS - sync) * DAYS_BETWEEN * DAY_MS).toISOString());
    await page.goto(`${url}/connections`);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByRole('button', { name: 'Sync now' }).waitFor({ timeout: PATIENCE_MS });
  }
  await page.goto(`${url}/keys`);
  await page.getByLabel('Name').fill('Spreadsheet');
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByText('shown this once').waitFor();
  await page.screenshot({ path: join(FOLDER, 'key-created-wide-light.png'), fullPage: true });
}

/** The pages of a newcomer, and then of one whose bank makes trouble. */
async function meet(scenario: string, context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await signUp(page, url, `${scenario}@example.com`);
  await shoot(page, 'wide-light', { 'empty-connections': '/connections', 'empty-keys': '/keys' });
  await page.goto(`${url}/connections/new`);
  await page.getByLabel('Setup token').fill(freshSetupToken(url, scenario));
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await page.getByText('last synced').waitFor({ timeout: PATIENCE_MS });
  clock.set(new Date(clock.now().getTime() + DAY_MS).toISOString());
  await page.reload();
  await page.getByRole('button', { name: 'Sync now' }).click();
  await page.getByRole('button', { name: 'Sync now' }).waitFor({ timeout: PATIENCE_MS });
  await shoot(page, 'wide-light', { [scenario]: '/connections' });
  const narrow = await browser.newPage({ ...LOOKS['narrow-dark'], storageState: await context.storageState() });
  await shoot(narrow, 'narrow-dark', { [scenario]: '/connections' });
}

async function illustrate(page: Page, paths: Record<string, string>): Promise<void> {
  for (const [name, height] of Object.entries(README_HEIGHTS)) {
    await visit(page, url + paths[name]);
    const clip = { x: 0, y: 0, width: 1280, height };
    await page.screenshot({ path: join(FOLDER, `readme-${name}.png`), fullPage: true, clip });
  }
}

async function shoot(page: Page, look: string, paths: Record<string, string>): Promise<void> {
  for (const [name, path] of Object.entries(paths)) {
    await visit(page, url + path);
    await page.screenshot({ path: join(FOLDER, `${name}-${look}.png`), fullPage: true });
  }
}
