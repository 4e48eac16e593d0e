import type { Page } from 'playwright-core';

export interface Look {
  name: string;
  colorScheme: 'light' | 'dark';
  width: number;
  height: number;
}

const WIDE = { width: 1280, height: 800 };
/** The narrowest that pages must bear. */
const NARROW = { width: 320, height: 740 };

/** How people look at pages. */
export const LOOKS: readonly Look[] = [
  { name: 'wide-light', colorScheme: 'light', ...WIDE },
  { name: 'wide-dark', colorScheme: 'dark', ...WIDE },
  { name: 'narrow-light', colorScheme: 'light', ...NARROW },
  { name: 'narrow-dark', colorScheme: 'dark', ...NARROW },
];

/** Makes a page that is open look so, and waits until it is drawn. */
export async function putOn({ colorScheme, width, height }: Look, page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  const now = page.viewportSize();
  // A size that it has already would be laid out again.
  if (now?.width !== width || now.height !== height) await page.setViewportSize({ width, height });
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}
