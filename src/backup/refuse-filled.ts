import type pg from 'pg';
import { BackupRefusal } from './backup-refusal.js';

/** @throws BackupRefusal when the database has a person, or tables that are not Tidemark's */
export async function refuseFilled(session: pg.ClientBase): Promise<void> {
  const { rows } = await session.query<{ ours: boolean; others: boolean }>(`
    select to_regclass('migrations') is not null and to_regclass('users') is not null as ours,
      exists (
        select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
          and relname <> 'migrations'
      ) as others`);
  const { ours, others } = rows[0]!;
  const isFilled = ours ? (await session.query('select from users limit 1')).rowCount !== 0 : others;
  if (!isFilled) return;
  throw new BackupRefusal(
    'The database is not empty, and a restore never overwrites: name an empty one in DATABASE_URL, or an empty DATA_DIR.',
  );
}
