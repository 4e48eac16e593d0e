import type { Page } from 'playwright-core';
import type { Scenes, Site } from './scenes.js';
import { PASSWORD } from './site.js';
import { at, opened } from './steps.js';

/** Gives the password where the page asks for it, as it does some time after the sign-in. */
async function confirm(page: Page): Promise<void> {
  const password = page.getByLabel('Your password').and(page.locator('[name=confirm_password]'));
  if (await password.count()) await password.fill(PASSWORD);
}

async function makeKey(page: Page, site: Site, name: string): Promise<void> {
  await opened(at('/keys'))(page, site);
  await page.getByLabel('Name').fill(name);
  await page.getByText('Custom').click();
  if (name.trim()) await page.getByLabel('balances:read').check();
  await confirm(page);
  await page.getByRole('button', { name: 'Create key' }).click();
}

export const SCENES_OF_KEYS: Scenes = {
  'key-created': async (page, site) => {
    await makeKey(page, site, 'Spreadsheet');
    await page.getByText('shown only once').waitFor();
  },
  'key-refused': async (page, site) => {
    await makeKey(page, site, ' ');
    await page.getByText('Choose at least one').waitFor();
  },
  keys: opened(at('/keys')),
};

export const SCENES_OF_SETTINGS: Scenes = {
  settings: opened(at('/settings')),
  activity: at('/settings/activity'),
  'settings-stale-password': async (page, site) => {
    await site.em().execute(`update sessions set password_given_at = null`);
    await opened(at('/settings'))(page, site);
    await page.getByLabel('Your password').and(page.locator('[name=confirm_password]')).waitFor();
  },
  'settings-saved': at('/settings?done=time-zone'),
  'settings-invitation': async (page, site) => {
    await at('/settings')(page, site);
    await confirm(page);
    await page.getByRole('button', { name: 'Create invitation' }).click();
    await page.locator('#invitation').waitFor();
  },
  'settings-refused': async (page, site) => {
    await at('/settings')(page, site);
    await page.getByLabel('Current password').fill('guessed');
    await page.getByLabel('New password').fill('x'.repeat(2_000));
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('This is not your password').waitFor();
  },
};
