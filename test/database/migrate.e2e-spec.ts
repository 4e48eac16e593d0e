import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Migration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { readConfig } from '../../src/platform/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { ormOptions } from '../../src/database/orm-options.js';
import { MODULES, ROOMS } from '../../src/modules.js';
import { defineModule, entitiesOf } from '../../src/platform/module.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp } from '../support/app.js';
import {
  addressOf,
  createEmptyDatabase,
  createTestDatabase,
  onServer,
  type TestDatabase,
} from '../support/database.js';
import { OF_THIS_DATABASE } from '../support/lock-wait.js';
import { run, waitFor } from '../support/run-process.js';
import { declaredColumns, snakeCase, storedColumns } from '../support/entity-columns.js';

class Migration20990101000000Locking extends Migration {
  override up(): void {
    this.addSql('lock table accounts in access exclusive mode');
    this.addSql('select pg_advisory_xact_lock(7)');
    this.addSql('lock table users in access exclusive mode');
  }
}

const LOCKING = defineModule({ name: 'locking', migrations: [Migration20990101000000Locking] });
const ENTITIES = entitiesOf([...ROOMS, ...MODULES]);

const APP_SECRET = 'a root secret for the tests of migrations';

describe('migrations', () => {
  const { database } = readConfig([], [], {}, {});

  it('migrations run once when several instances start together', async () => {
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await onServer(`create database ${name}`);
    afterThisTest(() => onServer(`drop database ${name} with (force)`));
    const address = addressOf(name);
    await Promise.all([migrate(address, database), migrate(address, database), migrate(address, database)]);
    const client = new pg.Client('clientUrl' in address ? address.clientUrl : { ...address, database: name });
    await client.connect();
    afterThisTest(() => client.end());
    const { rows } = await client.query('select name, count(*)::int as times from migrations group by name');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.every(({ times }) => times === 1)).toBe(true);
  });

  it('migrations do not begin once the process is stopping', async () => {
    const empty = await createEmptyDatabase();
    afterThisTest(empty.drop);
    await expect(migrate(empty.address, database, { signal: AbortSignal.abort() })).rejects.toThrow();
    const client = new pg.Client(empty.url);
    await client.connect();
    afterThisTest(() => client.end());
    expect((await client.query(`select to_regclass('users') as users`)).rows).toEqual([{ users: null }]);
  });

  it('a start on a database from before the first release is refused in one sentence and changes nothing', async () => {
    const older = await createEmptyDatabase();
    afterThisTest(older.drop);
    await onServer(
      `create table migrations (id serial primary key, name text, executed_at timestamptz default now());
       insert into migrations (name) values ('Migration20261121000000Foundation'), ('Migration20261129010000StaleFeeds');
       create table users (id uuid primary key)`,
      older.url,
    );
    const { code, stderr } = await run('main', [], {
      DATABASE_URL: older.url,
      APP_SECRET,
      PORT: '0',
      SYNC_CRON: 'off',
    });
    expect({ code, stderr: stderr.trim() }).toEqual({
      code: 78,
      stderr:
        'The database was changed by a build of Tidemark from before the first release (Migration20261129010000StaleFeeds): ' +
        'start that build, or start this one on an empty database.',
    });
    const session = new pg.Client(older.url);
    await session.connect();
    afterThisTest(() => session.end());
    const { rows } = await session.query(`
      select c.relname::text as table, count(a.attname)::integer as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss')) and c.relkind = 'r'
      group by c.relname order by 1`);
    expect(rows).toEqual([
      { table: 'migrations', columns: 3 },
      { table: 'users', columns: 1 },
    ]);
  });

  it('a start is refused after migrations of a newer version, and a running instance still works', async () => {
    const running = await startTestApp();
    afterThisTest(() => running.stop());
    const client = await createClient(running);
    await running.em().execute(`insert into migrations (name) values ('Migration29990101000000Future')`);
    const environment = { DATABASE_URL: running.database.url, APP_SECRET, PORT: '0', SYNC_CRON: 'off' };
    const { code, stderr } = await run('main', [], environment);
    expect({ code, stderr: stderr.trim() }).toEqual({
      code: 78,
      stderr:
        'The database was changed by a newer version of Tidemark (Migration29990101000000Future): ' +
        'start that version, or restore a backup of this one into an empty database.',
    });
    expect((await client.get('/api/v1/accounts')).status).toBe(200);
    expect((await client.get('/health/ready')).status).toBe(200);
  });

  it('a migration is retried when PostgreSQL cancels it because of a reading session', async () => {
    const test = await createTestDatabase();
    afterThisTest(() => test.drop());
    const sessionOf = async () => {
      const session = new pg.Client(test.url);
      await session.connect();
      afterThisTest(() => session.end());
      return session;
    };
    const [gate, reader] = [await sessionOf(), await sessionOf()];
    const waiting = (relation: string) =>
      waitFor(async () => {
        const { rows } = await gate.query(
          `select from pg_locks where ${OF_THIS_DATABASE} and not granted and (locktype = $1 or relation = to_regclass($1))`,
          [relation],
        );
        return rows.length > 0;
      }, `waiting for ${relation}`);
    await gate.query('select pg_advisory_lock(7)');
    await reader.query(`set deadlock_timeout = '1h'`);
    await reader.query('begin; select from users');
    const migrating = migrate(test.address, database, { modules: [...MODULES, LOCKING] });
    await waiting('advisory');
    const read = reader.query('select from accounts').then(() => reader.query('commit'));
    await waiting('accounts');
    await gate.query('select pg_advisory_unlock(7)');
    await Promise.all([migrating, read]);
    const { rows } = await gate.query(`select module from migrations where name = 'Migration20990101000000Locking'`);
    expect(rows).toEqual([{ module: 'locking' }]);
  });

  it('a migration that waits for a table lets others read it and logs that it waits', async () => {
    const test = await createTestDatabase();
    afterThisTest(() => test.drop());
    const [exporting, reading] = [new pg.Client(test.url), new pg.Client(test.url)];
    for (const session of [exporting, reading]) {
      await session.connect();
      afterThisTest(() => session.end());
    }
    await exporting.query('begin; select from accounts');
    const impatient = readConfig([], [], {}, { DATABASE_MIGRATION_LOCK_TIMEOUT_MS: '200' }).database;
    await expect(migrate(test.address, impatient, { modules: [...MODULES, LOCKING] })).rejects.toMatchObject({
      code: '55P03',
    });
    const said: string[] = [];
    const settings = readConfig([], [], {}, { DATABASE_LOCK_TIMEOUT_MS: '1000' }).database;
    const migrating = migrate(test.address, settings, {
      modules: [...MODULES, LOCKING],
      onWait: (sentence) => said.push(sentence),
    });
    await waitFor(() => said.length > 0, 'said');
    expect(said).toEqual(['A migration waits for a lock that another session holds.']);
    await reading.query('select from accounts');
    await exporting.query('commit');
    await migrating;
  });

  it('a start ends with an error message if another instance migrates for too long', async () => {
    const database = await createTestDatabase();
    const other = new pg.Client(database.url);
    try {
      await other.connect();
      await other.query('begin; select pg_advisory_xact_lock(7302771)');
      const settings = readConfig([], [], {}, { DATABASE_MIGRATION_LOCK_TIMEOUT_MS: '200' }).database;
      await expect(migrate(database.address, settings, { modules: MODULES })).rejects.toThrow(
        'Another instance has been migrating this database for 0.2 s. Wait until it has finished',
      );
      await other.query('rollback');
      await migrate(database.address, settings, { modules: MODULES });
    } finally {
      await other.end();
      await database.drop();
    }
  });
});

