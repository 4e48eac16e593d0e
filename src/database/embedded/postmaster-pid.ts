import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a running server writes down about itself in its data directory. */
export interface PostmasterPid {
  pid: number;
  socketDir: string;
  port: number;
  ready: boolean;
}

/** `null` when no server runs there, or only the leftovers of a killed one. */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterPid | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, dataDir, , port, socketDir, , , status] = text.split('\n').map((line) => line.trim());
  if (!pid || !dataDir || !socketDir || !(await isServerOf(Number(pid), clusterDir))) return null;
  return { pid: Number(pid), socketDir, port: Number(port), ready: status === 'ready' };
}

/** A number may have gone to another program since: the process must name this data directory. */
async function isServerOf(pid: number, clusterDir: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return command.split('\0').includes(clusterDir);
}
