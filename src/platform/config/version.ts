import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { EXIT_CONFIG, StartupError } from './startup-error.js';

const PACKAGE = createRequire(import.meta.url).resolve('tidemark/package.json');

const { version, engines } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as {
  version: string;
  engines: { node: string };
};

/** The folder of the program: that of package.json, LICENSE and `dist`. */
export const PROGRAM_FOLDER = dirname(PACKAGE);

/** The program's version from package.json. The API has its own, `v1`, in its paths. */
export const VERSION = version;

/**
 * An older Node.js runs most of the program, and fails where a newer function is missing.
 *
 * @throws StartupError with exit code 78
 */
export function requireNode(running = process.versions.node): void {
  const least = engines.node.replace('>=', '');
  if (running.localeCompare(least, 'en', { numeric: true }) >= 0) return;
  const message = `Tidemark needs Node.js ${least} or newer, and this is ${running}: npm start brings its own where it can.`;
  throw new StartupError(message, EXIT_CONFIG);
}
