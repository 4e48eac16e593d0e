import { spawn } from 'node:child_process';
import { once } from 'node:events';

// Both linters read docs/openapi.json; a test holds it against the document that the service serves.
const DOCUMENT = 'docs/openapi.json';
const FOLDER = 'test/document-tools';
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

const results = await Promise.all(LINTERS.map(passes));
process.exit(results.every(Boolean) ? 0 : 1);
