import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { hashOfText, randomText } from '../src/auth/one-time-text.js';
import { median, medianRatio } from './median.js';
import { createPerson } from './person.js';
import { fillDecade } from './pages/fill-decade.js';
import { fillOthers } from './pages/fill-others.js';
import { visit } from './pages/visit.js';
import { serviceSettings, startTidemark } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How long does a page take for a person with 20 accounts and 10 years of history, and how many bytes is it?
// And is it the same among many other people?
// With --accounts 50 or 200: is the overview still quick, in processor time of the service, which a busy machine leaves alone?
// npm run bench:pages [-- --visits 60 --others 1000 --accounts 200]

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
const ACCOUNTS = Number(values.accounts);

const database = await startThrowawayDatabase();
const person = await createPerson(database.client);
const token = randomText();
await database.client.query(
  `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
   values ($1, $2, now(), now(), now() + interval '1 day')`,
  [person.userId, hashOfText(token)],
);
await fillDecade(database.client, person, ACCOUNTS);
await promisify(execFile)(process.execPath, ['dist/bundle/cli.js', 'balances:rebuild'], {
  env: serviceSettings(database.url),
});
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

/** Of one page alone. The kernel counts in hundredths of a second, which so many visits even out. */
async function processorMsOf(path: string): Promise<number> {
  const before = await tidemark.processorMs();
  for (let visits = 0; visits < VISITS; visits++) await visit(tidemark.url + path, cookie);
  return ((await tidemark.processorMs()) - before) / VISITS;
}

/** @returns bytes of the page alone, and with everything that it loads */
async function weigh(path: string): Promise<{ page: number; first: number }> {
  const { body, bytes: page, encoding } = await visit(tidemark.url + path, cookie);
  const html = String(encoding === 'br' ? brotliDecompressSync(body) : body);
  let first = page;
  for (const url of new Set(html.match(/\/assets\/[\w.-]+/g))) first += (await visit(tidemark.url + url, '')).bytes;
  for (const [, url] of html.matchAll(/hx-get="([^"]+)" hx-trigger="load"/g)) {
    first += (await visit(tidemark.url + url, cookie, { 'HX-Request': 'true' })).bytes;
  }
  return { page, first };
}

try {
  const [days, facts] = [await countOf('balances'), await countOf('transactions')];
  console.log(
    `${ACCOUNTS} accounts, ${days} balance records, ${facts} transactions, ${VISITS} visits, ${OTHERS} others\n`,
  );
  console.log(`${''.padEnd(36)}median ms     ratio   page kB   first visit kB`);
  const ms = await timings();
  for (const [name, path] of Object.entries(PAGES)) {
    const { page, first } = await weigh(path);
    const ratio = medianRatio(ms[name]!, ms[FLOOR]!);
    const figures = [median(ms[name]!), ratio, page / 1000, first / 1000];
    console.log(name.padEnd(35) + figures.map((figure) => figure.toFixed(1).padStart(10)).join(''));
  }
  console.log('\nprocessor time of the service, ms a visit');
  for (const name of [FLOOR, 'overview, 1 year', 'overview, all']) {
    console.log(name.padEnd(35) + (await processorMsOf(PAGES[name]!)).toFixed(1).padStart(10));
  }
  console.log(`memory after the load: ${(await tidemark.memoryMib()).toFixed(0)} MiB`);
} finally {
  await tidemark.stop();
  await database.drop();
}
