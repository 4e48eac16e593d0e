import { spawnSync, type SpawnOptions } from 'node:child_process';
import { constants } from 'node:fs';
import { lchown, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { StartupError } from '../../config/startup-error.js';

/** The user “nobody” of every Linux. */
const NOBODY = 65534;

/** How to run PostgreSQL's programs, which refuse to run as root and as a user without a name. */
export interface RunAs {
  /** Command before a program and its arguments. */
  prefix: string[];
  options: Pick<SpawnOptions, 'uid' | 'gid'>;
  /** Gives a folder, and not what a link in its place leads to, to the user that the programs run as. */
  own: (folder: string) => Promise<void>;
}

/**
 * Chooses the current user. If that is root or has no name: “nobody”, in a user namespace unless root can become it and it
 * can reach the folders.
 */
export async function chooseRunAs(folders: readonly string[]): Promise<RunAs> {
  const isRoot = process.getuid?.() === 0;
  if (!isRoot && hasName()) return { prefix: [], options: {}, own: () => Promise.resolve() };
  const reachable = await Promise.all(folders.map((folder) => everybodyReaches(folder)));
  if (isRoot && reachable.every(Boolean)) {
    return { prefix: [], options: { uid: NOBODY, gid: NOBODY }, own: (folder) => lchown(folder, NOBODY, NOBODY) };
  }
  const prefix = ['unshare', '--user', `--map-user=${NOBODY}`, '--'];
  if (spawnSync(prefix[0]!, [...prefix.slice(1), 'true']).status !== 0) {
    const problem = isRoot
      ? 'as root here: '
      : `under the user id ${process.getuid?.()}, which has no name here: give it a line in /etc/passwd, `;
    throw new StartupError(
      `PostgreSQL does not run ${problem}start the service as another user, or set DATABASE_URL to a PostgreSQL server.`,
    );
  }
  return { prefix, options: {}, own: () => Promise.resolve() };
}

/** Container platforms choose user ids that /etc/passwd does not list. */
function hasName(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Whether everybody may walk through each folder above. */
async function everybodyReaches(path: string): Promise<boolean> {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const mode = await stat(folder).then(
      (found) => found.mode,
      () => 0,
    );
    if ((mode & constants.S_IXOTH) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** A program that is missing, may not be executed, or was built for another system. */
export function cannotRun(program: string, { code }: NodeJS.ErrnoException): StartupError {
  return new StartupError(
    `The embedded PostgreSQL cannot run on this machine (${program}: ${code}): ` +
      'set DATABASE_URL to a PostgreSQL server, version 15 or newer.',
  );
}
