import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './make-folder.js';

describe('makeFolder', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'tidemark-folder-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('a folder and its parents are created for the current user only', async () => {
    await makeFolder(join(root, 'a/b'));
    await makeFolder(join(root, 'a/b'));
    expect(['a', 'a/b'].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('an existing folder keeps its mode', async () => {
    mkdirSync(join(root, 'a'), { mode: 0o750 });
    await makeFolder(join(root, 'a'));
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o750);
  });

  it('several calls can create the same folder at once', async () => {
    await expect(Promise.all([1, 2, 3].map(() => makeFolder(join(root, 'a/b/c'))))).resolves.toHaveLength(3);
  });

  it('creating a folder fails with EEXIST if a file is in its place', async () => {
    writeFileSync(join(root, 'file'), '');
    for (const path of ['file', 'file/a'])
      await expect(makeFolder(join(root, path))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('creating a folder fails if the file system refuses it', async () => {
    await expect(makeFolder('/proc/nope/deeper')).rejects.toMatchObject({ syscall: 'mkdir' });
  });
});
