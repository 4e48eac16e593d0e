import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
import { migrate } from '../src/database/migrate.js';

export interface ThrowawayDatabase {
  /** For a process of its own. */
  url: string;
  client: pg.Client;
  drop: () => Promise<void>;
}

/** A migrated PostgreSQL of the bench's own, in a folder that is removed afterwards. */
export async function startThrowawayDatabase(): Promise<ThrowawayDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));
  const server = await startEmbeddedPostgres({ dataDir: folder, durable: false });
  const { host, port, user, dbName } = server;
  await migrate({ host, port, user, dbName });
  const client = new pg.Client({ host, port, user, database: dbName });
  await client.connect();
  return {
    url: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${dbName}`,
    client,
    drop: async () => {
      await client.end();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
