import { parseArgs } from 'node:util';
import type pg from 'pg';
import { hashOfText, randomText } from '../src/auth/one-time-text.js';
import { dateOfUnixSeconds } from '../src/platform/time/calendar-date.js';
import { CpuSeconds } from './cpu-seconds.js';
import { copyOthers } from './growth/copy-others.js';
import { inTurns } from './in-turns.js';
import { median, medianRatio } from './median.js';
import { visit } from './pages/visit.js';
import { createPerson } from './person.js';
import { showProgress } from './progress.js';
import { firstRows } from './provider-sync/rows.js';
import { startUsBank } from './provider-sync/us-bank.js';
import { type Server, startTidemark } from './servers.js';
import { startThrowawayDatabase, type ThrowawayDatabase } from './throwaway-database.js';

// Does it matter to a person how many others there are? The same lists, page and sync of one person, each in a database
// among so many people, in processor time of service and PostgreSQL together.
// npm run bench:growth-people [-- --people 1,1000,100000 --rounds 7 --lists 200 --syncs 10]

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1,1000,100000' },
    rounds: { type: 'string', default: '7' },
    lists: { type: 'string', default: '200' },
    syncs: { type: 'string', default: '10' },
  },
});
const sizes = values.people.split(',').map(Number);
const [rounds, lists, syncs] = [values.rounds, values.lists, values.syncs].map(Number) as [number, number, number];
/** Of the person's bank: what two months bring. */
const SHAPE = { name: 'two months', rows: 480, accounts: 4, days: 60 };
const LOOK_AGAIN_MS = 20;

const bank = await startUsBank();
bank.serve(firstRows(SHAPE, dateOfUnixSeconds(Math.floor(Date.now() / 1000))));

/** The person among so many others, with a service of their own. */
interface Town {
  database: ThrowawayDatabase;
  server: Server;
  cpu: CpuSeconds;
  key: string;
  cookie: string;
  connectionId: string;
}

async function settle(people: number): Promise<Town> {
  const database = await startThrowawayDatabase();
  const { client } = database;
  showProgress(`copying ${people.toLocaleString('en')} people`);
  await copyOthers(client, people - 1);
  const { userId, key } = await createPerson(client);
  const token = randomText();
  await client.query(
    `insert into sessions (user_id, token_hash, created_at, last_seen_at, expires_at)
     values ($1, $2, now(), now(), now() + interval '1 day')`,
    [userId, hashOfText(token)],
  );
  const server = await startTidemark(database.url, {
    ...{ ROLE: 'all', PROVIDER_ALLOW_PRIVATE_NETWORK: '1', ...bank.environment() },
  });
  const connected = await ask(server, key, 'POST', '/api/v1/connections', bank.connectBody());
  const { id } = (await connected.json()) as { id: string };
  await runsEnded(client);
  // Nothing that the filling has left shall run while it is measured.
  await client.query('vacuum (freeze, analyze)');
  await client.query('checkpoint');
  const cpu = await CpuSeconds.of([server], client);
  return { database, server, cpu, key, cookie: `tidemark=${token}`, connectionId: id };
}

async function ask({ url }: Server, key: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function runsEnded(client: pg.Client): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(`select from sync_runs where status in ('queued', 'running')`);
    if (rowCount === 0) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

const list = (path: string) => ({
  times: lists,
  once: async ({ server, key }: Town) => void (await (await ask(server, key, 'GET', path)).arrayBuffer()),
});
const page = (path: string) => ({
  times: Math.ceil(lists / 4),
  once: async ({ server, cookie }: Town) => void (await visit(server.url + path, cookie)),
});

/** What a person does, and how often in a round. */
const DEEDS: Record<string, { times: number; once: (town: Town) => Promise<void> }> = {
  'list of balances': list('/api/v1/balances'),
  'list of transactions': list('/api/v1/transactions'),
  'list of accounts': list('/api/v1/accounts'),
  'page: overview': page('/'),
  sync: {
    times: syncs,
    once: async ({ server, key, connectionId, database: { client } }) => {
      // The budget of a day is not what is measured.
      await client.query('delete from provider_requests where connection_id = $1', [connectionId]);
      await ask(server, key, 'POST', `/api/v1/connections/${connectionId}/sync`);
      await runsEnded(client);
    },
  },
};

/** @returns milliseconds of processor time of the service and of PostgreSQL, of one deed */
async function measure(town: Town, { times, once }: (typeof DEEDS)[string]): Promise<number> {
  const before = await town.cpu.now();
  for (let time = 0; time < times; time++) await once(town);
  const after = await town.cpu.now();
  return ((after.servers - before.servers + after.database - before.database) * 1000) / times;
}

const towns: Record<string, Town> = {};
try {
  for (const people of sizes) towns[people.toLocaleString('en')] = await settle(people);
  const names = Object.keys(towns);
  console.log(`CPU ms of one, and its ratio to that among ${names[0]}; medians of ${rounds} rounds`);
  console.log(''.padEnd(22) + names.map((name) => `${name} people`.padStart(24)).join(''));
  for (const [deed, what] of Object.entries(DEEDS)) {
    const took = await inTurns(towns, rounds, (town) => measure(town, what));
    const figures = names.map((name) => {
      const ratio = medianRatio(took[name]!, took[names[0]!]!);
      return `${median(took[name]!).toFixed(2)} ${ratio.toFixed(2).padStart(6)}`.padStart(24);
    });
    console.log(deed.padEnd(22) + figures.join(''));
  }
  for (const [name, { database }] of Object.entries(towns)) {
    const { rows } = await database.client.query<{ size: string }>(
      'select pg_size_pretty(pg_database_size(current_database())) as size',
    );
    console.log(`${name} people: ${rows[0]!.size}`);
  }
} finally {
  for (const { server, database } of Object.values(towns)) {
    await server.stop();
    await database.drop();
  }
  bank.stop();
}
