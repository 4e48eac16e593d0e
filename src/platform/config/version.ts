import { readFileSync } from 'node:fs';
import { EXIT_CONFIG, StartupError } from './startup-error.js';

const { version, engines } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string;
  engines: { node: string };
};

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
