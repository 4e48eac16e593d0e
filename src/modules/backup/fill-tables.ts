import { Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type BackupFile, BackupRefusedError, rowsOf } from './backup-file.js';
import { identifiers, listSequences, listTables } from './tables.js';

/**
 * Copies the rows of a backup into the empty tables of its schema. Triggers are disabled meanwhile, because the backup
 * includes what they would write. Foreign keys are checked.
 *
 * @returns the tables that were left out because no migration creates them
 */
export async function fillTables(session: pg.Client, backup: BackupFile): Promise<string[]> {
  const { tables, sequences } = backup.manifest;
  const own = await listTables(session);
  const present = new Set(own.map(({ name }) => name));
  const counting = new Set((await listSequences(session, own)).map(({ name }) => name));
  const names = tables.filter(({ name }) => present.has(name)).map(({ name }) => pg.escapeIdentifier(name));
  await session.query(`lock table ${names.join(', ')} in access exclusive mode`);
  // Somebody may have signed up since the first check.
  await refuseFilled(session);
  // An install without users has rows, too: always the epoch of the feed, and maybe failed sign-ins.
  for (const name of names.toReversed()) await session.query(`delete from ${name}`);
  for (const name of names) await session.query(`alter table ${name} disable trigger user`);
  await copyRows(session, backup, present);
  for (const name of names) await session.query(`alter table ${name} enable trigger user`);
  // The backup has those of other tables, too.
  for (const { name, value } of sequences.filter(({ name }) => counting.has(name))) {
    await session.query('select setval($1::regclass, $2)', [pg.escapeIdentifier(name), value]);
  }
  return tables.map(({ name }) => name).filter((name) => !present.has(name));
}

async function copyRows(session: pg.Client, backup: BackupFile, present: ReadonlySet<string>): Promise<void> {
  const parts = rowsOf(backup);
  let part = await parts.next();
  /** The rows up to the first part of another table. */
  async function* rowsOfTable(name: string): AsyncGenerator<Buffer, void> {
    while (!part.done && part.value.table === name) {
      yield part.value.rows;
      part = await parts.next();
    }
  }
  try {
    for (const { name, columns, rows } of backup.manifest.tables) {
      const source = Readable.from(rowsOfTable(name), { objectMode: false });
      if (!present.has(name)) {
        await finished(source.resume());
        continue;
      }
      const copy = session.query(copyFrom(`copy ${pg.escapeIdentifier(name)} (${identifiers(columns)}) from stdin`));
      await pipeline(source, copy);
      if (copy.rowCount === rows) continue;
      throw new BackupRefusedError(`${name} has ${copy.rowCount} rows in the backup, and ${rows} in its manifest.`);
    }
  } finally {
    await parts.return();
  }
}

/** @throws BackupRefusedError when the database has users, or tables that are not Tidemark's */
export async function refuseFilled(session: pg.ClientBase): Promise<void> {
  const { rows } = await session.query<{ ours: boolean; others: boolean }>(`
    select count(*) filter (where tablename in ('migrations', 'users')) = 2 as ours,
      count(*) filter (where tablename <> 'migrations') > 0 as others
    from pg_tables where schemaname = current_schema()`);
  const { ours, others } = rows[0]!;
  const isFilled = ours ? (await session.query('select 1 from users limit 1')).rowCount !== 0 : others;
  if (!isFilled) return;
  throw new BackupRefusedError(
    'The database is not empty, and a restore never overwrites: name an empty one in DATABASE_URL, or an empty DATA_DIR.',
  );
}
