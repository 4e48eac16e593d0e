import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAppSecrets } from './app-secret.js';
import { readConfig } from './config.js';

describe('the root secret of an install that has none', () => {
  it('is one for all that start at the same moment, and is never seen half-written', async () => {
    for (let round = 0; round < 100; round++) {
      const folder = mkdtempSync(join(tmpdir(), 'tidemark-secret-'));
      const start = async () =>
        (await loadAppSecrets(readConfig([], {}, { DATA_DIR: folder }))).newestFirst[0].reveal();
      const secrets = await Promise.all([start(), start(), start(), start()]);
      expect([new Set(secrets).size, readdirSync(folder)]).toEqual([1, ['app-secret']]);
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the root secret in a folder that cannot be made', () => {
  it('is refused in one sentence', async () => {
    const config = readConfig([], {}, { DATA_DIR: '/proc/nope' });
    await expect(loadAppSecrets(config)).rejects.toThrow(/^Cannot use \/proc\/nope \(E[A-Z]+\): /);
  });
});

describe('the root secret in a file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tidemark-secret-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const load = (name = 'app-secret') =>
    loadAppSecrets(readConfig([], {}, { APP_SECRET_FILE: join(folder, name), DATA_DIR: folder }));
  const write = (text: string) => writeFileSync(join(folder, 'app-secret'), text);

  it('may be a rotation list and end with a line break', async () => {
    write('new-secret-of-16+,old-secret-of-16+\n');
    const { newestFirst } = await load();
    expect(newestFirst.map((secret) => secret.reveal())).toEqual(['new-secret-of-16+', 'old-secret-of-16+']);
  });

  it('is refused in one sentence when it is short, and never shown', async () => {
    write('shortsecret');
    const refusal = load().catch((error: Error) => error.message);
    expect(await refusal).toMatch(/^The secret in APP_SECRET_FILE .* must have at least 16 characters/);
    expect(await refusal).not.toContain('shortsecret');
  });

  it('must be there', async () => {
    await expect(load('nowhere')).rejects.toThrow(/^APP_SECRET_FILE \S+ cannot be read \(ENOENT\)/);
  });
});
