import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { inTurns } from './in-turns.js';
import { median, medianRatio } from './median.js';
import { serviceSettings, startFlags } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How long does it take from `npm start` on a built tree to the first answer, with a database that has all migrations?
// npm run bench:start

const ROUNDS = 9;
const PORT = 47_413;
const RETRY_MS = 5;

const database = await startThrowawayDatabase();
const flags = await startFlags();

/** What is started, and how: each serves on the same port, one after the other. */
const WAYS: Record<string, [string, ...string[]]> = {
  'its thousands of modules, as compiled': [process.execPath, ...flags, 'dist/main.js'],
  'bundled, as npm start runs it': [process.execPath, ...flags, 'dist/bundle/main.js'],
  'npm start itself': ['npm', 'start', '--silent'],
};

/** @returns milliseconds until it answers */
async function startOnce([program, ...options]: [string, ...string[]]): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(program, options, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...serviceSettings(database.url), PORT: String(PORT), ROLE: 'all' },
  });
  try {
    while (!(await answers())) {
      if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode} before it answered`);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return performance.now() - startedAt;
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  }
}

async function answers(): Promise<boolean> {
  return fetch(`http://127.0.0.1:${PORT}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}

try {
  const took = await inTurns(WAYS, ROUNDS, startOnce);
  const [first = []] = Object.values(took);
  for (const [name, times] of Object.entries(took)) {
    const seconds = median(times) / 1000;
    console.log(`${name.padEnd(40)} ${seconds.toFixed(2)} s   ${medianRatio(times, first).toFixed(2)}`);
  }
} finally {
  await database.drop();
}
