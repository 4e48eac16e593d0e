import pg from 'pg';
import { readConfig } from '../src/platform/config/config.js';
import { migrate } from '../src/database/migrate.js';
import { MODULES } from '../src/modules.js';
import { startThrowawayPostgres } from '../test/support/throwaway-postgres.js';

export interface ThrowawayDatabase {
  /** For a process of its own. */
  url: string;
  client: pg.Client;
  drop: () => Promise<void>;
}

/**
 * A migrated PostgreSQL of the bench's own, which goes with it.
 *
 * @param library of PostgreSQL that only its start can load
 */
export async function startThrowawayDatabase(library?: string): Promise<ThrowawayDatabase> {
  const { stop, address, host, port, user, dbName } = await startThrowawayPostgres('bench', library);
  await migrate(address, readConfig([], [], {}, {}).database, { modules: MODULES });
  const client = new pg.Client({ host, port, user, database: dbName });
  await client.connect();
  return {
    url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${dbName}`,
    client,
    drop: async () => {
      await client.end();
      await stop();
    },
  };
}
