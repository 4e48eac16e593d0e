import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The ids of all PostgreSQL processes that work in a data directory of Tidemark's, found by their folder. A process on
 * its way out loses its arguments before its folder: without arguments it does nothing any more and does not count.
 */
export function postgresProcesses(dataDir: string): number[] {
  if (!existsSync(dataDir)) return [];
  const cluster = join(realpathSync(dataDir), 'postgres');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const args = argumentsOf(pid);
      return args.includes(cluster) || (args.length > 0 && workingFolder(pid) === cluster);
    })
    .map(Number);
}

function workingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function argumentsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  } catch {
    return [];
  }
}
