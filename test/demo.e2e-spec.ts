import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { send } from './app.js';
import { type Running, start } from './run-process.js';

describe('the demo', () => {
  let folder: string;
  let demo: Running;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-demo-'));
    demo = start('demo', [], { PORT: '0', DATA_DIR: folder });
  });
  afterAll(async () => {
    demo.child.kill('SIGTERM');
    await demo.finished;
    rmSync(folder, { recursive: true, force: true });
  });

  it('connects both providers of the sandbox while one watches, and hands over a key that works', async () => {
    const [, key = '', url = ''] = await demo.line(/curl -s -H 'X-Api-Key: (tm_\w+)' '(http:\/\/[^/]+)\//);
    const get = (path: string) => send(url + path, { headers: { 'X-Api-Key': key } });
    const { connections } = (await get('/api/v1/connections')).body;
    expect(connections).toHaveLength(2);
    const providers = connections.map((one: { provider: string; status: string }) => [one.provider, one.status]);
    expect(providers.sort()).toEqual([
      ['global_provider', 'active'],
      ['us_provider', 'active'],
    ]);
    const { body } = await get('/api/v1/accounts?per_page=100');
    const currencies = body.accounts.map(({ currency }: { currency: string }) => currency);
    expect(currencies).toHaveLength(12);
    expect(new Set(currencies)).toEqual(new Set(['USD', 'EUR', 'GBP', 'JPY']));
    expect((await get('/api/v1/balances?per_page=1')).body.pagination.total_count).toBeGreaterThan(5_000);

    demo.child.kill('SIGINT');
    const { code, stdout, stderr } = await demo.finished;
    expect(code).toBe(0);
    expect(stdout).toContain('Connected the US provider');
    expect(stdout).toContain('Connected the global provider');
    expect(stderr.match(/12 accounts|6\/6 accounts/g)!.length).toBeGreaterThanOrEqual(2);
  });
});
