import { rm } from 'node:fs/promises';
import type { DatabaseAddress } from '../src/database/address.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';
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
 */
export async function startThrowawayPostgres(purpose: string): Promise<ThrowawayPostgres> {
  const folder = await throwawayFolder(purpose);
  await copyPreparedCluster(folder);
  const server = await startEmbeddedPostgres({ dataDir: folder, durable: false });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const { host, port, user, dbName } = server;
  return { ...server, folder, address: { host, port, user, dbName }, stop };
}
