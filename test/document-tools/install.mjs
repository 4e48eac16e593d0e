import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// Linters and generators are large, and most who work on Tidemark need none of them: they are installed on first use.
// node test/document-tools/install.mjs [FOLDER]
const [FOLDER = 'test/document-tools'] = process.argv.slice(2);
const { devDependencies } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'));
if (Object.keys(devDependencies).some((name) => !existsSync(`${FOLDER}/node_modules/${name}`))) {
  process.stderr.write(`installing the tools of ${FOLDER}\n`);
  const options = ['--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'];
  execFileSync('npm', ['ci', '--prefix', FOLDER, ...options], { stdio: ['ignore', 'ignore', 'inherit'] });
}
