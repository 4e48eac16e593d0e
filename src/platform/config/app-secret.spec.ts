import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadAppSecrets } from './app-secret.js';
import { readConfig } from './config.js';

describe('loadAppSecrets without a configured secret', () => {
  it('processes that start at the same moment share one new app secret, and none reads it half-written', async () => {
    for (let round = 0; round < 100; round++) {
      const folder = mkdtempSync(join(tmpdir(), 'tidemark-secret-'));
      const start = async () =>
        (await loadAppSecrets(readConfig([], [], {}, { DATA_DIR: folder }))).newestFirst[0].reveal();
      const secrets = await Promise.all([start(), start(), start(), start()]);
      expect([new Set(secrets).size, readdirSync(folder)]).toEqual([1, ['app-secret']]);
      rmSync(folder, { recursive: true });
    }
  });
});

describe('loadAppSecrets with an unusable DATA_DIR', () => {
  it('a DATA_DIR that cannot be created is reported in one sentence', async () => {
    const config = readConfig([], [], {}, { DATA_DIR: '/proc/nope' });
    await expect(loadAppSecrets(config)).rejects.toThrow(/^Cannot use \/proc\/nope \(E[A-Z]+\): /);
  });
});

describe('loadAppSecrets with APP_SECRET_FILE', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tidemark-secret-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const load = (name = 'app-secret') =>
    loadAppSecrets(readConfig([], [], {}, { APP_SECRET_FILE: join(folder, name), DATA_DIR: folder }));
  const write = (text: string) => writeFileSync(join(folder, 'app-secret'), text);

  it('APP_SECRET_FILE may hold a rotation list and end with a line break', async () => {
    write('new-secret-of-16+,old-secret-of-16+\n');
    const { newestFirst } = await load();
    expect(newestFirst.map((secret) => secret.reveal())).toEqual(['new-secret-of-16+', 'old-secret-of-16+']);
  });

  it('a short secret in APP_SECRET_FILE is rejected in one sentence that does not show it', async () => {
    write('shortsecret');
    const refusal = load().catch((error: Error) => error.message);
    expect(await refusal).toMatch(/^The secret in APP_SECRET_FILE .* must have at least 16 characters/);
    expect(await refusal).not.toContain('shortsecret');
  });

  it('an APP_SECRET_FILE that does not exist is reported in one sentence', async () => {
    await expect(load('nowhere')).rejects.toThrow(/^APP_SECRET_FILE \S+ cannot be read \(ENOENT\)/);
  });
});
