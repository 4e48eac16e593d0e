import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Without a server the file is not there. */
const CLEAR_UP = `
cat
pid=$(head -n 1 "$1/postgres/postmaster.pid") && kill -INT "$pid" && while kill -0 "$pid"; do sleep 0.1; done
rm -rf "$1"`;

/**
 * A folder that goes with this process, however it ends, and the embedded PostgreSQL in it.
 *
 * @param purpose part of its name
 */
export async function throwawayFolder(purpose: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `tidemark-${purpose}-`));
  clearUpAfterThisProcess(folder);
  return folder;
}

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
