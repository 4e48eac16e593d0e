import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { Migration } from '@mikro-orm/migrations';
import { SchedulerRegistry } from '@nestjs/schedule';
import pg from 'pg';
import tar from 'tar-stream';
import { secretsOf } from '../../../src/platform/config/app-secret.js';
import { createBackup } from '../../../src/modules/backup/create-backup.js';
import type { Source } from '../../../src/database/address.js';
import { openBackupFile } from '../../../src/modules/backup/backup-file.js';
import { restoreBackup } from '../../../src/modules/backup/restore-backup.js';
import { verifyBackup } from '../../../src/modules/backup/verify-backup.js';
import { defineModule } from '../../../src/kit.js';
import { readConfig } from '../../../src/platform/config/config.js';
import { MODULES } from '../../../src/modules.js';
import { migrate } from '../../../src/database/migrate.js';
import { CredentialVault } from '../../../src/platform/vault/credential-vault.js';
import { afterThisTest } from '../../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, startTestApp, StillClock, type TestApp, TestClient } from '../../support/app.js';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/database.js';
import { DEBIAN_VERSION, startDebianPostgres } from '../../support/debian-postgres.js';
import { type InstantBank, startInstantBank } from '../../support/instant-bank.js';
import { HAS_PGBOUNCER, startPgBouncer } from '../../support/pgbouncer.js';
import { copyPreparedCluster } from '../../support/prepared-cluster.js';
import { run, start } from '../../support/run-process.js';
import { ended, until } from '../../support/syncs.js';
import { startThrowawayPostgres } from '../../support/throwaway-postgres.js';

const SECRET = 'the root secret of the tests';
const SECRETS = secretsOf([SECRET]);
const VAULT = new CredentialVault(SECRETS);
const INSTALL = { secrets: SECRETS, modules: MODULES };
const OTHER_SECRET = 'the root secret of another install';
const PASSPHRASE = 'a passphrase for the secret';
const TODAY = '2026-03-15';
const { database: settings } = readConfig([], [], {}, {});

