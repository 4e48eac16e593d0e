import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

// Builds only when there is something to build, missing output or anything newer than it, and something to build it with.

const CONFIGURATION = ['tsconfig.json', 'tsconfig.build.json', '.swcrc', 'nest-cli.json'];
const SOURCES = ['src', 'sandbox', 'scripts/notices.mjs', ...CONFIGURATION];
/** What the build writes last. */
const STAMP = 'dist/THIRD_PARTY_NOTICES.txt';
const BUILDER = 'node_modules/@nestjs/cli';

/** @param {string} path @returns {number} */
function newestMs(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newestMs(join(path, name))));
}

/** @param {string} sentence @returns {never} */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

/** npm itself only warns. */
const needed = JSON.parse(readFileSync('package.json', 'utf8')).engines.node.replace('>=', '');
const isNewEnough = needed.localeCompare(process.versions.node, 'en', { numeric: true }) <= 0;
if (!isNewEnough) refuse(`Tidemark needs Node.js ${needed} or newer, and this is ${process.versions.node}.`);
const hasTools = existsSync(BUILDER);
// `npm prune`, which takes the tools away, writes the lock file anew.
const sources = hasTools ? [...SOURCES, 'package-lock.json'] : SOURCES;
if (newestMs(STAMP) < Math.max(...sources.map(newestMs))) {
  if (!hasTools) {
    refuse('Tidemark is not built, and its build tools are not installed: run `npm ci && npm run build` first.');
  }
  const startedAt = performance.now();
  process.stderr.write('Building Tidemark … ');
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { encoding: 'utf8' });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  process.stderr.write(status === 0 ? `done in ${seconds} s.\n` : `failed:\n${stdout}${stderr}`);
  process.exit(status ?? 1);
}
