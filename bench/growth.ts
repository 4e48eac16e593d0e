import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createApp } from '../src/app.setup.js';
import { secretsOf } from '../src/platform/config/app-secret.js';
import { Secret } from '../src/platform/config/secret.js';
import { readConfig } from '../src/platform/config/config.js';
import { PROVIDERS } from '../src/providers/installed.js';
import { RetentionService } from '../src/operate/retention/retention.service.js';
import { ConnectBankService } from '../src/sync/connect/connect-bank.service.js';
import { SyncRunsService } from '../src/sync/runs/sync-runs.service.js';
import { addDays } from '../src/platform/time/calendar-date.js';
import { Clock } from '../src/platform/time/clock.js';
import { startHouseholdBank } from './growth/household-bank.js';
import { createPerson } from './person.js';
import { showProgress } from './progress.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// How many bytes does a household take, and how many more does each year bring?
// npm run bench:growth [-- --days 365 --syncs 4 --retention 90]

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    syncs: { type: 'string', default: '4' },
    retention: { type: 'string', default: '90' },
  },
});
const days = Number(values.days);
const syncsADay = Number(values.syncs);
const FIRST_DAY = '2025-01-01';
const DAY_MS = 86_400_000;
const LOOK_AGAIN_MS = 5;

class BenchClock extends Clock {
  instant = new Date(`${FIRST_DAY}T01:00:00Z`);

  now(): Date {
    return new Date(this.instant);
  }
}

const database = await startThrowawayDatabase();
const { client } = database;
const clock = new BenchClock();
const bank = await startHouseholdBank(() => clock.now(), addDays(FIRST_DAY, -365));
const config = readConfig(
  PROVIDERS,
  [],
  {},
  {
    ...{ PORT: '0', SYNC_CRON: 'off', LOG_LEVEL: 'silent', CLOCK_CHECK: 'off', RETENTION_DAYS: values.retention },
    ...{ PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '*' },
  },
);
const secrets = secretsOf(['the root secret of the benches']);
const app = await createApp({ config, secrets, database: { clientUrl: database.url }, clock });
await app.init();

async function runsEnded(): Promise<void> {
  for (;;) {
    const { rowCount } = await client.query(`select from sync_runs where status in ('queued', 'running')`);
    if (rowCount === 0) return;
    await wait(LOOK_AGAIN_MS);
  }
}

async function syncAt(userId: string, connectionId: string, at: Date): Promise<void> {
  clock.instant = at;
  await app.get(SyncRunsService, { strict: false }).request(userId, connectionId, 'schedule');
  await runsEnded();
}

async function removeOldRows(): Promise<void> {
  await client.query(`update nightly_tasks set started_at = started_at - interval '1 day'`);
  if (!(await app.get(RetentionService, { strict: false }).run())) throw new Error('the retention failed');
}

interface Size {
  name: string;
  rows: number;
  bytes: number;
}

/** Tables with their indexes, as they are: nobody has called VACUUM. */
async function sizes(): Promise<Size[]> {
  const { rows } = await client.query<Size>(`
    select relname as name, pg_total_relation_size(oid)::float8 as bytes,
      (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', relname), false, true, '')))[1]::text::float8 as rows
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by bytes desc`);
  return rows;
}

const kib = (bytes: number) => `${(bytes / 1024).toFixed(0).padStart(8)} KiB`;

try {
  const { userId } = await createPerson(client);
  const empty = await sizes();
  const connectionId = await app.get(ConnectBankService, { strict: false }).connect({
    ...{ userId, caller: 'bench', provider: 'us_provider', name: null, includePending: true, historyDays: 365 },
    pasted: new Secret(bank.setupToken),
  });
  await runsEnded();
  const first = await sizes();
  const begun = clock.now().getTime();
  for (let day = 1; day <= days; day++) {
    showProgress(`day ${day} of ${days}`);
    for (let turn = 0; turn < syncsADay; turn++) {
      await syncAt(userId, connectionId, new Date(begun + day * DAY_MS + (turn * DAY_MS) / syncsADay));
    }
    await removeOldRows();
  }
  showProgress('');
  const { rows: failed } = await client.query(
    `select status, problems from sync_runs where status <> 'succeeded' limit 1`,
  );
  if (failed[0]) throw new Error(`a sync did not succeed: ${JSON.stringify(failed[0])}`);
  const last = await sizes();
  const of = (list: Size[], name: string) => list.find((size) => size.name === name) ?? { rows: 0, bytes: 0 };
  console.log(`${bank.accounts} accounts, a year of history at the beginning, then ${days} days of ${syncsADay} syncs`);
  console.log(`${'table'.padEnd(22)}${'first'.padStart(12)}${'in the end'.padStart(12)}${'rows'.padStart(8)}`);
  const total = { first: 0, last: 0 };
  for (const { name, rows, bytes } of last) {
    const [begin, end] = [of(first, name).bytes - of(empty, name).bytes, bytes - of(empty, name).bytes];
    total.first += begin;
    total.last += end;
    if (end > 0) console.log(`${name.padEnd(22)}${kib(begin)}${kib(end)}${String(rows).padStart(8)}`);
  }
  console.log(`${'all'.padEnd(22)}${kib(total.first)}${kib(total.last)}`);
} finally {
  await app.close();
  await bank.server.stop();
  await database.drop();
}
