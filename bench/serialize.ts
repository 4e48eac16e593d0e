import pg from 'pg';
import { AppSecrets } from '../src/platform/config/app-secret.js';
import { createApp } from '../src/app.setup.js';
import { BALANCE_COLUMNS_SQL } from './list/columns.js';
import { type BalanceRow, toBalanceResponse } from '../src/balances/record/balance.response.js';
import { Secret } from '../src/platform/config/secret.js';
import { readConfig } from '../src/platform/config/config.js';
import { listen } from '../src/operate/bootstrap/listen.js';
import { MODULES } from '../src/modules.js';
import { PROVIDERS } from '../src/providers/installed.js';
import { createAccountHolder, fillHistory } from './list/fill-history.js';
import { requestsPerSecond } from './load.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// Which part of a request for 100 balances is making texts and JSON of them?
// npm run bench:serialize

const ROWS = 100;
const SECONDS = 10;
const PAGES = 5_000;

const database = await startThrowawayDatabase();
const person = await createAccountHolder(database.client);
await fillHistory(database.client, person);
await database.client.query('vacuum analyze');

const environment = { PORT: '0', ROLE: 'api', SYNC_CRON: 'off', LOG_LEVEL: 'warn', RATE_LIMIT_PER_MINUTE: '1000000' };
const config = readConfig(PROVIDERS, MODULES, {}, environment);
const secrets = new AppSecrets([new Secret('the root secret of the benches')]);
const app = await createApp({ config, secrets, database: { clientUrl: database.url } });
const url = await listen(app, config);

/** Processor time of this process, in µs. */
function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Of a whole request, in µs: the client is a process of its own. */
async function requestMicros(): Promise<number> {
  let requests = 0;
  app.getHttpServer().on('request', () => requests++);
  const question = { url: `${url}/api/v1/balances?per_page=${ROWS}`, headers: { 'X-Api-Key': person.key } };
  await requestsPerSecond(question, 3);
  requests = 0;
  const before = cpuMicros();
  await requestsPerSecond(question, SECONDS);
  return (cpuMicros() - before) / requests;
}

/** Of the mapper and `JSON.stringify` for the same page, in µs. */
async function serialisingMicros(): Promise<number> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<BalanceRow>(
    `select ${BALANCE_COLUMNS_SQL} from balances b join accounts a on a.user_id = b.user_id and a.id = b.account_id
     where b.user_id = $1 order by b.date desc, b.account_id limit ${ROWS}`,
    [person.userId],
  );
  await client.end();
  const serialise = () => JSON.stringify({ balances: rows.map(toBalanceResponse), pagination: { page: 1 } }).length;
  for (let page = 0; page < PAGES / 10; page++) serialise();
  const before = cpuMicros();
  for (let page = 0; page < PAGES; page++) serialise();
  return (cpuMicros() - before) / PAGES;
}

try {
  const [whole, part] = [await requestMicros(), await serialisingMicros()];
  console.log(`processor time of a request for ${ROWS} balances: ${whole.toFixed(0)} µs`);
  console.log(`of it serialising: ${part.toFixed(0)} µs, ${((100 * part) / whole).toFixed(0)} %`);
} finally {
  await app.close();
  await database.drop();
}
