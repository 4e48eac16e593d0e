import type { Page } from 'playwright-core';
import { dateInTimeZone } from '../../../src/platform/time/calendar-date.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../../support/factories.js';
import type { Scene, Scenes, Site } from './scenes.js';
import { signUp } from './site.js';
import { behind } from './steps.js';

const EMAIL = 'unexplained@example.com';
const DAY_MS = 86_400_000;

/** A bank's reports: how many days ago, the amount listed that day, the balance. */
const REPORTS: readonly [daysAgo: number, listedMinor: number, balanceMinor: number][] = [
  [33, 2_000_00, 2_000_00],
  [32, -40_00, 1_960_00],
  // A fee that is never listed.
  [31, 0, 1_947_60],
  [29, -60_00, 1_887_60],
  [27, -7_60, 1_880_00],
  // Nothing was reported for eleven days, and 40.00 are gone.
  [15, 0, 1_840_00],
  [13, -40_00, 1_800_00],
  [2, -25_00, 1_775_00],
  // 100.00 more today, which may still be listed.
  [0, 0, 1_875_00],
];

/** Signs somebody up whose bank does not list all that moves an account. */
export async function meetUnexplained(site: Site, page: Page): Promise<void> {
  await signUp(page, site.url, EMAIL);
  const [user]: { id: string }[] = await site.em().execute('select id from users where email = ?', [EMAIL]);
  const connection = await createConnection(site, user!.id);
  const account = snapshotAccount();
  const now = site.clock.now().getTime();
  for (const [daysAgo, listedMinor, balanceMinor] of REPORTS) {
    const moment = new Date(now - daysAgo * DAY_MS);
    site.clock.set(moment.toISOString());
    if (listedMinor !== 0) account.transactions.push(transaction(dateInTimeZone(moment, 'UTC'), listedMinor));
    await writeSnapshot(site, connection, { ...account, balance: balance(balanceMinor) });
  }
}

/** The page must say all of it; else the scene fails. */
function saying(texts: readonly string[], scene: Scene): Scene {
  return async (page, site) => {
    await scene(page, site);
    for (const text of texts) await page.getByText(text).first().waitFor();
  };
}

const FINDINGS = ['fell by $12.40, which no transaction explains', '$40.00 lower than', '$100.00 higher than'];

export const SCENES_OF_UNEXPLAINED: Scenes = {
  // Its findings come with a script.
  'account-with-adjustments': saying(['Adjustment: a change'], behind('/', /Checking/)),
  'reconciliation-with-findings': saying(FINDINGS, behind('/', /Checking/, '/reconciliation')),
};
