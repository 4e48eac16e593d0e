import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestApp, type TestApp } from '../../support/app.js';
import { COLOR_RULES, keepsShape, violations } from './axe.js';
import { CHROMIUM, FOR_TESTS, launchChromium, PATIENCE_MS } from './chromium.js';
import { meetCrowd, meetFifty, SCENES_OF_CROWD, SCENES_OF_FIFTY } from './crowd.js';
import { markupFaults, overflowing } from './faults.js';
import { meetFailing, SCENES_OF_FAILING } from './failing.js';
import { meetFew, SCENES_OF_FEW } from './few.js';
import { meetFirstSync, SCENES_OF_FIRST_SYNC } from './first-sync.js';
import { meetImmense, SCENES_OF_IMMENSE } from './immense.js';
import { unreachable } from './keyboard.js';
import { type Look, putOn } from './looks.js';
import { type Scenes, SCENES_OF_NEWCOMER, SCENES_OF_OWNER, SCENES_OF_STRANGER } from './scenes.js';
import { connectSandboxBank, NOTHING_SEEN, SANDBOX, signUp, type Watch, watch } from './site.js';
import { meet, TROUBLES } from './troubled.js';
import { meetUnexplained, SCENES_OF_UNEXPLAINED } from './unexplained.js';

type Enter = (page: Page, test: TestApp) => Promise<void>;

/** Who sees pages: a name, what they see, and how they get there. */
export type People = [string, Scenes, Enter][];

/** Who sees what most people see. */
export const ANYBODY: People = [
  [
    'a person with accounts',
    SCENES_OF_OWNER,
    async (page, { url }) => {
      await signUp(page, url);
      await connectSandboxBank(page, url);
    },
  ],
  ['a stranger', SCENES_OF_STRANGER, () => Promise.resolve()],
  ['a newcomer', SCENES_OF_NEWCOMER, (page, { url }) => signUp(page, url, 'newcomer@example.com')],
];

export const EVERYBODY: People = [
  ...ANYBODY,
  ['a person whose first sync is under way', SCENES_OF_FIRST_SYNC, (page, test) => meetFirstSync(test, page)],
  ['a person whose providers fail', SCENES_OF_FAILING, (page, test) => meetFailing(test, page)],
  ['a person with one account', SCENES_OF_FEW, (page, test) => meetFew(test, page)],
  ['a person whose bank leaves out transactions', SCENES_OF_UNEXPLAINED, (page, test) => meetUnexplained(test, page)],
  ['a person with 50 accounts', SCENES_OF_FIFTY, (page, test) => meetFifty(test, page)],
  ['a person with 200 accounts', SCENES_OF_CROWD, (page, test) => meetCrowd(test, page)],
  ['a person with immense names and amounts', SCENES_OF_IMMENSE, (page, test) => meetImmense(test, page)],
  ...Object.entries(TROUBLES).map(([scenario, scenes]): People[number] => [
    `a person whose bank plays ${scenario}`,
    scenes,
    (page, test) => meet(scenario, test, page),
  ]),
];

/** How many screens high a page may be. */
const MAX_SCREENS: Record<string, number> = { 'fifty-overview': 3, 'crowd-overview': 3 };

/** What is read on a page: its headings and the cells of its tables. */
function readings(page: Page): Promise<string[]> {
  return page.locator('h1, h2, th, td').allTextContents();
}

/**
 * Holds that each page fits, logs no error, breaks no rule of accessibility, and needs neither a mouse nor scripts.
 *
 * @param looks the first is the one in which a page is opened
 */
export function describePages(people: People, looks: readonly Look[]): void {
  if (CHROMIUM) describe('every page', () => pagesInChromium(people, looks));
  else it('cannot be looked at: no Chromium was found on this machine', () => console.warn('Install Chromium.'));
}

function pagesInChromium(people: People, looks: readonly Look[]): void {
  let test: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    test = await startTestApp({ ...SANDBOX, SIGN_UP: 'open' });
    browser = await launchChromium(FOR_TESTS);
  });
  afterAll(async () => {
    await browser?.close();
    await test?.stop();
  });

  describe.each(people)('of %s', (_, scenes, enter) => {
    let context: BrowserContext;
    let silent: BrowserContext;
    // All scenes play on one page with scripts and one without: a page costs more than what most scenes do on it.
    let page: Page;
    let silentPage: Page;
    let seen: Watch;
    let seenInSilence: Watch;

    beforeAll(async () => {
      test.clock.set('2026-03-15T12:00:00Z');
      context = await browser.newContext({ reducedMotion: 'reduce' });
      context.setDefaultTimeout(PATIENCE_MS);
      page = await context.newPage();
      await enter(page, test);
      const storageState = await context.storageState();
      silent = await browser.newContext({ javaScriptEnabled: false, storageState });
      silent.setDefaultTimeout(PATIENCE_MS);
      silentPage = await silent.newPage();
      seen = watch(page, test.url);
      seenInSilence = watch(silentPage, test.url);
    });
    afterAll(async () => {
      await context?.close();
      await silent?.close();
    });

    it.each(Object.entries(scenes))(
      '%s fits, is silent, breaks no rule, needs no mouse and no script',
      async (name, scene) => {
        await putOn(looks[0]!, page);
        await scene(page, test);
        expect(await markupFaults(page)).toEqual([]);
        const found: Record<string, unknown> = {};
        for (const look of looks) {
          await putOn(look, page);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          const height = await page.evaluate(() => document.documentElement.scrollHeight);
          expect(height / look.height).toBeLessThanOrEqual(MAX_SCREENS[name] ?? Infinity);
          // Of a look that differs from the one before in nothing but colors, all other rules have been asked already.
          const rules = (await keepsShape(page)) ? COLOR_RULES : undefined;
          found[look.name] = { width, violations: await violations(page, rules) };
        }
        expect(found).toEqual(Object.fromEntries(looks.map(({ name, width }) => [name, { width, violations: [] }])));
        expect(await unreachable(page)).toEqual([]);
        // In one look a page is tried with scripts only, and in its width.
        if (looks.length > 1) {
          expect(await overflowing(page)).toEqual([]);
          const withScripts = await readings(page);
          await scene(silentPage, test);
          expect(await readings(silentPage)).toEqual(withScripts);
        }
        expect([seen, seenInSilence]).toEqual([NOTHING_SEEN, NOTHING_SEEN]);
      },
    );
  });
}
