import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

// npm run bench -- list|sync|derive|pages|start [its options]

const QUESTIONS: Record<string, () => Promise<unknown>> = {
  list: () => import('./list.js'),
  sync: () => import('./sync.js'),
  derive: () => import('./derive.js'),
  pages: () => import('./pages.js'),
  start: () => import('./start.js'),
};
const WITH_PEERS = ['list', 'derive'];

/** What a bench measures against is installed only when it is run. */
function installPeers(): void {
  const { dependencies } = JSON.parse(readFileSync('bench/package.json', 'utf8')) as { dependencies: object };
  if (Object.keys(dependencies).every((name) => existsSync(`bench/node_modules/${name}`))) return;
  console.error('installing what the benches measure against');
  execFileSync('npm', ['ci', '--prefix', 'bench', '--ignore-scripts'], { stdio: ['ignore', 'ignore', 'inherit'] });
}

const [name = ''] = process.argv.splice(2, 1);
if (!QUESTIONS[name]) {
  console.error(`Say which bench: ${Object.keys(QUESTIONS).join(', ')}.`);
  process.exit(2);
}
if (WITH_PEERS.includes(name)) installPeers();
await QUESTIONS[name]();
