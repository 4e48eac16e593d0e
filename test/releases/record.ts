import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { createBackup } from '../../src/backup/create-backup.js';
import { secretsOf } from '../../src/config/app-secret.js';
import { readConfig } from '../../src/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { CredentialVault } from '../../src/vault/credential-vault.js';
import { createClient, LOCAL_PROVIDER, startTestApp, StillClock } from '../support/app.js';
import { type InstantBank, startInstantBank } from '../support/instant-bank.js';
import { ended, synced } from '../support/syncs.js';
import { startThrowawayPostgres } from '../support/throwaway-postgres.js';
import { COLUMNS, NOW, PATHS, type Release } from './release.js';

// Keeps what a release leaves behind: its data, its schema, its statements and its answers.
// npm run release:record, once, in the commit that is released; test/slow/upgrade.e2e-spec.ts reads it ever after.

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const folder = join('test/releases', version);

const statements = new Set<string>();
// eslint-disable-next-line @typescript-eslint/unbound-method -- called with the client it belongs to
const query = pg.Client.prototype.query as (...call: unknown[]) => unknown;
pg.Client.prototype.query = function (this: pg.Client, ...call: unknown[]) {
  const [first] = call;
  const text = typeof first === 'string' ? first : (first as { text?: string } | undefined)?.text;
  if (text) statements.add(text.replace(/\s+/g, ' ').trim());
  return query.apply(this, call);
} as typeof pg.Client.prototype.query;

const server = await startThrowawayPostgres('release');
const { host, port, user, dbName, address } = server;
const settings = readConfig([], {}, {}).database;
await migrate(address, settings);
statements.clear();
const url = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${dbName}`;
const database = { address, url, drop: () => Promise.resolve() };
const tidemark = await startTestApp(LOCAL_PROVIDER, new StillClock(new Date(NOW)), database);
const bank: InstantBank = await startInstantBank(NOW.slice(0, 10));
try {
  const client = await createClient(tidemark);
  const connect = { provider: 'us_provider', setup_token: bank.setupToken('ann'), history_days: 60 };
  const { body: connection } = await client.post('/api/v1/connections', connect);
  await ended(client, connection.latest_sync_id);
  await synced(client, connection.id);
  const { body: listed } = await client.get('/api/v1/accounts');
  await client.patch(`/api/v1/accounts/${listed.accounts[0].id}`, { name: 'Renamed', account_type: 'credit_card' });
  await client.patch(`/api/v1/connections/${connection.id}`, { name: 'My bank' });
  const answers: Record<string, unknown> = {};
  for (const path of PATHS) answers[path] = (await client.get(path)).body;
  for (const path of PATHS.filter((path) => /balances|transactions/.test(path))) {
    await client.get(path, { Accept: 'text/csv' });
  }
  const session = new pg.Client(url);
  await session.connect();
  const { rows: columns } = await session.query(COLUMNS);
  await session.end();
  mkdirSync(folder, { recursive: true });
  rmSync(join(folder, 'data.backup'), { force: true });
  await createBackup(
    { address, settings },
    join(folder, 'data.backup'),
    new CredentialVault(secretsOf(['the root secret of the tests'])),
  );
  const isData = (text: string) => /^(with|select|insert|update|delete)\b/i.test(text) && !/\bpgboss\b/.test(text);
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' }).trim();
  const release: Release = {
    commit,
    key: client.key,
    answers,
    columns,
    statements: [...statements].filter(isData).sort(),
  };
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(release, null, 1)}\n`);
  process.stdout.write(`${folder}: ${release.statements.length} statements, ${columns.length} columns\n`);
} finally {
  await tidemark.stop();
  await bank.server.stop();
  await server.stop();
}
process.exit(0);
