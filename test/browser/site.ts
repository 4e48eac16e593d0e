import type { Page } from 'playwright-core';
import { PATIENCE_MS } from './chromium.js';

export const EMAIL = 'anna@example.com';
export const PASSWORD = 'correct horse';
/** The pages have a bank to show: the sandbox, reached within this machine. */
export const SANDBOX = { SANDBOX: '1', PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '*' };

/** What a page must never do, written down while it is used. */
export interface Watch {
  consoleErrors: string[];
  foreignRequests: string[];
}

export const NOTHING_SEEN: Watch = { consoleErrors: [], foreignRequests: [] };

export function watch(page: Page, url: string): Watch {
  const seen: Watch = { consoleErrors: [], foreignRequests: [] };
  page.on('console', (message) => message.type() === 'error' && seen.consoleErrors.push(message.text()));
  page.on('pageerror', (error) => seen.consoleErrors.push(error.message));
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(url) && !to.startsWith('data:')) seen.foreignRequests.push(to);
  });
  return seen;
}

export async function signUp(page: Page, url: string, email = EMAIL): Promise<void> {
  await page.goto(`${url}/sign-up`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.waitForURL(`${url}/`);
}

/** Connects the pretend bank of the sandbox, and watches until the sync has ended. */
export async function connectPretendBank(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/connections/new`);
  await page.getByRole('button', { name: 'Pretend banks in the United States' }).click();
  await page.getByText('Up to date').waitFor({ timeout: PATIENCE_MS });
}

/** Opens a page and waits until what it asks for after it is shown has come. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('[hx-trigger="load"]').waitFor({ state: 'detached' });
}

/** The addresses of every page there is for a person with accounts, by a name for it. */
export async function pagesOf(page: Page, url: string): Promise<Record<string, string>> {
  const hrefOf = async (name: RegExp) => (await page.getByRole('link', { name }).first().getAttribute('href')) ?? '';
  await page.goto(url);
  const checking = await hrefOf(/Everyday Checking/);
  const brokerage = await hrefOf(/Individual Brokerage/);
  const card = await hrefOf(/Rewards Visa/);
  await page.goto(`${url}/connections`);
  const connection = await hrefOf(/Manage/);
  return {
    overview: '/',
    account: checking,
    card,
    brokerage,
    'brokerage-parts': `${brokerage}?view=parts&range=1y`,
    'brokerage-market': `${brokerage}?view=market`,
    reconciliation: `${checking}/reconciliation`,
    connections: '/connections',
    connect: '/connections/new',
    connection,
    keys: '/keys',
    settings: '/settings',
  };
}

/** Of everybody who is not signed in. */
export const ENTRANCES: Record<string, string> = { 'sign-in': '/sign-in', 'sign-up': '/sign-up' };
/** For everybody; the browser itself writes its status to the console. */
export const NOWHERE = { nowhere: '/nowhere' };
