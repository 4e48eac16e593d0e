import { readFileSync } from 'node:fs';
import { createClient, startTestApp } from './app.js';
import { afterThisTest } from './after-this-test.js';
import { createConnection, snapshotAccount, writeSnapshot } from './factories.js';

describe('docs/recipes.md', () => {
  it('asks the service what it can answer', async () => {
    const tidemark = await startTestApp({ ROLE: 'api' });
    afterThisTest(tidemark.stop);
    const client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const { accountId } = await writeSnapshot(tidemark, connection, snapshotAccount());
    const text = readFileSync('docs/recipes.md', 'utf8');
    const paths = [...text.matchAll(/https?:\/\/[\w.:]+(\/api\/v1\/[^\s'`]+)/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      const { status } = await client.get(path.replace('=ID', `=${accountId}`));
      expect([path, status]).toEqual([path, 200]);
    }
  });
});
