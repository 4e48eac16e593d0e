import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lockHolder } from './postmaster-pid.js';
import { PORT } from './server.js';

/**
 * Removes lock files of a dead server. PostgreSQL removes them itself, unless their process id belongs to another
 * program by now or to a zombie; then it would refuse to start.
 */
export async function removeStaleLockFiles(clusterDir: string, socketDir: string): Promise<void> {
  for (const file of [join(clusterDir, 'postmaster.pid'), join(socketDir, `.s.PGSQL.${PORT}.lock`)]) {
    const text = await readFile(file, 'utf8').catch(() => null);
    if (text !== null && (await lockHolder(Number(text.split('\n')[0]), clusterDir)) === 'other') {
      await removeUnchanged(file, text);
    }
  }
}

/**
 * Removes the file unless a server has written a new one meanwhile. It is renamed first, because nobody else can write
 * the renamed file. If its text is new, it is put back.
 */
async function removeUnchanged(file: string, text: string): Promise<void> {
  const aside = `${file}.stale-${randomUUID()}`;
  try {
    await rename(file, aside);
    if ((await readFile(aside, 'utf8')) !== text) await link(aside, file);
    await rm(aside);
  } catch (error) {
    // Another process that starts at this moment was faster.
    if (!['ENOENT', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    await rm(aside, { force: true });
  }
}
