import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// What the benches measure against is installed only when a bench that needs it is run.
const { dependencies } = JSON.parse(readFileSync('bench/package.json', 'utf8'));
if (Object.keys(dependencies).some((name) => !existsSync(`bench/node_modules/${name}`))) {
  process.stderr.write('installing what the benches measure against\n');
  execFileSync('npm', ['ci', '--prefix', 'bench', '--ignore-scripts'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
