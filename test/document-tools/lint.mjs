import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import './install.mjs';

// Both linters read docs/openapi.json; a test holds it against the document that the service serves. What has passed is not
// linted again before the document, a rule or a linter changes.
const DOCUMENT = 'docs/openapi.json';
const FOLDER = 'test/document-tools';
const PASSED = 'node_modules/.cache/lint-document/passed';
const BIN = `${FOLDER}/node_modules/.bin`;
/** Neither tells its maker about us, nor asks for newer versions. */
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const LINTERS = [
  [`${BIN}/redocly`, 'lint', DOCUMENT, '--config', `${FOLDER}/redocly.yaml`, '--format', 'stylish'],
  [`${BIN}/spectral`, 'lint', DOCUMENT, '--ruleset', `${FOLDER}/spectral.yaml`, '--fail-severity', 'warn', '--quiet'],
];

/** @param {string[]} linter @returns {Promise<boolean>} whether it found nothing */
async function passes([command = '', ...options]) {
  const child = spawn(command, options, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...QUIET } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  const [code] = await once(child, 'close');
  if (code !== 0) process.stderr.write(output);
  return code === 0;
}

/** @param {string} path @returns {string} */
function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const files = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isFile());
const inputs = [DOCUMENT, ...files.map(({ name }) => `${FOLDER}/${name}`).sort()];
const state = createHash('sha256')
  .update(JSON.stringify(inputs.map(textOf)))
  .digest('hex');
if (textOf(PASSED) !== state) {
  const results = await Promise.all(LINTERS.map(passes));
  if (results.includes(false)) process.exit(1);
  mkdirSync(dirname(PASSED), { recursive: true });
  writeFileSync(PASSED, state);
}
