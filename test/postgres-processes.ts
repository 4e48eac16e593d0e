import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';

/** The ids of all PostgreSQL processes that work in a data directory of Tidemark's, found by their folder. */
export function postgresProcesses(dataDir: string): number[] {
  if (!existsSync(dataDir)) return [];
  const cluster = join(realpathSync(dataDir), 'postgres');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => workingFolder(pid) === cluster || argumentsOf(pid).includes(cluster))
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
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
