import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { cpuSecondsOfTree } from './cpu-seconds.js';
import { inTurns } from './in-turns.js';
import { median, medianRatio } from './median.js';
import { serviceSettings } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How long does it take from `npm start` on a built tree to the first answer, with a database that has all migrations?
// npm run bench:start [-- --rounds 9]

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const PORT = 47_413;
const RETRY_MS = 5;

const database = await startThrowawayDatabase();

/** What is started, and how: each serves on the same port, one after the other. */
const WAYS: Record<string, [string, ...string[]]> = {
  'node dist/src/main.js': [process.execPath, 'dist/src/main.js'],
  'npm start itself': ['npm', 'start', '--silent'],
};

interface Start {
  /** Until it answers. */
  seconds: number;
  /** Of processor until then, in all its processes. */
  cpuSeconds: number;
}

async function startOnce([program, ...options]: [string, ...string[]]): Promise<Start> {
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
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds, cpuSeconds: await cpuSecondsOfTree(child.pid!) };
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
  const starts = await inTurns(WAYS, Number(values.rounds), startOnce);
  const secondsOf = (rounds: readonly Start[]) => rounds.map(({ seconds }) => seconds);
  const [first = []] = Object.values(starts);
  console.log(`${' '.repeat(42)}to the answer   ratio   of processor`);
  for (const [name, rounds] of Object.entries(starts)) {
    const ratio = medianRatio(secondsOf(rounds), secondsOf(first)).toFixed(2);
    const cpuSeconds = median(rounds.map(({ cpuSeconds }) => cpuSeconds)).toFixed(2);
    const seconds = median(secondsOf(rounds)).toFixed(2);
    console.log(`${name.padEnd(42)}${seconds.padStart(11)} s${ratio.padStart(8)}${cpuSeconds.padStart(13)} s`);
  }
} finally {
  await database.drop();
}
