import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, for this user only. Node's `recursive` would never end below a folder such as /proc,
 * in which making one fails with ENOENT.
 */
export async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
    // Another process may have been first.
    if (!(await isFolder(path))) throw error;
  });
}

/** The same, where it must also be writable. */
export async function makeWritableFolder(path: string): Promise<void> {
  await makeFolder(path);
  await access(path, constants.W_OK);
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
