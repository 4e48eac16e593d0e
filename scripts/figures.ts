import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startThrowawayDatabase } from '../bench/throwaway-database.js';
import { createPerson } from '../bench/person.js';
import { createApp } from '../src/app.setup.js';
import { listen } from '../src/operate/bootstrap/listen.js';
import { readConfig } from '../src/platform/config/config.js';
import { secretsOf } from '../src/platform/config/app-secret.js';
import { Secret } from '../src/platform/config/secret.js';
import { MODULES } from '../src/modules.js';
import { PROVIDERS } from '../src/providers/installed.js';
import { ConnectBankService } from '../src/sync/connect/connect-bank.service.js';
import { SyncRunsService } from '../src/sync/runs/sync-runs.service.js';
import { startScriptedServer } from '../test/support/scripted-server.js';
import { isForTransactions, wireAccount, wireSet, wireTransaction } from '../test/support/scripted-us-provider.js';

// The figures of docs/inside/flows.md: npm run figures [-- --files]
// A file counts for a transaction if a function of it runs while a sync brings one, or while its list is answered.

const POLL_MS = 20;
const MODULE_NAMES: ReadonlySet<string> = new Set(['', '<static_initializer>']);
const SOURCE = `${pathToFileURL('src').href}/`;

function countSource(): void {
  const files = readdirSync('src', { recursive: true })
    .map(String)
    .filter((file) => /\.tsx?$/.test(file) && !/\.spec\./.test(file));
  const count = (paths: readonly string[], pattern: RegExp) =>
    paths.reduce((sum, file) => sum + (readFileSync(`src/${file}`, 'utf8').match(pattern)?.length ?? 0), 0);
  const migrations = files.filter((file) => file.includes(`${sep}migrations${sep}`));
  const others = files.filter((file) => !migrations.includes(file));
  show('lines of src without specs', count(files, /\n/g));
  show('of them in migrations', count(migrations, /\n/g));
  show('raw SQL templates', count(others, /\bsql(?:<[^`]*?>)?`/g));
  show('calls of em.fork()', count(others, /\bem\.fork\(/g));
}

function show(name: string, figure: number): void {
  process.stdout.write(`${String(figure).padStart(7)}  ${name}\n`);
}

/** Runs `work` and lists the files of src of which a function has run. */
async function filesUsedBy(session: Session, work: () => Promise<void>): Promise<string[]> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const used = result.filter(
    ({ url, functions }) =>
      url.startsWith(SOURCE) &&
      functions.some(({ functionName, ranges }) => !MODULE_NAMES.has(functionName) && ranges[0]!.count > 0),
  );
  return [...new Set(used.map(({ url }) => fileURLToPath(url).slice(fileURLToPath(SOURCE).length)))].sort();
}

async function countFiles(): Promise<void> {
  const database = await startThrowawayDatabase();
  const day = new Date().toISOString().slice(0, 10);
  const rows = [wireTransaction('first', day, '-1.00')];
  const bank = await startScriptedServer();
  bank.play((request) => {
    if (request.method === 'POST') return { body: bank.url.replace('//', '//user:password@') };
    const transactions = isForTransactions(request) ? rows : [];
    return { body: wireSet([wireAccount({ id: 'checking', transactions })]) };
  });
  const config = readConfig(
    PROVIDERS,
    MODULES,
    {},
    {
      PORT: '0',
      SYNC_CRON: 'off',
      LOG_LEVEL: 'silent',
      PROVIDER_ALLOW_PRIVATE_NETWORK: '1',
      USPROVIDER_ALLOWED_HOSTS: '*',
    },
  );
  const app = await createApp({
    config,
    secrets: secretsOf(['the secret of figures']),
    database: { clientUrl: database.url },
  });
  const url = await listen(app, config);
  const { userId, key } = await createPerson(database.client);
  const ended = async () => {
    for (;;) {
      const { rowCount } = await database.client.query(`select from sync_runs where status in ('queued', 'running')`);
      if (rowCount === 0) return;
      await wait(POLL_MS);
    }
  };
  const connectionId = await app.get(ConnectBankService, { strict: false }).connect({
    userId,
    caller: 'figures',
    provider: 'us_provider',
    name: null,
    pasted: new Secret(Buffer.from(`${bank.url}/claim`).toString('base64')),
    includePending: true,
    historyDays: 30,
  });
  await ended();
  const list = async () => {
    const response = await fetch(`${url}/api/v1/transactions`, { headers: { 'X-Api-Key': key } });
    const { transactions } = (await response.json()) as { transactions: unknown[] };
    if (transactions.length !== rows.length)
      throw new Error(`${transactions.length} transactions instead of ${rows.length}`);
  };
  await list();
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const filesIn = await filesUsedBy(session, async () => {
    rows.push(wireTransaction('second', day, '-2.00'));
    await app.get(SyncRunsService, { strict: false }).request(userId, connectionId, 'schedule');
    await ended();
  });
  const filesOut = await filesUsedBy(session, list);
  show('files that run while a sync brings a transaction', filesIn.length);
  show('files that run while a list shows it', filesOut.length);
  if (process.argv.includes('--files'))
    process.stdout.write(`${['', 'In:', ...filesIn, '', 'Out:', ...filesOut].join('\n  ')}\n`);
  session.disconnect();
  await app.close();
  await bank.stop();
  await database.drop();
}

countSource();
await countFiles();
process.exit(0);
