import { chmodSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartupError } from '../../platform/config/startup-error.js';
import { restoreSymlinks } from './installation.js';

const NOBODY = 65_534;

describe('restoreSymlinks', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-package-'));
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'native'));
    const links = [{ source: 'native/libpq.so.5.18', target: 'native/libpq.so' }];
    writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('missing symbolic links of the PostgreSQL package are restored, also by repeated calls', async () => {
    await restoreSymlinks(folder);
    await restoreSymlinks(folder);
    expect(readlinkSync(join(folder, 'native/libpq.so'))).toBe('libpq.so.5.18');
  });

  it('missing symbolic links in a read-only folder are reported in one sentence', async () => {
    const isRoot = process.geteuid?.() === 0;
    chmodSync(join(folder, 'native'), 0o555);
    if (isRoot) process.seteuid!(NOBODY);
    try {
      await expect(restoreSymlinks(folder)).rejects.toThrow(
        new StartupError(
          `The embedded PostgreSQL lacks links in ${folder}, which this user may not write (EACCES): run \`node scripts/link-postgres.mjs\` as its owner.`,
        ),
      );
    } finally {
      if (isRoot) process.seteuid!(0);
      chmodSync(join(folder, 'native'), 0o755);
    }
  });
});