describe('backups', () => {
  let bank: InstantBank;
  let tidemark: TestApp;
  let client: TestClient;
  let folder: string;
  let file: string;

  beforeAll(async () => {
    bank = await startInstantBank(TODAY);
    tidemark = await startTestApp(LOCAL_PROVIDER);
    client = await createClient(tidemark);
    const token = bank.setupToken('ann');
    const { body } = await client.post('/api/v1/connections', { provider: 'us_provider', setup_token: token });
    await ended(client, body.latest_sync_id);
    folder = mkdtempSync(join(tmpdir(), 'tidemark-backup-'));
    file = join(folder, 'all.backup');
    await createBackup(sourceOf(tidemark.database), file, VAULT);
  });
  afterAll(async () => {
    await tidemark.stop();
    await bank.server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const sourceOf = ({ address }: Pick<TestDatabase, 'address'>): Source => ({ address, settings });
  const copyOf = (name: string) => {
    const path = join(folder, `${name}.backup`);
    writeFileSync(path, readFileSync(file));
    return path;
  };

  async function emptyDatabase(locale?: string): Promise<TestDatabase> {
    const database = await createEmptyDatabase(locale);
    afterThisTest(database.drop);
    return database;
  }

  async function instanceOn(database: Pick<TestDatabase, 'address'>, more: NodeJS.ProcessEnv = {}): Promise<TestApp> {
    const beside = { url: '', drop: () => Promise.resolve(), ...database };
    const instance = await startTestApp({ ...LOCAL_PROVIDER, ...more }, new StillClock(), beside);
    afterThisTest(instance.stop);
    return instance;
  }

  async function answersOf({ url }: Pick<TestApp, 'url'>): Promise<unknown[]> {
    const person = new TestClient(url, client.userId, client.key);
    const paths = ['accounts', 'balances?per_page=100', 'transactions?per_page=100', 'connections', 'syncs'];
    const answers = await Promise.all(paths.map((path) => person.get(`/api/v1/${path}`)));
    return answers.map(({ status, body }) => [status, body]);
  }

  async function query(database: Pick<TestDatabase, 'url'>, text: string): Promise<Record<string, unknown>[]> {
    const session = new pg.Client(database.url);
    await session.connect();
    try {
      return (await session.query(text)).rows;
    } finally {
      await session.end();
    }
  }

  it('a backup restored on a new server gives the same responses, and syncs continue', async () => {
    const server = await startThrowawayPostgres('restore');
    afterThisTest(server.stop);
    await restoreBackup(sourceOf(server), await openBackupFile(file), INSTALL);
    const restored = await instanceOn(server);
    expect(await answersOf(restored)).toEqual(await answersOf(tidemark));
    const person = new TestClient(restored.url, client.userId, client.key);
    const [{ id }] = (await person.get('/api/v1/connections')).body.connections;
    const { body } = await person.post(`/api/v1/connections/${id}/sync`);
    expect(await ended(person, body.id)).toMatchObject({ status: 'succeeded' });
  });

  (DEBIAN_VERSION ? it : it.skip)('are restored on another version of PostgreSQL, and back again', async () => {
    const server = await startDebianPostgres();
    afterThisTest(server.stop);
    const there = { address: { clientUrl: server.urlOf('postgres') } };
    await restoreBackup(sourceOf(there), await openBackupFile(file), INSTALL);
    expect(await answersOf(await instanceOn(there))).toEqual(await answersOf(tidemark));
    const back = join(folder, 'back.backup');
    await createBackup(sourceOf(there), back, VAULT);
    const digests = async (path: string) =>
      (await openBackupFile(path)).manifest.tables.filter(({ name }) => !/revisions|feed_epoch/.test(name));
    expect(await digests(back)).toEqual(await digests(file));
    await restoreBackup(sourceOf(await emptyDatabase()), await openBackupFile(back), INSTALL);
  });

  it('a backup is a consistent snapshot, however much is written meanwhile', async () => {
    const database = await createTestDatabase();
    afterThisTest(database.drop);
    let isWriting = true;
    let written = 0;
    const write = async () => {
      const session = new pg.Client(database.url);
      await session.connect();
      try {
        // Each person comes with a key: any other number of keys than of people is of two moments.
        while (isWriting) {
          await session.query(
            `with person as (
               insert into users (id, email, password_hash) values (gen_random_uuid(), $1, '') returning id
             )
             insert into api_keys (user_id, id, name, scopes, key_hash, hint)
             select id, gen_random_uuid(), 'key', '{}', '', '' from person`,
            [`${randomUUID()}@example.com`],
          );
          written++;
        }
      } finally {
        await session.end();
      }
    };
    const writers = Promise.all([write(), write()]);
    try {
      for (const round of [1, 2, 3]) {
        const before = written;
        while (written < before + 20) await nextTurn();
        const path = join(folder, `writers-${round}.backup`);
        const { manifest } = await createBackup(sourceOf(database), path, VAULT);
        const rowsOf = (table: string) => manifest.tables.find(({ name }) => name === table)!.rows;
        expect(rowsOf('users')).toBeGreaterThan(before);
        expect(rowsOf('api_keys')).toBe(rowsOf('users'));
      }
    } finally {
      isWriting = false;
      await writers;
    }
    const target = await emptyDatabase();
    await restoreBackup(sourceOf(target), await openBackupFile(join(folder, 'writers-3.backup')), INSTALL);
  });

  it('a backup is restored without a foreign table that has its own sequence', async () => {
    const database = await createTestDatabase();
    afterThisTest(database.drop);
    await query(database, 'create table notes (id serial primary key, text text)');
    await query(database, `insert into notes (text) values ('of somebody')`);
    await query(database, `create sequence tickets`);
    await query(database, `select nextval('tickets')`);
    const path = join(folder, 'with-notes.backup');
    await createBackup(sourceOf(database), path, VAULT);
    const restoring = restoreBackup(sourceOf(await emptyDatabase()), await openBackupFile(path), INSTALL);
    expect(await restoring).toEqual(['notes']);
  });

  it('a restored database continues the sequences of Tidemark tables and has no open sync, since no job is restored', async () => {
    const [source, target] = [await createTestDatabase(), await emptyDatabase()];
    afterThisTest(source.drop);
    await query(source, `select setval('audit_events_number_seq', 41)`);
    await query(
      source,
      `with person as (insert into users (id, email, password_hash) values (gen_random_uuid(), 'a@example.com', '') returning id)
       insert into sync_runs (user_id, id, trigger, status, step, queued_at)
       select id, gen_random_uuid(), 'schedule', 'running', 'starting', now() from person`,
    );
    const path = join(folder, 'counting.backup');
    await createBackup(sourceOf(source), path, VAULT);
    await restoreBackup(sourceOf(target), await openBackupFile(path), INSTALL);
    expect(await query(target, `select nextval('audit_events_number_seq')::integer as next`)).toEqual([{ next: 42 }]);
    expect(await query(target, `select status from sync_runs`)).toEqual([{ status: 'cancelled' }]);
  });

  it('entity tags given after a backup are invalid once the backup is restored', async () => {
    const database = await emptyDatabase();
    await restoreBackup(sourceOf(database), await openBackupFile(file), INSTALL);
    const [before] = await query(tidemark.database, 'select max(revision)::float8 as revision from user_revisions');
    const [after] = await query(database, 'select max(revision)::float8 as revision from user_revisions');
    expect(Number(after!.revision) - Number(before!.revision)).toBeGreaterThan(900_000_000);
  });

  it('a backup of a database with styles and a search path of its own is verified', async () => {
    const database = await emptyDatabase();
    const [own] = await query(database, 'select current_database() as name');
    const settingsOfItsOwn = {
      datestyle: `'SQL, DMY'`,
      timezone: `'Asia/Kolkata'`,
      intervalstyle: `'iso_8601'`,
      bytea_output: `'escape'`,
      search_path: `'Finance-1'`,
    };
    for (const [name, value] of Object.entries(settingsOfItsOwn)) {
      await query(database, `alter database ${String(own!['name'])} set ${name} to ${value}`);
    }
    await query(database, 'create schema "Finance-1"');
    await restoreBackup(sourceOf(database), await openBackupFile(file), INSTALL);
    const again = join(folder, 'again.backup');
    const { manifest } = await createBackup(sourceOf(database), again, VAULT);
    const digestOf = (tables: typeof manifest.tables) => tables.find(({ name }) => name === 'transactions')?.digest;
    expect(digestOf(manifest.tables)).toBe(digestOf((await openBackupFile(file)).manifest.tables));
    await verifyBackup(sourceOf(database), await openBackupFile(again), INSTALL);
  });

  it('a backup with tables of a module is restored only where the module is installed', async () => {
    class Migration20261201000000Notes extends Migration {
      override up(): void {
        this.addSql('create table notes (id integer primary key)');
      }
    }
    const modules = [...MODULES, defineModule({ name: 'notes', migrations: [Migration20261201000000Notes] })];
    const database = await createTestDatabase();
    afterThisTest(database.drop);
    await migrate(database.address, settings, { modules });
    const path = join(folder, 'with-module.backup');
    await createBackup(sourceOf(database), path, VAULT);
    const restoring = async (modulesThere: typeof modules) =>
      restoreBackup(sourceOf(await emptyDatabase()), await openBackupFile(path), { ...INSTALL, modules: modulesThere });
    await expect(restoring(MODULES)).rejects.toThrow(
      'This backup has tables of the module "notes" (Migration20261201000000Notes), which is not installed here: to restore it, ',
    );
    expect(await restoring(modules)).toEqual([]);
  });

  describe('refused backups', () => {
    it.each<[string, (path: string) => void, RegExp]>([
      ['truncated', (path) => truncateSync(path, readFileSync(path).length - 1_600), /is damaged/],
      [
        'without its last member',
        (path) => truncateSync(path, readFileSync(path).lastIndexOf('tidemark-backup/manifest.json')),
        /is damaged/,
      ],
      ['cut in half', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2)), /is damaged/],
      ['empty', (path) => truncateSync(path, 0), /is not a backup/],
      ['altered by one bit', flipOneBit, /is damaged/],
      [
        'something else',
        (path) => writeFileSync(path, 'PGDMP and so on, which is long enough for a footer'),
        /is not a backup/,
      ],
      ['a folder', (path) => (rmSync(path), mkdirSync(path)), /is not a file/],
      ['a pipe', (path) => (rmSync(path), execFileSync('mkfifo', [path])), /is not a file/],
      ['unreadable', (path) => (rmSync(path), symlinkSync('/proc/self/mem', path)), /cannot be read/],
    ])('a backup file that is %s is refused', async (name, change, sentence) => {
      const path = copyOf(name);
      change(path);
      await expect(openBackupFile(path)).rejects.toThrow(sentence);
    });

    it('a restore is refused if another session uses the database', async () => {
      const database = await createTestDatabase();
      afterThisTest(database.drop);
      await query(database, `insert into users (id, email, password_hash) values (gen_random_uuid(), 'a@b.c', '')`);
      const restoring = restoreBackup(sourceOf(database), await openBackupFile(file), INSTALL);
      await expect(restoring).rejects.toThrow(/not empty/);
      expect(await query(database, 'select email from users')).toEqual([{ email: 'a@b.c' }]);
    });

    it('a restore is refused if the database contains other tables', async () => {
      const database = await emptyDatabase();
      await query(database, 'create table customers (id integer)');
      const restoring = restoreBackup(sourceOf(database), await openBackupFile(file), INSTALL);
      await expect(restoring).rejects.toThrow(/not empty/);
    });

    it('a backup of a newer version is refused', async () => {
      const newer = await createTestDatabase();
      afterThisTest(newer.drop);
      await query(newer, `insert into migrations (name) values ('Migration29990101000000Future')`);
      const path = join(folder, 'newer.backup');
      await createBackup(sourceOf(newer), path, VAULT);
      const restoring = restoreBackup(sourceOf(await emptyDatabase()), await openBackupFile(path), INSTALL);
      await expect(restoring).rejects.toThrow(
        'This backup has tables of a newer version of Tidemark (Migration29990101000000Future): to restore it, start that version.',
      );
    });

    it('a restore into a database that a later version has prepared is refused', async () => {
      const prepared = await createTestDatabase();
      afterThisTest(prepared.drop);
      await query(prepared, `insert into migrations (name) values ('Migration29990101000000Future')`);
      const restoring = restoreBackup(sourceOf(prepared), await openBackupFile(file), INSTALL);
      await expect(restoring).rejects.toThrow(
        'The database has tables that this backup does not know, and a restore never overwrites: ' +
          'name an empty one in DATABASE_URL, or an empty DATA_DIR.',
      );
    });

    it('a backup with another APP_SECRET is refused unless its credentials may be dropped', async () => {
      const database = await emptyDatabase();
      const options = { ...INSTALL, secrets: secretsOf([OTHER_SECRET]) };
      const restoring = restoreBackup(sourceOf(database), await openBackupFile(file), options);
      await expect(restoring).rejects.toThrow(
        /all\.backup was written with another APP_SECRET, or changed after it was written: set the APP_SECRET of .* or copy the file app-secret from its DATA_DIR /,
      );
      await restoreBackup(sourceOf(database), await openBackupFile(file), { ...options, forgetLost: true });
      expect(await query(database, 'select status, credential from connections')).toEqual([
        { status: 'attention_required', credential: '' },
      ]);
    });
  });

  it('a backup that somebody changed together with its digests is refused unless it is trusted', async () => {
    const { manifest } = await openBackupFile(file);
    const renamed = gzipSync(
      gunzipSync((await membersOf(file)).get('accounts.0001.copy.gz')!)
        .toString()
        .replace('Account 1', 'Account 9'),
    );
    const digest = createHash('sha256').update(gunzipSync(renamed)).digest('hex');
    const tables = manifest.tables.map((table) => (table.name === 'accounts' ? { ...table, digest } : table));
    const path = join(folder, 'forged.backup');
    const write = async (changes: object) => {
      const members = await membersOf(file);
      members.set('accounts.0001.copy.gz', renamed);
      members.set('manifest.json', Buffer.from(JSON.stringify({ ...manifest, ...changes })));
      const archive = tar.pack();
      for (const [name, content] of members) archive.entry({ name: `tidemark-backup/${name}` }, content);
      archive.finalize();
      await pipeline(archive, createWriteStream(path));
    };
    const restore = async (forgetLost: boolean) =>
      restoreBackup(sourceOf(await emptyDatabase()), await openBackupFile(path), { ...INSTALL, forgetLost });
    await write({});
    await expect(openBackupFile(path)).rejects.toThrow(/forged\.backup is damaged/);
    await write({ tables });
    await expect(restore(false)).rejects.toThrow(
      /forged\.backup was written with another APP_SECRET, or changed after it was written/,
    );
    await restore(true);
    await write({ format: 3 });
    await expect(openBackupFile(path)).rejects.toThrow(/by a newer version/);
  });

  it('a cancelled backup leaves no file behind', async () => {
    const path = join(folder, 'given-up.backup');
    const stop = new AbortController();
    const writing = createBackup(sourceOf(tidemark.database), path, VAULT, null, stop.signal);
    stop.abort();
    await expect(writing).rejects.toThrow();
    expect(readdirSync(folder).filter((name) => /given-up|partial/.test(name))).toEqual([]);
  });

  describe('backup commands', () => {
    const environment = (database: TestDatabase, secret = SECRET) => ({
      ...{ DATABASE_URL: database.url, APP_SECRET: secret, DATA_DIR: join(folder, 'data') },
    });

    async function cli(database: TestDatabase, secret: string, args: string[], stdin = '') {
      const command = start('cli', args, environment(database, secret));
      command.child.stdin!.end(stdin);
      return command.finished;
    }

    it('a backup can include its APP_SECRET under a passphrase, be verified, and be restored under another secret', async () => {
      const path = join(folder, 'with-secret.backup');
      const written = await cli(tidemark.database, SECRET, ['backup', path, '--with-secret'], `${PASSPHRASE}\n`);
      expect(written).toMatchObject({ code: 0, stderr: '' });
      const { tables } = JSON.parse(written.stdout) as { tables: { name: string; rows: number }[] };
      expect(tables).toContainEqual({ name: 'accounts', rows: 3, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
      expect(readFileSync(path).includes(SECRET)).toBe(false);

      const [own] = await query(tidemark.database, 'select oid from pg_database where datname = current_database()');
      const temporary = `tidemark_verify_${String(own!['oid'])}`;
      // As a killed one has left it.
      await query(tidemark.database, `create database ${temporary}`);
      const verified = await cli(tidemark.database, SECRET, ['restore', path, '--verify']);
      expect([verified.code, verified.stderr]).toEqual([0, '']);
      expect(JSON.parse(verified.stdout)).toMatchObject({ verified: true });
      expect(await query(tidemark.database, `select from pg_database where datname = '${temporary}'`)).toEqual([]);

      const target = await emptyDatabase();
      const lost = await cli(target, OTHER_SECRET, ['restore', path]);
      expect([lost.code, lost.stderr]).toEqual([
        1,
        expect.stringMatching(/with-secret\.backup was written with another APP_SECRET.*\n$/),
      ]);
      const mistyped = await cli(target, OTHER_SECRET, ['restore', path, '--with-secret'], 'another passphrase\n');
      expect([mistyped.code, mistyped.stderr]).toEqual([1, expect.stringContaining('Wrong passphrase for the secret')]);
      const restored = await cli(target, OTHER_SECRET, ['restore', path, '--with-secret'], `${PASSPHRASE}\n`);
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      const synced = await run('cli', ['sync:run'], { ...environment(target, OTHER_SECRET), ...LOCAL_PROVIDER });
      expect(JSON.parse(synced.stdout)).toMatchObject({ syncs: [{ status: 'succeeded' }] });
      const again = await cli(target, SECRET, ['restore', path]);
      expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('The database is not empty')]);
    });

    it('a backup with an APP_SECRET that decrypts nothing is refused, and no file is written', async () => {
      const path = join(folder, 'with-another-secret.backup');
      const written = await cli(tidemark.database, OTHER_SECRET, ['backup', path, '--with-secret'], `${PASSPHRASE}\n`);
      expect([written.code, written.stdout, written.stderr]).toEqual([
        1,
        '',
        expect.stringMatching(/^The APP_SECRET does not fit this database: 1 stored credentials .*\n$/),
      ]);
      const dataDir = join(folder, 'data-without-secret');
      await copyPreparedCluster(dataDir);
      const args = ['backup', path, '--with-secret'];
      const without = start('cli', args, { DATABASE_URL: '', APP_SECRET: '', DATA_DIR: dataDir });
      without.child.stdin!.end(`${PASSPHRASE}\n`);
      const { code, stderr } = await without.finished;
      expect([code, stderr]).toEqual([1, `There is no secret yet: ${join(dataDir, 'app-secret')} is missing.\n`]);
      expect([existsSync(path), readdirSync(dataDir)]).toEqual([false, ['postgres']]);
    });

    it('a backup is made on a machine with a wrong clock, since it only reads', async () => {
      const clock = pathToFileURL('test/drills/harness/moved-clock.mjs').href;
      const ahead = { CLOCK_AHEAD_MS: '86400000', NODE_OPTIONS: `--import=${clock}` };
      const args = ['backup', join(folder, 'ahead.backup')];
      expect(await run('cli', args, { ...environment(tidemark.database), ...ahead })).toMatchObject({ code: 0 });
    });

    (HAS_PGBOUNCER ? it : it.skip)('a backup is made and verified beside a pooler in transaction mode', async () => {
      const database = await createTestDatabase();
      afterThisTest(database.drop);
      const pooler = await startPgBouncer(database, 'transaction', 3);
      afterThisTest(() => pooler.stop());
      const through = {
        ...environment(database),
        ...{ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url },
      };
      const path = join(folder, 'pooler.backup');
      expect(await run('cli', ['backup', path], through)).toMatchObject({ code: 0 });
      expect(await run('cli', ['restore', path, '--verify'], through)).toMatchObject({ code: 0 });
    });

    it('npm start exits with 78 if no backup could be written', async () => {
      const backups = { BACKUP_CRON: '11 3 * * *', BACKUP_DIR: '/proc/nope' };
      const more = { ...environment(tidemark.database), ...backups, PORT: '0', LOG_LEVEL: 'error' };
      const { code, stdout, stderr } = await run('main', [], more);
      expect([code, stdout]).toEqual([78, '']);
      expect(stderr).toMatch(/^Cannot use \/proc\/nope \(E[A-Z]+\): .+ or set BACKUP_DIR to another folder\.\n$/);
    });

    it('a backup never overwrites a file', async () => {
      const { code, stderr } = await cli(tidemark.database, SECRET, ['backup', file]);
      expect([code, stderr]).toEqual([1, `${file} exists already: choose another name, or remove it.\n`]);
    });

    it('a backup never overwrites one that is written to the same name at the same time', async () => {
      const path = join(folder, 'twice.backup');
      const writing = () => createBackup(sourceOf(tidemark.database), path, VAULT);
      const [one, other] = await Promise.allSettled([writing(), writing()]);
      const [written, refused] = one.status === 'fulfilled' ? [one, other] : [other, one];
      expect([written, refused]).toEqual([
        { status: 'fulfilled', value: expect.objectContaining({ path }) },
        { status: 'rejected', reason: expect.objectContaining({ name: 'BackupRefusedError' }) },
      ]);
      expect((await openBackupFile(path)).manifest.tables).not.toEqual([]);
      expect(readdirSync(folder).filter((name) => /twice|partial/.test(name))).toEqual(['twice.backup']);
    });
  });

  it('a backup is made at each tick, and the oldest ones and those of killed processes are deleted', async () => {
    const database = await createTestDatabase();
    afterThisTest(database.drop);
    await migrate(database.address, settings, { modules: MODULES });
    const nightly = join(folder, 'nightly');
    mkdirSync(nightly);
    const leftByKilled = 'tidemark-20260228T031100Z.backup.partial';
    for (const name of [leftByKilled, 'film.partial']) writeFileSync(join(nightly, name), 'half');
    const { app, clock } = await instanceOn(database, {
      BACKUP_DIR: nightly,
      BACKUP_KEEP: '2',
      BACKUP_CRON: '11 3 * * *',
    });
    for (const day of [1, 2, 3]) {
      clock.set(`2026-03-0${day}T03:11:00Z`);
      await app.get(SchedulerRegistry, { strict: false }).getCronJob('backup').fireOnTick();
      await until(async () => {
        const [row] = await query(
          database,
          `select count(*)::integer as count from pgboss.job where name = 'backup' and (output ->> 'bytes')::integer > 0`,
        );
        return row!['count'] === day || null;
      }, `backup ${day}`);
    }
    const left = ['film.partial', 'tidemark-20260302T031100Z.backup', 'tidemark-20260303T031100Z.backup'];
    expect(readdirSync(nightly).sort()).toEqual(left);
    expect((await openBackupFile(join(nightly, 'tidemark-20260303T031100Z.backup'))).manifest.secret).toBeNull();
  });
});

/** The files of a backup by their names, without the folder. */
async function membersOf(path: string): Promise<Map<string, Buffer>> {
  const members = new Map<string, Buffer>();
  const archive = createReadStream(path).pipe(tar.extract());
  for await (const entry of archive) {
    const chunks: Buffer[] = [];
    for await (const chunk of entry) chunks.push(chunk);
    members.set(entry.header.name.replace(/^.*\//, ''), Buffer.concat(chunks));
  }
  return members;
}

function flipOneBit(path: string): void {
  const bytes = readFileSync(path);
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(path, bytes);
}
