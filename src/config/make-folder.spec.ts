import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from './make-folder.js';

describe('a folder that is made', () => {
  let root: string;
  beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'tidemark-folder-'))));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  it('comes with those above it, for this user only', async () => {
    await makeFolder(join(root, 'a/b'));
    await makeFolder(join(root, 'a/b'));
    expect(['a', 'a/b'].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('keeps the mode that it has', async () => {
    mkdirSync(join(root, 'a'), { mode: 0o750 });
    await makeFolder(join(root, 'a'));
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o750);
  });

  it('may be made by several at once', async () => {
    await expect(Promise.all([1, 2, 3].map(() => makeFolder(join(root, 'a/b/c'))))).resolves.toHaveLength(3);
  });

  it('is refused where there is a file', async () => {
    writeFileSync(join(root, 'file'), '');
    for (const path of ['file', 'file/a'])
      await expect(makeFolder(join(root, path))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  it('is refused where no folder can be made', async () => {
    await expect(makeFolder('/proc/nope/deeper')).rejects.toMatchObject({ syscall: 'mkdir' });
  });
});
