import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { dateOfUnixSeconds } from '../src/platform/time/calendar-date.js';
import { cpuSecondsOfTree } from './cpu-seconds.js';
import { inTurns } from './in-turns.js';
import { createAccountHolder, fillHistory } from './list/fill-history.js';
import { load } from './load.js';
import { median, medianRatio } from './median.js';
import { type Server, serviceSettings, startTidemark } from './servers.js';
import { createConnections, forget, makeDue } from './sync/connections.js';
import { firstRows, newRows, type Shape } from './sync/rows.js';
import { secondsOfRuns } from './sync/seconds-of-runs.js';
import { BANK_SETTINGS, startUsBank } from './sync/us-bank.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How long does it take from `npm start` on a built tree to the first answer, with a database that has all migrations, and
// how much memory does the service take: idle, under load, and while it syncs 100,000 transactions?
// npm run bench -- start [--rounds 9 --seconds 10 --rows 60000]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '9' },
    // Of load.
    seconds: { type: 'string', default: '10' },
    // Of a first sync; an answer may have 16 MiB with those that are new in a second one.
    rows: { type: 'string', default: '60000' },
  },
});
const PORT = 47_413;
const RETRY_MS = 5;
const SETTLING_MS = 5_000;

const database = await startThrowawayDatabase();
const bank = await startUsBank();

/** What is started, and how: each serves on the same port, one after the other. */
const WAYS: Record<string, [string, ...string[]]> = {
  'node dist/src/main.js': [process.execPath, 'dist/src/main.js'],
  'npm start itself': ['npm', 'start', '--silent'],
};
/** Everything in the few days that each sync asks for again, and as a life would bring it. */
const SHAPES: Record<string, Shape> = {
  'all rows in every answer': { rows: Number(values.rows), accounts: 10, days: 4 },
  // The requests of a day suffice for the windows of a year and not of two.
  'a year': { rows: Number(values.rows), accounts: 10, days: 360 },
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
      await wait(RETRY_MS);
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

/** Each in a fresh service. */
async function memory(
  name: string,
  goalMib: number,
  work: (server: Server) => Promise<number>,
  settings: NodeJS.ProcessEnv = {},
): Promise<void> {
  const server = await startTidemark(database.url, { ROLE: 'all', ...settings });
  try {
    const mib = await work(server);
    console.log(`${name.padEnd(58)} ${mib.toFixed(0).padStart(4)} MiB   goal ${goalMib}`);
  } finally {
    await server.stop();
  }
}

async function underLoad(server: Server): Promise<number> {
  const person = await createAccountHolder(database.client);
  await fillHistory(database.client, person);
  const headers = { 'X-Api-Key': person.key };
  await load({ url: `${server.url}/api/v1/balances?per_page=100`, headers }, Number(values.seconds));
  return server.peakMib();
}

/** A first sync and one with 1 % new. */
async function syncing(server: Server, shape: Shape): Promise<number> {
  const today = dateOfUnixSeconds(Math.floor(Date.now() / 1000));
  const first = firstRows(shape, today);
  bank.serve(first);
  await createConnections(database.client, { count: 1, accessUrl: bank.accessUrl, days: shape.days });
  await secondsOfRuns(database.client, 1);
  bank.serve([...first, ...newRows(shape, today)]);
  await makeDue(database.client);
  await secondsOfRuns(database.client, 1);
  await forget(database.client);
  return server.peakMib();
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
  console.log();
  await memory('idle', 150, async (server) => {
    await wait(SETTLING_MS);
    return server.memoryMib();
  });
  await memory('peak under load: 16 connections, 100 records a page', 250, underLoad);
  const settings = { SYNC_CRON: '* * * * * *', ...BANK_SETTINGS };
  for (const [name, shape] of Object.entries(SHAPES))
    await memory(`peak while syncing: ${name}`, 350, (server) => syncing(server, shape), settings);
} finally {
  bank.stop();
  await database.drop();
}
