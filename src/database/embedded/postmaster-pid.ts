import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';

/** The server's own file in its data directory. */
export interface PostmasterPid {
  /** `null`: it runs in another container, whose process ids are not those of this one. */
  pid: number | null;
  /** Empty until a server that starts listens there. */
  socketDir: string;
  port: number;
  ready: boolean;
}

/** The owner of the process id in a lock file. `unknown`: the platform does not say. */
type LockHolder = 'server' | 'other' | 'unknown';

/** @returns `null`: no server runs there, or the file is left from a killed one */
export async function readPostmasterPid(clusterDir: string): Promise<PostmasterPid | null> {
  const text = await readFile(join(clusterDir, 'postmaster.pid'), 'utf8').catch(() => '');
  const [pid, dataDir, , port, socketDir = '', , , status] = text.split('\n').map((line) => line.trim());
  if (!pid || !dataDir) return null;
  const isSeen = (await lockHolder(Number(pid), clusterDir)) === 'server';
  if (!isSeen && !(await isListening(join(socketDir, `.s.PGSQL.${port}`)))) return null;
  return { pid: isSeen ? Number(pid) : null, socketDir, port: Number(port), ready: status === 'ready' };
}

/**
 * Whether a server listens at a socket. That is seen from every container that has the folder. A second server on the
 * same files would destroy them.
 */
function isListening(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isThere: boolean) => {
      connection.destroy();
      resolve(isThere);
    };
    const connection = connect(socket)
      .once('connect', () => end(true))
      .once('error', () => end(false));
  });
}

/** The process id may belong to another program by now, so the process must be a server of this directory. */
export async function lockHolder(pid: number, clusterDir: string): Promise<LockHolder> {
  const command = await commandOf(pid);
  if (command === null) return 'unknown';
  if (typeof command === 'string') return holderByText(command, clusterDir);
  const [program = '', ...args] = command;
  if (!/(^|\/)postgres$/.test(program)) return 'other';
  const folder = args[args.indexOf('-D') + 1];
  return args.includes('-D') && folder ? holderByFolder(folder, clusterDir) : 'unknown';
}

/** A PostgreSQL of another path may be ours through a symbolic link. */
function holderByText(command: string, clusterDir: string): LockHolder {
  if (!command.includes('postgres')) return 'other';
  return command.includes(` -D ${clusterDir} `) ? 'server' : 'unknown';
}

/** Compares the folders themselves, because a symbolic link gives one folder two paths. */
async function holderByFolder(folder: string, clusterDir: string): Promise<LockHolder> {
  if (folder === clusterDir) return 'server';
  const [its, ours] = await Promise.all([folder, clusterDir].map((path) => stat(path).catch(() => null)));
  if (!its || !ours || !isAbsolute(folder)) return 'unknown';
  return its.dev === ours.dev && its.ino === ours.ino ? 'server' : 'other';
}

/** A list of arguments, or one text where the platform does not separate them. */
type CommandLine = readonly string[] | string;

/**
 * Reads the command line of a process. Empty: there is no such process, or it is a zombie. `null`: unknown.
 */
export async function commandOf(pid: number): Promise<CommandLine | null> {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !exists(pid)) return '';
  return process.platform === 'linux' ? commandFromProc(pid) : commandFromPs(pid);
}

/** Also true for a process of another user. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function commandFromProc(pid: number): Promise<CommandLine | null> {
  try {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    return text.split('\0').filter(Boolean);
  } catch {
    return exists(pid) ? null : '';
  }
}

export async function commandFromPs(pid: number): Promise<CommandLine | null> {
  const options = ['-ww', '-o', 'stat=', '-o', 'command=', '-p', String(pid)];
  const text = await promisify(execFile)('ps', options).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
  if (text === null) return exists(pid) ? null : '';
  const [state = '', ...command] = text.split(' ');
  return state.startsWith('Z') ? '' : command.join(' ').trim();
}
