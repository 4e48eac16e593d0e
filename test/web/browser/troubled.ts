import type { Page } from 'playwright-core';
import { freshSetupToken } from '../../../sandbox/us-provider/setup-token.js';
import { PATIENCE_MS } from './chromium.js';
import { close } from './few.js';
import type { Scene, Scenes, Site } from './scenes.js';
import { signUp } from './site.js';
import { at, behind, opened } from './steps.js';

const DAY_MS = 86_400_000;

/** What goes wrong at banks, each for a person of its own: a scenario of the sandbox, and what is seen of it. */
export const TROUBLES: Record<string, Scenes> = {
  'bank-needs-login': { 'connections-partial': opened(at('/connections')) },
  'revoked-later': {
    'connections-revoked': at('/connections'),
    'connection-revoked': behind('/connections', /Manage/),
  },
  'payment-required': {
    'overview-first-sync-failed': at('/'),
    'connections-unpaid': at('/connections'),
    'connection-syncs-failed': behind('/connections', /Last sync/),
  },
  'account-readded': {
    'overview-not-listed': at('/'),
    'connections-merge': at('/connections'),
    'account-not-listed': behind('/connections', /^Everyday Checking/),
  },
  'loose-types': {
    'holdings-not-reported': behind('/', /Brokerage/),
    'holdings-unavailable': async (page, site) => {
      await site.em().execute(`update accounts set holdings_supported = false where holdings_supported is null`);
      await behind('/', /Brokerage/)(page, site);
    },
    'connections-merge-suggestions': listedAnew,
  },
  'currency-url': { 'overview-in-miles': at('/'), 'account-in-miles': behind('/', /miles/i) },
  'pending-same-id': {
    'connections-budget-used-up': async (page, site) => {
      await site.em().execute(
        `insert into provider_requests (user_id, connection_id, sent_at)
         select c.user_id, c.id, ?::timestamptz - n * interval '1 minute'
         from connections c join users u on u.id = c.user_id, generate_series(1, 24) n
         where u.email = 'pending-same-id@example.com'
         on conflict do nothing`,
        [site.clock.now()],
      );
      await at('/connections')(page, site);
    },
    'connections-twice': connectedTwice('pending-same-id'),
  },
  healthy: {
    'overview-put-away': async (page, site) => {
      await close(site, 'healthy@example.com', 'High-Yield%', '2026-03-02');
      await decide(site, 'Student%', 'hidden = true');
      await decide(site, 'Rewards%', 'include_in_net_worth = false');
      await decide(site, 'Everyday%', 'account_type = null');
      await opened(at('/'))(page, site);
    },
    'account-closed': behind('/', /High-Yield/),
    'connection-syncs': behind('/connections', /Last sync/),
    'connections-deleted': async (page, site) => {
      await site.em().execute(
        `insert into deleted_accounts (user_id, connection_id, external_id, account_id, name, deleted_at)
         select c.user_id, c.id, 'gone', gen_random_uuid(), 'Holiday Fund (2210)', now()
         from connections c join users u on u.id = c.user_id where u.email = 'healthy@example.com'
         on conflict do nothing`,
      );
      await opened(at('/connections'))(page, site);
    },
    'account-not-synced': async (page, site) => {
      await at('/connections')(page, site);
      if (await page.getByRole('link', { name: /Manage/ }).count()) await remove(page, site);
      await behind('/', /Everyday Checking/)(page, site);
    },
    'overview-not-synced': at('/'),
  },
};

/** What the person of `healthy` decided about an account, without the history that follows from it. */
async function decide(site: Site, name: string, change: string): Promise<void> {
  await site.em().execute(
    `update accounts a set ${change} from users u
     where u.id = a.user_id and u.email = 'healthy@example.com' and a.name like ?`,
    [name],
  );
}

/** The bank lists all accounts under other ids. */
async function listedAnew(page: Page, site: Site): Promise<void> {
  await at('/connections')(page, site);
  const offer = page.getByText('Merging cannot be undone');
  if (await offer.count()) return;
  await site.em().execute(
    `update accounts a set external_id = 'old ' || external_id from users u
     where u.id = a.user_id and u.email = 'loose-types@example.com'`,
  );
  site.clock.set(new Date(site.clock.now().getTime() + DAY_MS).toISOString());
  await page.getByRole('button', { name: 'Sync now' }).click();
  await offer.waitFor({ timeout: PATIENCE_MS });
}

/** A second connection to the same accounts. */
function connectedTwice(scenario: string): Scene {
  return async (page, site) => {
    await at('/connections')(page, site);
    const notice = page.getByText('already synced');
    if (await notice.count()) return;
    await connect(page, site, scenario);
    await notice.waitFor({ timeout: PATIENCE_MS });
  };
}

async function remove(page: Page, site: Site): Promise<void> {
  await opened(behind('/connections', /Manage/))(page, site);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page.waitForURL(`${site.url}/connections?done=removed`);
}

/** Signs a person up whose bank plays a scenario, and syncs it on two days. */
export async function meet(scenario: string, site: Site, page: Page): Promise<void> {
  const { url, clock } = site;
  await signUp(page, url, `${scenario}@example.com`);
  await connect(page, site, scenario);
  await settled(page);
  clock.set(new Date(clock.now().getTime() + DAY_MS).toISOString());
  await page.reload();
  await page.getByRole('button', { name: 'Sync now' }).click();
  await settled(page);
}

async function connect(page: Page, { url }: Site, scenario: string): Promise<void> {
  await page.goto(`${url}/connections/new`);
  await page.getByLabel('Setup token').fill(freshSetupToken(url, scenario));
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
}

/** Until the connection does not sync any more. */
async function settled(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sync now' }).waitFor({ timeout: PATIENCE_MS });
}
