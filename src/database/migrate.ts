import { MikroORM } from '@mikro-orm/postgresql';
import type { DatabaseAddress } from './address.js';
import { ormOptions } from './orm-options.js';

/** Any number that no other program takes as its advisory lock on this database. */
const MIGRATION_LOCK = 7_302_771;

/** Brings the database to this version. Instances that start together wait for each other under an advisory lock. */
export async function migrate(address: DatabaseAddress): Promise<void> {
  const orm = await MikroORM.init({ ...ormOptions(address, []), pool: { min: 1, max: 2 } });
  try {
    const lock = await orm.em.fork().getConnection().getNativeClient();
    const session = await lock.connect();
    try {
      await session.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await orm.migrator.up();
    } finally {
      // Ending the session releases the lock, even when the migration failed half way.
      session.release(true);
    }
  } finally {
    await orm.close(true);
  }
}
