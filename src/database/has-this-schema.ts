import pg from 'pg';
import { clientConfig, type DatabaseAddress } from './address.js';
import { MIGRATIONS } from './migrations/migrations.js';
import type { DatabaseSettings } from '../config/database-settings.js';

/** Whether the database has the migrations of this program, all of them and no other. */
export async function hasThisSchema(address: DatabaseAddress, settings: DatabaseSettings): Promise<boolean> {
  const session = new pg.Client({ ...clientConfig(address), connectionTimeoutMillis: settings.connectTimeoutMs });
  session.on('error', () => undefined);
  await session.connect();
  try {
    const { rows: found } = await session.query<{ found: string | null }>(`select to_regclass('migrations') as found`);
    if (!found[0]?.found) return false;
    const { rows } = await session.query<{ name: string }>('select name from migrations');
    const executed = new Set(rows.map(({ name }) => name));
    return executed.size === MIGRATIONS.length && MIGRATIONS.every(({ name }) => executed.has(name));
  } finally {
    await session.end();
  }
}
