import { statfs } from 'node:fs/promises';
import { makeWritableFolder } from '../../platform/config/make-folder.js';
import type { Check } from '../../platform/module.js';
import { bad, good, judge } from './check.js';

/** With less, the embedded PostgreSQL is about to stop: one checkpoint may write as much. */
const MIN_FREE_BYTES = 1024 ** 3;

/** Checks a folder that is written to, and the free space on its disk. */
export async function checkFolder(name: string, path: string, variable: string): Promise<Check[]> {
  try {
    await makeWritableFolder(path);
  } catch (error) {
    const advice = `Make it writable for the user that runs Tidemark, or set ${variable} to a folder that is.`;
    return [bad(name, `${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`, advice)];
  }
  const { bavail, bsize } = await statfs(path);
  const space = `${((bavail * bsize) / 1024 ** 3).toFixed(1)} GB free at ${path}.`;
  const advice = `Make room, or set ${variable} to a folder on a larger disk.`;
  return [
    good(name, `${path} can be written.`),
    judge(`disk of the ${name}`, bavail * bsize >= MIN_FREE_BYTES, space, advice),
  ];
}
