import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient, startTestApp, type TestApp, type TestClient } from './app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './factories.js';

const run = promisify(execFile);
const ROOT = resolve('.');
const STRICT = [
  '--strict',
  '--noUncheckedIndexedAccess',
  '--target',
  'es2022',
  '--module',
  'nodenext',
  '--types',
  'node',
];

describe('the typed client', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let folder: string;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const transactions = [transaction('2026-01-10', 1_000), transaction('2026-03-14', -64_20)];
    for (const name of ['Checking', 'Savings', 'Wallet'])
      await writeSnapshot(tidemark, connection, snapshotAccount({ name, balance: balance(410_221), transactions }));
    folder = mkdtempSync(join(tmpdir(), 'tidemark-client-'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const [, example] = /```ts\n(import createClient.*?)```/s.exec(readFileSync('README.md', 'utf8'))!;
    writeFileSync(join(folder, 'example.ts'), example!);
    const generator = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js');
    await run(process.execPath, [generator, 'docs/openapi.json', '--output', join(folder, 'tidemark.d.ts')]);
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await tidemark.stop();
  });

  it('accepts the example of the README', async () => {
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...STRICT, 'example.ts'], {
      cwd: folder,
    });
  });

  it('lists what the example asks for, all pages of it', async () => {
    const { stdout } = await run(process.execPath, ['example.js'], {
      cwd: folder,
      env: { ...process.env, TIDEMARK_URL: tidemark.url, TIDEMARK_KEY: client.key },
    });
    const { body } = await client.get('/api/v1/balances?start_date=2026-03-01&per_page=100');
    expect(body.pagination.total_count).toBe(45);
    expect(stdout.trim().split('\n')).toEqual(
      body.balances.map(
        ({ date, account, balance: text }: { date: string; account: { name: string }; balance: string }) =>
          [date, account.name, text].join(' '),
      ),
    );
  });
});
