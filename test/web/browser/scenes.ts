import type { Page } from 'playwright-core';
import type { TestApp } from '../../support/app.js';
import { SCENES_OF_KEYS, SCENES_OF_SETTINGS } from './form-scenes.js';
import { SecondFactorService } from '../../../src/auth/second-factor/second-factor.service.js';
import { PASSWORD } from './site.js';
import { at, behind, opened } from './steps.js';
import { Visitor } from '../../../src/kit/visitor.js';
import { isInstalled } from '../../support/installed.js';
import { SCENES_OF_WEBHOOKS } from './webhook-scenes.js';

/** Where scenes play. */
export type Site = Pick<TestApp, 'app' | 'url' | 'clock' | 'em'>;

/** Brings a page to something that a person may see. Works without scripts, and again and again. */
export type Scene = (page: Page, site: Site) => Promise<void>;

export type Scenes = Record<string, Scene>;

const PROTECTED = 'protected@example.com';

/** Somebody who is asked for a code. */
async function protectSomebody({ app, url, em, clock }: Site): Promise<void> {
  await new Visitor(url).signUp(PROTECTED, PASSWORD);
  const [user]: { id: string }[] = await em().execute('select id from users where email = ?', [PROTECTED]);
  const secondFactor = app.get(SecondFactorService);
  if ((await secondFactor.state(user!.id)).onSince) return;
  await secondFactor.begin(user!.id);
  await em().execute('update second_factors set confirmed_at = ? where user_id = ?', [clock.now(), user!.id]);
}

/** Gives the password of somebody who is then asked for a code. */
const askedForCode: Scene = async (page, site) => {
  await protectSomebody(site);
  await at('/sign-in')(page, site);
  await page.getByLabel('E-mail address').fill(PROTECTED);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Code').waitFor();
};

async function guess(page: Page, email: string, seen: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill('guessed');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(seen).waitFor();
}

/** What everybody sees who is not signed in. */
export const SCENES_OF_STRANGER: Scenes = {
  'sign-in': at('/sign-in'),
  'sign-in-refused': async (page, site) => {
    await at('/sign-in')(page, site);
    await guess(page, `${Math.random()}@example.com`, 'is wrong');
  },
  'sign-in-too-often': async (page, site) => {
    const email = `${Math.random()}@example.com`;
    await at('/sign-in')(page, site);
    await guess(page, email, 'is wrong');
    await site.em().execute('update password_attempts set points = 100');
    await guess(page, email, 'Too many attempts').finally(() => site.em().execute('delete from password_attempts'));
  },
  'sign-in-session-ended': at('/sign-in?notice=ended&next=%2Fkeys'),
  'sign-in-deleted': at('/sign-in?notice=deleted'),
  'sign-in-code': askedForCode,
  'sign-in-code-refused': async (page, site) => {
    await askedForCode(page, site);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This code is wrong').waitFor();
  },
  'sign-up': at('/sign-up'),
  'sign-up-weak': async (page, site) => {
    await at('/sign-up')(page, site);
    await page.getByLabel('E-mail address').fill('eve@example.com');
    await page.getByLabel('Password').fill('password1');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.locator('#password-error').waitFor();
  },
  'sign-up-refused': async (page, site) => {
    await at('/sign-up')(page, site);
    await page.getByLabel('E-mail address').fill('eve@example');
    await page.getByLabel('Password').fill('x'.repeat(2_000));
    await page.getByRole('button', { name: 'Sign up' }).click();
    await page.getByText('Use at most').waitFor();
  },
  'invitation-used': at('/sign-up?invitation=used'),
  nowhere: at('/nowhere'),
};

