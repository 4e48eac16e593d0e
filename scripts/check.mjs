import { spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';

// Runs the parts of `npm run check` side by side. What a part says is printed when it has ended.

/** It uses one core only, and longest: if it ended last, the other core would have nothing to do. */
const FIRST = 'Types and lint';

const PARTS = [
  ['Format', 'npx', 'prettier', '--check', '--log-level', 'warn', '--cache', '.'],
  // A fifth of its time was the collection of what one file leaves behind.
  [FIRST, process.execPath, '--max-semi-space-size=128', 'scripts/types-and-lint.mjs'],
  ['API document', process.execPath, 'test/document-tools/lint.mjs'],
  ['Unit tests', 'npm', 'test', '--silent', '--', '--selectProjects', 'unit', '--ci'],
];
const colors = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};

/** @param {string[]} part @returns {Promise<boolean>} whether it passed */
async function run([title, command, ...args]) {
  const startMs = performance.now();
  const child = spawn(command, args, { env: { ...process.env, ...colors }, stdio: ['ignore', 'pipe', 'pipe'] });
  if (title !== FIRST && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const code = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(0);
  process.stdout.write(`${title}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  if (code !== 0) process.stdout.write(Buffer.concat(output));
  return code === 0;
}

const passed = await Promise.all(PARTS.map(run));
if (passed.includes(false)) process.exitCode = 1;