describe('the entities', () => {
  let database: TestDatabase;
  let orm: MikroORM;

  beforeAll(async () => {
    database = await createTestDatabase();
    orm = await MikroORM.init(
      ormOptions(database.address, readConfig([], [], {}, {}).database, { entities: ENTITIES }),
    );
  });
  afterAll(async () => {
    await orm.close(true);
    await database.drop();
  });

  it.each(ENTITIES.map(({ name }) => name))('%s has the columns of its migrated table', async (name) => {
    const meta = orm.getMetadata().getByClassName(name);
    expect(declaredColumns(meta)).toEqual(await storedColumns(orm.em, meta.tableName));
  });

  it.each(ENTITIES.map(({ name }) => name))('%s is known to typed queries by the names of its columns', (name) => {
    const { props } = orm.getMetadata().getByClassName(name);
    expect(props.map((prop) => snakeCase(prop.name))).toEqual(props.map(({ fieldNames }) => fieldNames[0]));
  });

  it('tell typed queries the name of their table', () => {
    const names = readdirSync('src', { recursive: true }).map(String);
    const files = names.filter((name) => /\.entit(y|ies)\.ts$/.test(name));
    const texts = files.map((name) => readFileSync(`src/${name}`, 'utf8'));
    const all = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name]) => name);
    for (const text of texts) {
      expect(all(/\[EntityName\]\?: '(\w+)'/g, text)).toEqual(all(/tableName: '(\w+)'/g, text));
    }
    const declared = texts.flatMap((text) => all(/(?:tableName: |@UserTable\()'(\w+)'/g, text));
    const tables = ENTITIES.map(({ name }) => orm.getMetadata().getByClassName(name).tableName);
    expect(declared).toEqual(expect.arrayContaining(tables));
  });
});
