import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EntityManager } from '@mikro-orm/postgresql';
import type { Page } from 'playwright-core';
import { loadAppSecrets } from '../../../src/platform/config/app-secret.js';
import { createApp } from '../../../src/app.setup.js';
import { readConfig } from '../../../src/platform/config/config.js';
import { migrate } from '../../../src/database/migrate.js';
import { listen } from '../../../src/operate/bootstrap/listen.js';
import { MODULES } from '../../../src/modules.js';
import { PROVIDERS } from '../../../src/providers/installed.js';
import { StillClock } from '../../support/app.js';
import { startThrowawayPostgres } from '../../support/throwaway-postgres.js';
import { CHROMIUM, launchChromium, PATIENCE_MS } from './chromium.js';
import { meetCrowd, meetFifty, SCENES_OF_CROWD, SCENES_OF_FIFTY } from './crowd.js';
import { meetFailing, SCENES_OF_FAILING } from './failing.js';
import { meetFew, SCENES_OF_FEW } from './few.js';
import { meetFirstSync, SCENES_OF_FIRST_SYNC } from './first-sync.js';
import { LOOKS, putOn } from './looks.js';
import { type Scenes, SCENES_OF_NEWCOMER, SCENES_OF_OWNER, SCENES_OF_STRANGER } from './scenes.js';
import { connectSandboxBank, SANDBOX, signUp, visitSignedIn } from './site.js';
import { at } from './steps.js';
import { meet, TROUBLES } from './troubled.js';
import { meetUnexplained, SCENES_OF_UNEXPLAINED } from './unexplained.js';

// Takes a picture of every page, light and dark, wide and narrow: of a person whose pretend bank was synced each day of a month,
// of one whose banks make trouble, of a newcomer and of a stranger.
// npm run screenshots [-- account connections]     all, or those whose names begin so

const FOLDER = 'screenshots';
const WANTED = process.argv.slice(2);
/** How much of a page the README shows, in pixels from its top. */
const README_HEIGHTS: Record<string, number> = { overview: 1176 };
const SYNCS = 30;
/** What has come since then is new on the overview. */
const LAST_VISIT = 27;
const DAYS_BETWEEN = 1;
const DAY_MS = 86_400_000;
const LAST = Date.parse('2026-11-20T18:00:00Z');

if (!CHROMIUM) {
  console.error('No Chromium was found on this machine, so there are no screenshots.');
  process.exit(1);
}

const clock = new StillClock(new Date(LAST - SYNCS * DAYS_BETWEEN * DAY_MS));
const postgres = await startThrowawayPostgres('screenshots');
const config = readConfig(PROVIDERS, MODULES, {
  ...{ PORT: '0', DATA_DIR: postgres.folder, DATABASE_URL: '', LOG_LEVEL: 'fatal', SYNC_CRON: 'off', ...SANDBOX },
  SIGN_UP: 'open',
  CLOCK_CHECK: 'off',
});
await migrate(postgres.address, config.database, { modules: MODULES });
const app = await createApp({ config, secrets: await loadAppSecrets(config), database: postgres.address, clock });
const url = await listen(app, config);
const browser = await launchChromium();
const site = { app, url, clock, em: () => app.get(EntityManager).fork() };
try {
  await mkdir(FOLDER, { recursive: true });
  const owner = await browserPage();
  await shoot(owner, { 'sign-up-first': at('/sign-up') });
  if (hasWanted(SCENES_OF_OWNER)) await live(owner);
  else {
    clock.set(new Date(LAST).toISOString());
    await signUp(owner, url);
  }
  await shoot(await browserPage(), SCENES_OF_STRANGER);
  await shoot(owner, SCENES_OF_OWNER);
  const newcomer = await browserPage();
  await signUp(newcomer, url, 'newcomer@example.com');
  await shoot(newcomer, SCENES_OF_NEWCOMER);
  const others = [
    [meetFirstSync, SCENES_OF_FIRST_SYNC],
    [meetFailing, SCENES_OF_FAILING],
    [meetFew, SCENES_OF_FEW],
    [meetUnexplained, SCENES_OF_UNEXPLAINED],
    [meetFifty, SCENES_OF_FIFTY],
    [meetCrowd, SCENES_OF_CROWD],
  ] as const;
  for (const [meetSomebody, scenes] of others) {
    if (!hasWanted(scenes)) continue;
    const page = await browserPage();
    await meetSomebody(site, page);
    await shoot(page, scenes);
  }
  for (const [scenario, scenes] of Object.entries(TROUBLES)) {
    if (!hasWanted(scenes)) continue;
    const page = await browserPage();
    await meet(scenario, site, page);
    await shoot(page, scenes);
  }
} finally {
  await browser.close();
  await app.close();
  await postgres.stop();
}

/** Of a browser of its own. */
function browserPage(): Promise<Page> {
  return browser.newPage({ deviceScaleFactor: 2, timezoneId: 'UTC', reducedMotion: 'reduce' });
}

/** A month with the pretend bank: signed up, connected, synced every day. */
async function live(page: Page): Promise<void> {
  await signUp(page, url);
  await connectSandboxBank(page, url);
  for (let sync = 1; sync <= SYNCS; sync++) {
    clock.set(new Date(LAST - (SYNCS - sync) * DAYS_BETWEEN * DAY_MS).toISOString());
    await visitSignedIn(page, `${url}/connections`);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await page.getByRole('button', { name: 'Sync now' }).waitFor({ timeout: PATIENCE_MS });
    if (sync === LAST_VISIT) await visitSignedIn(page, `${url}/`);
  }
  // A machine without Japanese letters would leave a gap in the picture of the README.
  await site.em().execute("update accounts set name = replace(name, '普通預金 ', '')");
}

function isWanted(name: string): boolean {
  return WANTED.length === 0 || WANTED.some((wanted) => name.startsWith(wanted));
}

function hasWanted(scenes: Scenes): boolean {
  return Object.keys(scenes).some(isWanted);
}

async function shoot(page: Page, scenes: Scenes): Promise<void> {
  for (const [name, scene] of Object.entries(scenes)) {
    if (!isWanted(name)) continue;
    await scene(page, site);
    for (const look of LOOKS) {
      await putOn(look, page);
      // As high as the page, so that what stays at the bottom of the screen stands at its end.
      const height = await page.evaluate(() => document.documentElement.scrollHeight);
      await putOn({ ...look, height: Math.max(look.height, height) }, page);
      const scale = look.width > 720 ? 'css' : 'device';
      await page.screenshot({ path: join(FOLDER, `${name}-${look.name}.png`), fullPage: true, scale });
      const readme = look.name === 'wide-light' ? README_HEIGHTS[name] : undefined;
      if (!readme) continue;
      const clip = { x: 0, y: 0, width: look.width, height: readme };
      await page.screenshot({ path: join(FOLDER, `readme-${name}.png`), fullPage: true, scale, clip });
    }
  }
}
