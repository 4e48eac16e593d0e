import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { dateOfUnixSeconds } from '../src/platform/time/calendar-date.js';
import { CpuSeconds } from './cpu-seconds.js';
import { startTidemark } from './servers.js';
import { againstCopy } from './sync/against-copy.js';
import { createConnections, forget, makeDue } from './sync/connections.js';
import { firstRows } from './sync/rows.js';
import { secondsOfRuns } from './sync/seconds-of-runs.js';
import { countStatements, STATEMENT_COUNTER, statementsSince } from './sync/statements.js';
import { BANK_SETTINGS, startUsBank } from './sync/us-bank.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How many connections does an install sync in a minute, with a bank that answers at once, and what is the limit?
// With --copy: and what does PostgreSQL take for a first sync, beside COPY of the same rows?
// npm run bench -- sync [--connections 300 --workers 1,2,3 --concurrency 4 --statements --copy]

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '300' },
    workers: { type: 'string', default: '1,2,3' },
    concurrency: { type: 'string', default: '4' },
    // Also tells which they are.
    statements: { type: 'boolean', default: false },
    copy: { type: 'boolean', default: false },
  },
});
const connections = Number(values.connections);
const CORES = availableParallelism();
/** Of every connection: what a month brings. */
const SHAPE = { rows: 240, accounts: 4, days: 30 };
/** Of the one that is compared with COPY: two years of ten accounts. */
const LARGE_SHAPE = { rows: 7_300, accounts: 10, days: 730 };

const database = await startThrowawayDatabase(STATEMENT_COUNTER);
await countStatements(database.client);
const bank = await startUsBank();
const today = dateOfUnixSeconds(Math.floor(Date.now() / 1000));
bank.serve(firstRows(SHAPE, today));
const due = { count: connections, accessUrl: bank.accessUrl, days: SHAPE.days };
const settings = {
  ...{ ROLE: 'worker', SYNC_CRON: '* * * * * *', SYNC_CONCURRENCY: values.concurrency },
  ...BANK_SETTINGS,
};

/** The bank is this process. One round of syncs of all connections, from the start of the first to the end of the last. */
async function measure(name: string, workers: number, cpu: CpuSeconds, begin: () => Promise<void>): Promise<void> {
  await statementsSince(database.client);
  const before = await cpu.now();
  await begin();
  const seconds = await secondsOfRuns(database.client, connections);
  const after = await cpu.now();
  const statements = await statementsSince(database.client);
  const used = (part: keyof typeof after) => after[part] - before[part];
  const cpuMs = (part: keyof typeof after) => ((used(part) / connections) * 1000).toFixed(1);
  const ours = used('servers') + used('database');
  const figures = [
    perMinute(ours).padStart(15),
    cpuMs('servers').padStart(13),
    cpuMs('database').padStart(12),
    perSync(statements.reduce((sum, { calls }) => sum + calls, 0)).padStart(13),
    perMinute(seconds).padStart(14),
    ((ours + used('bench')) / seconds).toFixed(1).padStart(12),
  ];
  console.log(`${String(workers).padStart(7)}  ${name.padEnd(8)}${figures.join('')}`);
  if (values.statements) tellStatements(statements);
}

/** Of connections, when all of them take so many seconds. */
function perMinute(seconds: number): string {
  return ((connections / seconds) * 60).toFixed(0);
}

function perSync(count: number): string {
  return (count / connections).toFixed(1);
}

/** Those of the clock and not of a sync are too few to show. */
function tellStatements(statements: readonly { text: string; calls: number }[]): void {
  for (const { text, calls } of statements.filter(({ calls }) => calls >= connections / 10))
    console.log(`${perSync(calls).padStart(8)}  ${text.replace(/\s+/g, ' ').trim()}`);
}

async function copying(): Promise<void> {
  const worker = await startTidemark(database.url, settings);
  bank.serve(firstRows(LARGE_SHAPE, today));
  const cpu = await CpuSeconds.of([worker], database.client);
  await againstCopy(database.client, cpu, { ...due, days: LARGE_SHAPE.days });
  await worker.stop();
}

console.log(`${connections} connections of ${SHAPE.accounts} accounts and ${SHAPE.rows} transactions, ${CORES} cores`);
console.log('                   connections         processor ms a sync    statements   connections   cores got');
console.log('workers  sync   a minute, core      workers  PostgreSQL        a sync      a minute    of these');
try {
  for (const count of values.workers.split(',').map(Number)) {
    const workers = await Promise.all(Array.from({ length: count }, () => startTidemark(database.url, settings)));
    const cpu = await CpuSeconds.of(workers, database.client);
    await measure('first', count, cpu, () => createConnections(database.client, due));
    await measure('no news', count, cpu, () => makeDue(database.client));
    await Promise.all(workers.map((worker) => worker.stop()));
    await forget(database.client);
  }
  if (values.copy) await copying();
} finally {
  bank.stop();
  await database.drop();
}
