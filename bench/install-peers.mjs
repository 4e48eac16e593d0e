import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// What the benches measure against is installed only when a bench that needs it is run.
if (!existsSync('bench/node_modules')) {
  process.stderr.write('installing what the benches measure against\n');
  execFileSync('npm', ['ci', '--prefix', 'bench', '--ignore-scripts'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