/** What is there before anything is connected. */
export const SCENES_OF_NEWCOMER: Scenes = {
  welcome: at('/'),
  'connections-empty': at('/connections'),
  'keys-empty': at('/keys'),
  ...(isInstalled('webhooks') && { 'webhooks-empty': opened(at('/settings/webhooks')) }),
  connect: opened(at('/connections/new')),
  'connect-refused': async (page, site) => {
    await at('/connections/new')(page, site);
    await page.getByLabel('Setup token').fill('not a token!');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('is not base64 text').waitFor();
  },
  'connect-unreachable': async (page, site) => {
    await at('/connections/new')(page, site);
    // Nothing listens on this port.
    await page.getByLabel('Setup token').fill(Buffer.from('http://127.0.0.1:1/claim/code').toString('base64'));
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByText('refused the connection').waitFor();
  },
  'connect-key-refused': async (page, site) => {
    await opened(at('/connections/new'))(page, site);
    await page.getByLabel('API key').fill('not a key');
    await page.getByRole('button', { name: 'Connect', exact: true }).last().click();
    await page.locator('[aria-invalid]').waitFor();
  },
};

const transaction = behind('/transactions?search=rent', /Maple Court/);
const checking = (rest: string) => behind('/', /Everyday Checking/, rest);
const brokerage = (rest: string) => behind('/', /Individual Brokerage/, rest);

/** As people see it who set something in the settings. */
function preferring(setting: string, scene: Scene): Scene {
  return async (page, site) => {
    await site.em().execute(`update users set ${setting}`);
    const forget = () => site.em().execute(`update users set theme = default, number_format = default`);
    await scene(page, site).finally(forget);
  };
}

/** What there is for a person whose pretend bank was synced. */
export const SCENES_OF_OWNER: Scenes = {
  overview: at('/'),
  'overview-all': at('/?range=all'),
  account: checking(''),
  'account-opened': opened(checking('?range=30d')),
  'account-found': checking('?search=rent'),
  'account-found-nothing': checking('?search=nothing+like+it'),
  'account-refused': async (page, site) => {
    await checking('')(page, site);
    await page.getByText('Name and type').click();
    await page.getByLabel('Name').fill(' ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a name').waitFor();
  },
  'account-not-closed': async (page, site) => {
    await opened(checking(''))(page, site);
    await page.getByLabel('Closed on').fill('1990-01-01');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await page.getByText('the history begins then').waitFor();
  },
  card: behind('/', /Rewards Visa/),
  brokerage: brokerage(''),
  'brokerage-range': brokerage('?range=1y'),
  'overview-period': at('/?from=2026-02-10&to=2026-03-01'),
  day: at('/days?day=2026-03-01'),
  'account-balances': checking('/balances'),
  'account-pending': checking('?pending=true'),
  transactions: at('/transactions?search=rent'),
  transaction,
  'transaction-corrected': async (page, site) => {
    await transaction(page, site);
    await page.getByLabel('Date').fill('2026-03-01');
    await page.getByLabel('Note').fill('Bought before');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Take back all').waitFor();
  },
  'transaction-refused': async (page, site) => {
    await transaction(page, site);
    await page.getByLabel('Amount').fill('much');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('#amount-error').waitFor();
  },
  'transactions-none': at('/transactions?from=2026-02-01&to=2026-01-01&search=nothing+like+it'),
  'day-without-record': brokerage('?day=2001-01-01'),
  reconciliation: checking('/reconciliation'),
  'overview-theme-dark': preferring("theme = 'dark'", at('/')),
  'account-theme-light': preferring("theme = 'light'", checking('')),
  'overview-german-numbers': preferring("number_format = 'de-DE'", at('/')),
  'brokerage-french-numbers': preferring("number_format = 'fr-FR'", brokerage('')),
  connections: opened(at('/connections')),
  connection: opened(behind('/connections', /Manage/)),
  'connection-not-renamed': async (page, site) => {
    await behind('/connections', /Manage/)(page, site);
    await page.getByLabel('Name').fill(' ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a name').waitFor();
  },
  'connection-not-reconnected': async (page, site) => {
    await behind('/connections', /Manage/)(page, site);
    await page.getByLabel('Setup token').fill('not a token!');
    await page.getByRole('button', { name: 'Reconnect' }).click();
    await page.getByText('is not base64 text').waitFor();
  },
  ...SCENES_OF_KEYS,
  ...SCENES_OF_SETTINGS,
  ...(isInstalled('webhooks') && SCENES_OF_WEBHOOKS),
  failure: async (page, site) => {
    // A database that fails for a moment.
    await site.em().execute('alter table balances rename to balances_away');
    await at('/')(page, site).finally(() => site.em().execute('alter table balances_away rename to balances'));
  },
};
