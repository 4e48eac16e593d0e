import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

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
