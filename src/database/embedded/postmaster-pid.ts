import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { commandOf } from './process-command.js';

/** What a running server writes down about itself in its data directory. */
export interface PostmasterPid {
  pid: number;
  socketDir: string;
  port: number;
  ready: boolean;
}

/** Whose process number a lock file names. `unknown`: the platform does not say. */
export type LockHolder = 'server' | 'other' | 'unknown';

/** `null` when no server runs there, or only the leftovers of a killed one. */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterPid | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, dataDir, , port, socketDir, , , status] = text.split('\n').map((line) => line.trim());
  if (!pid || !dataDir || !socketDir || (await lockHolder(Number(pid), clusterDir)) !== 'server') return null;
  return { pid: Number(pid), socketDir, port: Number(port), ready: status === 'ready' };
}

/** A number may have gone to another program since: the process must be a server of this very directory. */
export async function lockHolder(pid: number, clusterDir: string): Promise<LockHolder> {
  const command = await commandOf(pid);
  if (command === null) return 'unknown';
  if (typeof command === 'string') return holderByText(command, clusterDir);
  const [program = '', ...args] = command;
  if (!/(^|\/)postgres$/.test(program)) return 'other';
  const folder = args[args.indexOf('-D') + 1];
  return args.includes('-D') && folder ? holderByFolder(folder, clusterDir) : 'unknown';
}

/** Another PostgreSQL may be ours under another name of the folder. */
function holderByText(command: string, clusterDir: string): LockHolder {
  if (!command.includes('postgres')) return 'other';
  return command.includes(` -D ${clusterDir} `) ? 'server' : 'unknown';
}

/** The same folder by another path, as through a symbolic link, is the same. */
async function holderByFolder(folder: string, clusterDir: string): Promise<LockHolder> {
  if (folder === clusterDir) return 'server';
  const [its, ours] = await Promise.all([folder, clusterDir].map((path) => stat(path).catch(() => null)));
  if (!its || !ours || !isAbsolute(folder)) return 'unknown';
  return its.dev === ours.dev && its.ino === ours.ino ? 'server' : 'other';
}
