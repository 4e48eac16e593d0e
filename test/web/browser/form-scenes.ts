import { Secret, TOTP } from 'otpauth';
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
  'key-limited': async (page, site) => {
    await opened(at('/keys'))(page, site);
    await page.getByLabel('Name').fill('Household sheet');
    await page.getByText('Only some').click();
    await page.getByLabel('Everyday Checking').check();
    await confirm(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('shown only once').waitFor();
  },
  'key-of-no-account': async (page, site) => {
    await opened(at('/keys'))(page, site);
    await page.getByLabel('Name').fill('Household sheet');
    await page.getByText('Only some').click();
    await confirm(page);
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText('Choose at least one').waitFor();
  },
  'key-not-rotated': async (page, site) => {
    await site.em().execute(`update sessions set password_given_at = null`);
    await opened(at('/keys'))(page, site);
    await page.locator('input[id^=rotate-password-]').last().fill('guessed');
    await page.getByRole('button', { name: 'Create new secret' }).last().click();
    await page.getByText('Wrong password.').waitFor();
  },
  keys: opened(at('/keys')),
};

async function setUpSecondFactor(page: Page, site: Site): Promise<void> {
  await at('/settings/second-factor')(page, site);
  await confirm(page);
  const setUp = page.getByRole('button', { name: 'Set up' });
  if (await setUp.count()) await setUp.click();
  await page.locator('#factor-key').waitFor();
}

async function turnOn(page: Page, { clock }: Site, key: string): Promise<void> {
  const secret = Secret.fromBase32(key.replaceAll(' ', ''));
  await page.getByLabel('Code').fill(new TOTP({ secret }).generate({ timestamp: clock.now().getTime() }));
  await page.getByRole('button', { name: 'Turn on' }).click();
}

export const SCENES_OF_SETTINGS: Scenes = {
  settings: opened(at('/settings')),
  activity: at('/settings/activity'),
  'second-factor-off': at('/settings/second-factor'),
  'second-factor-set-up': setUpSecondFactor,
  'second-factor-refused': async (page, site) => {
    await setUpSecondFactor(page, site);
    await page.getByLabel('Code').fill('000 000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('This code is wrong').waitFor();
  },
  'second-factor-codes': async (page, site) => {
    await at('/settings/second-factor')(page, site);
    const key = page.locator('#factor-key');
    if (await key.count()) await turnOn(page, site, (await key.textContent()) ?? '');
    else await page.getByRole('button', { name: 'Create new recovery codes' }).click();
    await page.locator('#recovery-codes').waitFor();
  },
  'second-factor-on': opened(at('/settings/second-factor')),
  'second-factor-not-removed': async (page, site) => {
    await site.em().execute(`update sessions set password_given_at = null`);
    await opened(at('/settings/second-factor'))(page, site);
    await page.locator('#remove_password').fill('guessed');
    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.locator('#remove_password-error').waitFor();
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
    await page.getByText('Wrong password.').waitFor();
  },
  'settings-not-deleted': async (page, site) => {
    await opened(at('/settings'))(page, site);
    await page.locator('#delete_password').fill('guessed');
    await page.getByRole('button', { name: 'Delete everything permanently' }).click();
    await page.locator('#delete_password-error').waitFor();
  },
  'settings-stale-password': async (page, site) => {
    await site.em().execute(`update sessions set password_given_at = null`);
    await opened(at('/settings'))(page, site);
    await page.getByLabel('Your password').and(page.locator('[name=confirm_password]')).waitFor();
  },
};
