import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { hashOfText, randomText } from '../src/auth/one-time-text.js';
import { CpuSeconds } from './cpu-seconds.js';
import { median, medianRatio } from './median.js';
import { createPerson } from './person.js';
import { fillDecade } from './pages/fill-decade.js';
import { fillOthers } from './pages/fill-others.js';
import { paints } from './pages/paints.js';
import { visit, weigh } from './pages/visit.js';
import { serviceSettings, startTidemark } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How long does a page take for a person with 20 accounts and 10 years of history, and how many bytes is it?
// And is it the same among many other people?
// With --accounts 50 or 200: is the overview still quick? Processor time is what a busy machine leaves alone.
// npm run bench -- pages [--visits 60 --others 1000 --accounts 200]

const { values } = parseArgs({
  options: {
    visits: { type: 'string', default: '60' },
    others: { type: 'string', default: '0' },
    accounts: { type: 'string', default: '20' },
  },
});
const VISITS = Number(values.visits);
const OTHERS = Number(values.others);
const WARM_UP = 15;
const PROCESSOR_ROUNDS = 5;
const ACCOUNTS = Number(values.accounts);

const database = await startThrowawayDatabase();
const bytesOnDisk = async () => {
  const sql = 'select pg_database_size(current_database())::float8 as bytes';
  const { rows } = await database.client.query<{ bytes: number }>(sql);
  return rows[0]!.bytes;
};
const emptyBytes = await bytesOnDisk();
const person = await createPerson(database.client);
const token = randomText();
await database.client.query(
  `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
   values ($1, $2, now(), now(), now() + interval '1 day')`,
  [person.userId, hashOfText(token)],
);
await fillDecade(database.client, person, ACCOUNTS);
await promisify(execFile)(process.execPath, ['dist/src/cli.js', 'balances:rebuild'], {
  env: serviceSettings(database.url),
});
const mib = ((await bytesOnDisk()) - emptyBytes) / 2 ** 20;
await fillOthers(database.client, OTHERS);
await database.client.query('vacuum analyze');
const countOf = async (table: string) => {
  const sql = `select count(*) from ${table} where user_id = $1`;
  const { rows } = await database.client.query<{ count: string }>(sql, [person.userId]);
  return Number(rows[0]!.count).toLocaleString('en');
};
const idOf = async (type: string) => {
  const { rows } = await database.client.query<{ id: string }>(
    'select id from accounts where user_id = $1 and account_type = $2 order by name limit 1',
    [person.userId, type],
  );
  return rows[0]!.id;
};
const [checking, brokerage] = [await idOf('depository'), await idOf('investment')];

/** What every page costs: a session, a frame, next to nothing in it. */
const FLOOR = 'API keys';
const PAGES: Record<string, string> = {
  [FLOOR]: '/keys',
  'overview, 1 year': '/',
  'overview, all': '/?range=all',
  'account, all': `/accounts/${checking}`,
  'account, 30 days': `/accounts/${checking}?range=30d`,
  'brokerage, all': `/accounts/${brokerage}`,
  'brokerage, cash and holdings, all': `/accounts/${brokerage}?view=parts`,
  'brokerage, market and flows, all': `/accounts/${brokerage}?view=market`,
  'a day of it (part)': `/accounts/${brokerage}/day?day=2024-03-01`,
  'its transactions found (part)': `/accounts/${brokerage}/transactions?search=transit`,
  reconciliation: `/accounts/${checking}/reconciliation`,
  connections: '/connections',
  settings: '/settings',
};

const tidemark = await startTidemark(database.url);
const processor = await CpuSeconds.of([tidemark], database.client);
const cookie = `tidemark=${token}`;

/** Page after page, in turn, so that a noisy moment of the machine meets all of them. */
async function timings(): Promise<Record<string, number[]>> {
  const ms: Record<string, number[]> = {};
  for (let round = -WARM_UP; round < VISITS; round++) {
    for (const [name, path] of Object.entries(PAGES)) {
      const visited = await visit(tidemark.url + path, cookie);
      if (round >= 0) (ms[name] ??= []).push(visited.ms);
    }
  }
  return ms;
}

/** Of a visit of one page. The kernel counts in hundredths of a second, which so many visits even out. */
async function processorMsOf(path: string): Promise<{ service: number; database: number }> {
  const before = await processor.now();
  for (let visits = 0; visits < VISITS; visits++) await visit(tidemark.url + path, cookie);
  const after = await processor.now();
  const msOf = (seconds: number) => (seconds * 1000) / VISITS;
  return { service: msOf(after.servers - before.servers), database: msOf(after.database - before.database) };
}

/** In turn, so that a busy stretch of the machine meets all of them. */
async function processorTimes(): Promise<void> {
  const names = [FLOOR, 'overview, 1 year', 'overview, all'];
  const rounds: Record<string, { service: number; database: number }[]> = {};
  for (let round = 0; round < PROCESSOR_ROUNDS; round++) {
    for (const name of names) (rounds[name] ??= []).push(await processorMsOf(PAGES[name]!));
  }
  const totals = (name: string) => rounds[name]!.map(({ service, database }) => service + database);
  console.log(`\n${'processor time, ms a visit'.padEnd(37)}service  database       sum     ratio`);
  for (const name of names) {
    const parts = [rounds[name]!.map(({ service }) => service), rounds[name]!.map(({ database }) => database)];
    const figures = [...parts.map(median), median(totals(name)), medianRatio(totals(name), totals(FLOOR))];
    console.log(name.padEnd(34) + figures.map((figure) => figure.toFixed(1).padStart(10)).join(''));
  }
}

try {
  const [days, facts] = [await countOf('balances'), await countOf('transactions')];
  console.log(
    `${ACCOUNTS} accounts, ${days} balance records, ${facts} transactions: ${mib.toFixed(0)} MiB on the disk`,
  );
  console.log(`${VISITS} visits, ${OTHERS} others\n`);
  console.log(`${''.padEnd(36)}median ms     ratio   page kB   first visit kB`);
  const ms = await timings();
  for (const [name, path] of Object.entries(PAGES)) {
    const { page, first } = await weigh(tidemark.url, path, cookie);
    const ratio = medianRatio(ms[name]!, ms[FLOOR]!);
    const figures = [median(ms[name]!), ratio, page / 1000, first / 1000];
    console.log(name.padEnd(35) + figures.map((figure) => figure.toFixed(1).padStart(10)).join(''));
  }
  await processorTimes();
  await paints(tidemark.url, token, [PAGES['overview, 1 year']!, PAGES['overview, all']!]);
} finally {
  await tidemark.stop();
  await database.drop();
}
