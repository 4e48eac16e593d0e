import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const fileOf = (dataDir: string) => join(dataDir, 'owner.pid');

/**
 * Takes the server over unless the process that is to stop it is alive: a killed service leaves its server running,
 * and the next one that finds it becomes the one to stop it.
 *
 * @returns whether this process is the owner now
 */
export async function takeOwnership(dataDir: string, startedHere: boolean): Promise<boolean> {
  const owner = Number(await readFile(fileOf(dataDir), 'utf8').catch(() => '0'));
  if (!startedHere && owner !== process.pid && isAlive(owner)) return false;
  await writeFile(fileOf(dataDir), String(process.pid), { mode: 0o600 });
  return true;
}

function isAlive(pid: number): boolean {
  if (!pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
