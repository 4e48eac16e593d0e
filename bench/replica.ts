import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../src/config/config.js';
import { migrate } from '../src/database/migrate.js';
import { DrillPostgres } from '../test/drills/harness/postgres.js';
import { RunFolder } from '../test/drills/harness/run-folder.js';
import { CpuSeconds } from './cpu-seconds.js';
import { inTurns } from './in-turns.js';
import { createAccountHolder, fillHistory } from './list/fill-history.js';
import { median } from './median.js';
import { type Server, startTidemark } from './servers.js';

// What does a replica take off the primary, and what does that cost? Processor time of one request, of the service and of
// both servers, with DATABASE_REPLICA_URL and without.
// npm run bench:replica [-- --rounds 5 --pages 300 --exports 3]

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    pages: { type: 'string', default: '300' },
    exports: { type: 'string', default: '3' },
  },
});
const [rounds, pages, exports] = [values.rounds, values.pages, values.exports].map(Number) as [number, number, number];
const MAX_CONNECTIONS = 100;
const CSV = { Accept: 'text/csv' };

/** What is asked for, and how often in a round. */
const DEEDS: Record<string, { path: string; headers: Record<string, string>; times: number }> = {
  'page of 25 balances': { path: '/api/v1/balances?per_page=25', headers: {}, times: pages },
  '… the 2,000th': { path: '/api/v1/balances?per_page=25&page=2000', headers: {}, times: pages },
  'list of 20 accounts': { path: '/api/v1/accounts', headers: {}, times: pages },
  'export of 73,000 balances': { path: '/api/v1/balances', headers: CSV, times: exports },
};

interface Milliseconds {
  service: number;
  primary: number;
  standby: number;
}

const COLUMNS: readonly { title: string; server: 'alone' | 'beside'; part: keyof Milliseconds }[] = [
  { title: 'without: service', server: 'alone', part: 'service' },
  { title: 'primary', server: 'alone', part: 'primary' },
  { title: 'with: service', server: 'beside', part: 'service' },
  { title: 'primary', server: 'beside', part: 'primary' },
  { title: 'standby', server: 'beside', part: 'standby' },
];

const folder = RunFolder.create();
const servers: Server[] = [];
const databases: DrillPostgres[] = [];
try {
  const primary = await DrillPostgres.start(join(folder.path, 'primary'), MAX_CONNECTIONS);
  databases.push(primary);
  await migrate({ clientUrl: primary.url }, readConfig([], {}, {}).database);
  const client = await primary.connect();
  const person = await createAccountHolder(client);
  await fillHistory(client, person);
  await client.query('vacuum (freeze, analyze)');
  const standby = await primary.startStandby(join(folder.path, 'standby'));
  databases.push(standby);
  const session = await primary.connect();
  const alone = await startTidemark(primary.url);
  servers.push(alone);
  const beside = await startTidemark(primary.url, { DATABASE_REPLICA_URL: standby.url });
  servers.push(beside);
  await primary.followedBy(standby);
  const ofStandby = await CpuSeconds.of([], await standby.connect());

  const measure = async (server: Server, { path, headers, times }: (typeof DEEDS)[string]): Promise<Milliseconds> => {
    const cpu = await CpuSeconds.of([server], session);
    const [before, standbyBefore] = [await cpu.now(), await ofStandby.now()];
    for (let time = 0; time < times; time++) {
      const answer = await fetch(server.url + path, { headers: { 'X-Api-Key': person.key, ...headers } });
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}`);
      await answer.arrayBuffer();
    }
    const [after, standbyAfter] = [await cpu.now(), await ofStandby.now()];
    const ofOne = (seconds: number) => (seconds * 1000) / times;
    return {
      service: ofOne(after.servers - before.servers),
      primary: ofOne(after.database - before.database),
      standby: ofOne(standbyAfter.database - standbyBefore.database),
    };
  };

  console.log(`CPU ms of one request; medians of ${rounds} rounds`);
  console.log(''.padEnd(28) + COLUMNS.map(({ title }) => title.padStart(18)).join(''));
  for (const [name, deed] of Object.entries(DEEDS)) {
    const took = await inTurns({ alone, beside }, rounds, (server) => measure(server, deed));
    const figures = COLUMNS.map(({ server, part }) => median(took[server]!.map((one) => one[part])).toFixed(2));
    console.log(name.padEnd(28) + figures.map((figure) => figure.padStart(18)).join(''));
  }
  const metrics = await (await fetch(`${beside.url}/metrics`)).text();
  for (const [line] of metrics.matchAll(/^tidemark_replica_reads_total.*$/gm)) console.log(line);
} finally {
  for (const server of servers) await server.stop();
  for (const database of databases) await database.close();
  folder.close();
}
