import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The headless shell first: it draws no window, starts faster and leaves the cores to the service. */
const PATHS = [
  '/usr/bin/chromium-headless-shell',
  ...['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/snap/bin/chromium'],
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** A browser of the machine, `null` where there is none. */
export const CHROMIUM = PATHS.find((path) => existsSync(path)) ?? null;

/** A machine that is busy with other tests is slow, not wrong. */
export const PATIENCE_MS = 180_000;

/**
 * Of tests: scripts of a page, and those that look at it, run for a fraction of a second. The compilers that make them faster
 * in the long run cost a fifth of the browser's processor time.
 */
export const FOR_TESTS = ['--js-flags=--no-opt --no-maglev'];

/** Without the services that would look for their makers' hosts; as root Chromium only runs without its own sandbox. */
export function launchChromium(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: [
      ...['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
      ...['--disable-component-update', '--disable-sync', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      ...more,
    ],
  });
}
