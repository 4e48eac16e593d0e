import { parseArgs } from 'node:util';
import { CpuSeconds } from './cpu-seconds.js';
import { createAccountHolder, fillHistory, fillTable } from './list/fill-history.js';
import { COLUMNS, compare, leaveACoreToTheLoad, type Question, tell } from './load.js';
import { type Server, startScript, startTidemark } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How fast is a page of balances, and does it matter how much history there is?
// npm run bench -- list [--rows 1000000,10000000 --seconds 5 --rounds 5 --no-peers]

const { values } = parseArgs({
  allowNegative: true,
  options: {
    rows: { type: 'string', default: '1000000,10000000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
    peers: { type: 'boolean', default: true },
  },
});
const pace = { rounds: Number(values.rounds), seconds: Number(values.seconds) };
const SMALL_ROWS = 10_000;
const PERSON_ROWS = 73_000;
/** What Node.js writes by itself, or what depends on the answer. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'content-length']);

await leaveACoreToTheLoad();
const database = await startThrowawayDatabase();
const small = await createAccountHolder(database.client);
await fillHistory(database.client, small, SMALL_ROWS);
const person = await createAccountHolder(database.client);
await fillHistory(database.client, person, PERSON_ROWS);
const { rows: accounts } = await database.client.query<{ id: string }>('select id from accounts where user_id = $1', [
  person.userId,
]);
const tidemark = await startTidemark(database.url);

const ask = (server: { url: string }, query: string, key = person.key): Question => ({
  url: `${server.url}/api/v1/balances?${query}`,
  headers: { 'X-Api-Key': key },
});

const headers = JSON.stringify(await headersOf(ask(tidemark, 'per_page=25')));
const toFloor = [database.url, person.key, person.userId, headers];
const floor = await startScript('bench/list/floor.ts', toFloor);

async function measure(questions: Record<string, Question>, servers: readonly Server[], peer: string): Promise<void> {
  tell(await compare(questions, pace, await CpuSeconds.of(servers, database.client)), peer);
}

/** The headers of an answer of the service, for the floor to write the same. */
async function headersOf({ url, headers }: Question): Promise<Record<string, string>> {
  const answer = await fetch(url, { headers: { ...headers, 'Accept-Encoding': 'identity' } });
  await answer.arrayBuffer();
  return Object.fromEntries([...answer.headers].filter(([name]) => !OWN_HEADERS.has(name)));
}

async function bodyOf({ url, headers }: Question): Promise<string> {
  return (await fetch(url, { headers })).text();
}

async function againstFloor(perPage: number): Promise<void> {
  const peer = `floor, ${perPage} rows`;
  const questions = {
    [peer]: ask(floor, `per_page=${perPage}`),
    [`Tidemark, ${perPage} rows`]: ask(tidemark, `per_page=${perPage}`),
  };
  const bodies = await Promise.all(Object.values(questions).map(bodyOf));
  if (new Set(bodies).size > 1) throw new Error(`The floor does not answer the same ${perPage} records`);
  await measure(questions, [floor, tidemark], peer);
}

async function againstSmallHistory(): Promise<void> {
  const peer = `person with ${SMALL_ROWS.toLocaleString('en')} records, page 1`;
  const years = 'start_date=2018-01-01&end_date=2020-12-31';
  const account = `account_id=${accounts[0]!.id}`;
  const questions = {
    [peer]: ask(tidemark, 'per_page=25', small.key),
    [`person with ${PERSON_ROWS.toLocaleString('en')} records, page 1`]: ask(tidemark, 'per_page=25'),
    'page 2,000': ask(tidemark, 'per_page=25&page=2000'),
    'one account, page 50': ask(tidemark, `per_page=25&page=50&${account}`),
    'currency and dates, page 500': ask(tidemark, `per_page=25&page=500&currency=USD&${years}`),
    'all filters, page 20': ask(tidemark, `per_page=25&page=20&currency=USD&${years}&${account}`),
  };
  await measure(questions, [tidemark], peer);
}

/** Lists that a client has already: nothing of them is read. */
async function notModified(): Promise<void> {
  const lists = ['balances', 'accounts', 'transactions', 'net_worth', 'net_worth/changes', 'connections', 'syncs'];
  const questions = await Promise.all(
    lists.map(async (name): Promise<[string, Question]> => {
      const question = { url: `${tidemark.url}/api/v1/${name}`, headers: { 'X-Api-Key': person.key } };
      const tag = (await headersOf(question)).etag!;
      return [`304 of ${name}`, { ...question, headers: { ...question.headers, 'If-None-Match': tag } }];
    }),
  );
  await measure(Object.fromEntries(questions), [tidemark], '304 of balances');
}

/** Not with every table size: the peers count, and take their time. */
async function againstPeers(): Promise<void> {
  const postgraphile = await startScript('bench/list/postgraphile.mjs', [database.url]);
  const entities = await startScript('bench/list/nest-entities.ts', [database.url]);
  const fields = `date id currency flowsFactor startCash startNonCash cashInflows cashOutflows nonCashInflows
    nonCashOutflows netMarketFlows cashAdjustments nonCashAdjustments endCash endNonCash createdAt updatedAt
    accountByUserIdAndAccountId { id name accountType }`;
  const query = `{ allBalances(first: 25, orderBy: [DATE_DESC, ACCOUNT_ID_ASC],
    condition: { userId: "${person.userId}" }) { totalCount nodes { ${fields} } } }`;
  const questions = {
    'Tidemark, 25 rows': ask(tidemark, 'per_page=25'),
    'PostGraphile, total asked': { url: `${postgraphile.url}/graphql`, headers: {}, body: { query } },
    'Nest, entities, class-transformer': ask(entities, 'per_page=25'),
  };
  await measure(questions, [tidemark, postgraphile, entities], 'Tidemark, 25 rows');
  await Promise.all([postgraphile.stop(), entities.stop()]);
}

try {
  console.log(`memory idle: ${(await tidemark.memoryMib()).toFixed(0)} MiB`);
  for (const rows of values.rows.split(',').map(Number)) {
    await fillTable(database.client, rows);
    console.log(`\n${rows.toLocaleString('en')} rows in the table`);
    console.log(COLUMNS);
    await againstFloor(25);
    await againstFloor(100);
    console.log();
    await againstSmallHistory();
  }
  console.log();
  await notModified();
  if (values.peers) {
    console.log();
    await againstPeers();
  }
  const [ours, theirs] = await Promise.all([tidemark, floor].map((server) => server.memoryMib()));
  console.log(`\nmemory after the load: ${ours!.toFixed(0)} MiB, of the floor: ${theirs!.toFixed(0)} MiB`);
} finally {
  await Promise.all([tidemark, floor].map((server) => server.stop()));
  await database.drop();
}
