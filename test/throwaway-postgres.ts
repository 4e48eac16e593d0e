import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress } from '../src/database/address.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../src/database/embedded/embedded-postgres.js';

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
  const folder = await mkdtemp(join(tmpdir(), `tidemark-${purpose}-`));
  clearUpAfterThisProcess(folder);
  const server = await startEmbeddedPostgres({ dataDir: folder, durable: false });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const { host, port, user, dbName } = server;
  return { ...server, folder, address: { host, port, user, dbName }, stop };
}

/** Without a server the file is not there. */
const CLEAR_UP = `
cat
pid=$(head -n 1 "$1/postgres/postmaster.pid") && kill -INT "$pid" && while kill -0 "$pid"; do sleep 0.1; done
rm -rf "$1"`;

/** A process that reads from this one until there is nothing more to come. Ctrl-C is not for it. */
function clearUpAfterThisProcess(folder: string): void {
  const keeper = spawn('sh', ['-c', CLEAR_UP, 'sh', folder], {
    ...{ cwd: '/', detached: true, stdio: ['pipe', 'ignore', 'ignore'] },
  });
  // Where there is no shell, a killed run leaves its server.
  keeper.on('error', () => undefined);
  keeper.unref();
  (keeper.stdin as Socket).unref();
}
