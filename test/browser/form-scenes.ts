import type { Page } from 'playwright-core';
import type { Scenes, Site } from './scenes.js';
import { at, opened } from './steps.js';

async function makeKey(page: Page, site: Site, name: string): Promise<void> {
  await opened(at('/keys'))(page, site);
  await page.getByLabel('Name').fill(name);
  await page.getByText('Custom').click();
  if (name.trim()) await page.getByLabel('balances:read').check();
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
  'settings-saved': at('/settings?done=time-zone'),
  'settings-invitation': async (page, site) => {
    await at('/settings')(page, site);
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
