import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient, LOCAL_PROVIDER, startTestApp, StillClock } from '../support/app.js';
import { afterThisTest } from '../support/after-this-test.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { freePort } from '../support/free-port.js';
import { installPackedClient } from '../support/packed-client.js';
import { Running } from '../support/run-process.js';
import { until } from '../support/syncs.js';

const run = promisify(execFile);

describe('docs/use/recipes.md', () => {
  it('the requests of docs/use/recipes.md work', async () => {
    const tidemark = await startTestApp({ ROLE: 'api' });
    afterThisTest(tidemark.stop);
    const client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const { accountId } = await writeSnapshot(tidemark, connection, snapshotAccount());
    const text = readFileSync('docs/use/recipes.md', 'utf8');
    const paths = [...text.matchAll(/https?:\/\/[\w.:]+(\/api\/v1\/[^\s'`]+)/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      const { status } = await client.get(path.replace('=ID', `=${accountId}`));
      expect([path, status]).toEqual([path, 200]);
    }
  });
});

describe('docs/use/webhooks.md', () => {
  it('the command of docs/use/webhooks.md adds a webhook, and its receiver gets messages', async () => {
    const guide = readFileSync('docs/use/webhooks.md', 'utf8');
    const [, command = ''] = /```sh\n(.*?)```/s.exec(guide)!;
    const [, receiver = ''] = /```js\n(.*?)```/s.exec(guide)!;
    // The receiver goes by the clock on the wall.
    const tidemark = await startTestApp(LOCAL_PROVIDER, new StillClock(new Date()));
    afterThisTest(tidemark.stop);
    const client = await createClient(tidemark);
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-receiver-'));
    afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
    await installPackedClient(folder);
    writeFileSync(join(folder, 'receiver.mjs'), receiver);

    const port = await freePort();
    const address = `http://127.0.0.1:${port}/tidemark`;
    const asked = command
      .replace('http://127.0.0.1:3000', tidemark.url)
      .replace('https://hooks.example/tidemark', address);
    const { stdout } = await run('sh', ['-c', asked], { env: { ...process.env, KEY: client.key } });
    const { secret } = JSON.parse(stdout) as { secret: string };
    const env = { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRETS: secret };
    const program = new Running(spawn(process.execPath, ['receiver.mjs'], { cwd: folder, env }));
    afterThisTest(() => program.child.kill('SIGKILL'));
    const forged = () => fetch(address, { method: 'POST', body: '{"type":"balances.changed"}' }).catch(() => null);
    expect((await until(forged, 'listening')).status).toBe(400);

    const connection = await createConnection(tidemark, client.userId);
    await writeSnapshot(tidemark, connection, snapshotAccount({ balance: balance(410_221) }));
    const [, cursor = ''] = await program.line(/balances\.changed \{\s*cursor: '([^']+)',\s*account_ids: \[/);
    expect((await client.get(`/api/v1/changes?cursor=${cursor}`)).body.changes.length).toBeGreaterThan(0);
    const { body } = await client.get('/api/v1/webhooks');
    const delivered = await until(async () => {
      const { body: told } = await client.get(`/api/v1/webhooks/${body.webhooks[0].id}/deliveries`);
      return told.deliveries[0].status === 'pending' ? null : told.deliveries[0];
    }, 'delivered');
    expect(delivered).toMatchObject({ status: 'delivered', response_status: 204 });
  });
});
