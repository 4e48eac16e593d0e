import type { ConsoleMessage, Page } from 'playwright-core';
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
  page.on('console', (message) => {
    if (message.type() === 'error' && !isStatus(message)) seen.consoleErrors.push(message.text());
  });
  page.on('pageerror', (error) => seen.consoleErrors.push(error.message));
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(url) && !to.startsWith('data:')) seen.foreignRequests.push(to);
  });
  return seen;
}

/** The browser itself writes the status of a page that is not 200 to the console. */
function isStatus(message: ConsoleMessage): boolean {
  const isAsset = message.location().url.includes('/assets/');
  return message.text().startsWith('Failed to load resource') && !isAsset;
}

export async function signUp(page: Page, url: string, email = EMAIL): Promise<void> {
  await page.goto(`${url}/sign-up`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign up' }).click();
  await page.waitForURL(`${url}/`);
}

/** Opens a page, and signs in where the session has ended: one ends for good after 90 days. */
export async function visitSignedIn(page: Page, address: string, email = EMAIL): Promise<void> {
  await page.goto(address);
  if (!new URL(page.url()).pathname.startsWith('/sign-in')) return;
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(address);
}

/** Connects the pretend bank of the sandbox, and watches until the sync has ended. */
export async function connectSandboxBank(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/connections/new`);
  await page.getByRole('button', { name: 'Sandbox: Banks in the United States' }).click();
  await page.getByText('Up to date').waitFor({ timeout: PATIENCE_MS });
}

/** Opens a page and waits until what its scripts ask for after it is shown has come. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await settle(page);
}

/** Waits until what scripts ask for after the page is shown has come. */
export async function settle(page: Page): Promise<void> {
  if (await page.evaluate(() => 'htmx' in globalThis)) {
    await page.waitForFunction(() => document.querySelector('[hx-trigger="load"]') === null);
  }
}

/** Where the first link of a name leads, whatever the page there is to show. */
export async function hrefOf(page: Page, name: RegExp): Promise<string> {
  const href = await page.getByRole('link', { name }).first().getAttribute('href');
  return href?.split('?')[0] ?? '';
}
