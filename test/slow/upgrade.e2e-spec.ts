import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openBackupFile } from '../../src/backup/backup-file.js';
import { restoreBackup } from '../../src/backup/restore-backup.js';
import { secretsOf } from '../../src/config/app-secret.js';
import { readConfig } from '../../src/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import { LOCAL_PROVIDER, send, startTestApp, StillClock, type TestApp } from '../support/app.js';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { type Column, COLUMNS, NOW, type Release } from '../releases/release.js';

const FOLDER = 'test/releases';
/**
 * Tables that triggers of 0.1.0 counted in, and what is left of them for reading. The change log took their place: a sync
 * of that version fails at its first write, since what it wrote would not be in the log, and is taken up by this one.
 */
const REPLACED = /^(account_revisions|sync_event_ids|sync_revisions|user_revisions)\./;
const releases = readdirSync(FOLDER).filter((name) => /^\d/.test(name));
const { database: settings } = readConfig([], {}, {});

describe.each(releases)('upgrade from release %s', (version) => {
  const release = JSON.parse(readFileSync(join(FOLDER, version, 'release.json'), 'utf8')) as Release;
  let database: TestDatabase;
  let tidemark: TestApp;
  let session: pg.Client;

  beforeAll(async () => {
    database = await createEmptyDatabase();
    const source = { address: database.address, settings };
    const secrets = secretsOf(['the root secret of the tests']);
    // The backups of the first releases have no signature.
    await restoreBackup(source, await openBackupFile(join(FOLDER, version, 'data.backup')), {
      secrets,
      forgetLost: true,
    });
    await migrate(database.address, settings);
    tidemark = await startTestApp(LOCAL_PROVIDER, new StillClock(new Date(NOW)), database);
    session = new pg.Client(database.url);
    await session.connect();
  });
  afterAll(async () => {
    await session?.end();
    await tidemark?.stop();
    await database.drop();
  });

  it.each(Object.keys(release.answers))('an older release and this one answer alike: %s', async (path) => {
    const { status, body } = await send(tidemark.url + path, { headers: { 'X-Api-Key': release.key } });
    expect(status).toBe(200);
    // New members may have come.
    expect(body).toMatchObject(release.answers[path] as object);
  });

  it('the statements of an older release work on the schema of this version', async () => {
    expect(release.statements.length).toBeGreaterThan(50);
    const refused: string[] = [];
    for (const text of release.statements) {
      const isUnderstood = await session.query(`prepare old as ${text}`).then(
        () => session.query('deallocate old').then(() => true),
        (error: Error) => refused.push(`${error.message}: ${text}`),
      );
      expect(isUnderstood).toBeTruthy();
    }
    expect(refused.filter((why) => !why.includes('"sync_event_ids"'))).toEqual([]);
  });

  it('the schema of this version has every column of an older release and no new required one', async () => {
    const { rows } = await session.query<Column>(COLUMNS);
    const keyOf = ({ table, name }: Column) => `${table}.${name}`;
    const now = new Map(rows.map((column) => [keyOf(column), column]));
    const before = new Set(release.columns.map(keyOf));
    const tables = new Set(release.columns.map(({ table }) => table));
    const changed = release.columns.filter((column) => {
      const { type, isNullable, hasDefault } = now.get(keyOf(column)) ?? {};
      return type !== column.type || isNullable !== column.isNullable || (column.hasDefault && !hasDefault);
    });
    const demanded = rows.filter(
      (column) => tables.has(column.table) && !before.has(keyOf(column)) && !column.isNullable && !column.hasDefault,
    );
    const notReplaced = (columns: Column[]) => columns.map(keyOf).filter((key) => !REPLACED.test(key));
    expect([notReplaced(changed), notReplaced(demanded)]).toEqual([[], []]);
  });
});
