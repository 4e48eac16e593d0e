import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { DatabaseAddress } from '../../src/database/address.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { copyPreparedCluster } from './prepared-cluster.js';
import { throwawayFolder } from './throwaway-folder.js';

/** A PostgreSQL in a folder of its own, which goes with it. */
export interface ThrowawayPostgres extends EmbeddedPostgres {
  folder: string;
  address: DatabaseAddress;
}

/**
 * Ends with `stop`, and however this process ends: killed, it leaves no server and no folder behind.
 *
 * @param purpose part of the folder's name
 * @param library of PostgreSQL that only its start can load
 */
export async function startThrowawayPostgres(purpose: string, library?: string): Promise<ThrowawayPostgres> {
  const folder = await throwawayFolder(purpose);
  await copyPreparedCluster(folder);
  const start = () => startEmbeddedPostgres({ dataDir: folder, durable: false });
  let server = await start();
  if (library) {
    await preload(library, server);
    await server.stop();
    server = await start();
  }
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const { host, port, user, dbName } = server;
  return { ...server, folder, address: { host, port, user, dbName }, stop };
}

async function preload(library: string, { host, port, user, dbName }: EmbeddedPostgres): Promise<void> {
  const client = new pg.Client({ host, port, user, database: dbName });
  await client.connect();
  await client.query(`alter system set shared_preload_libraries = ${client.escapeIdentifier(library)}`);
  await client.end();
}
