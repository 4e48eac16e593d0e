import { spawnSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Builds only when there is something to build: missing output, or anything newer than it.

const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', '.swcrc', 'nest-cli.json', 'package-lock.json'];
const SOURCES = ['src', 'scripts/bundle.mjs', ...CONFIGURATION];
const STAMP = 'dist/bundle/main.js';

/** @param {string} path @returns {number} */
function newestMs(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

if (newestMs(STAMP) < Math.max(...SOURCES.map(newestMs))) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 2, 2] });
  process.exit(status ?? 1);
}
