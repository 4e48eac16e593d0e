import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { PARTIAL_SUFFIX } from './write-backup-file.js';

const NAME = /^tidemark-\d{8}T\d{6}Z\.backup$/;
const PARTIAL_NAME = /^tidemark-\d{8}T\d{6}Z\.backup\.[\w-]+$/;
/** No backup takes so long: a process was killed while it wrote this one. */
const ABANDONED_MS = 24 * 3_600_000;

/** The name of a backup that the service makes by itself; names sort by time. */
export function nameBackup(at: Date): string {
  const time = at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '');
  return `tidemark-${time}.backup`;
}

/** Removes all but the newest, and what killed processes have left. Files of other names are somebody else's. */
export async function pruneBackups(folder: string, keep: number, now: Date): Promise<void> {
  const names = await readdir(folder);
  const whole = names.filter((name) => NAME.test(name)).sort();
  const old = whole.slice(0, Math.max(0, whole.length - keep));
  for (const name of old) await rm(join(folder, name), { force: true });
  for (const name of names.filter((name) => PARTIAL_NAME.test(name) && name.endsWith(PARTIAL_SUFFIX))) {
    const about = await stat(join(folder, name)).catch(() => null);
    if (about && now.getTime() - about.mtimeMs > ABANDONED_MS) await rm(join(folder, name), { force: true });
  }
}
