import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { KINDS, listed } from '../support/copy.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const run = promisify(execFile);

describe('the SQLite mirror example', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;
  let file: string;

  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-mirror-'));
    afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
    file = join(folder, 'copy.sqlite');
  });

  const mirror = () =>
    run(process.execPath, ['--no-warnings', 'examples/mirror/mirror.mjs', file], {
      env: { PATH: process.env['PATH'], TIDEMARK_URL: tidemark.url, TIDEMARK_KEY: client.key },
    });

  function inCopy<Row>(statement: string, ...values: string[]): Row[] {
    const copy = new DatabaseSync(file);
    try {
      return copy.prepare(statement).all(...values) as Row[];
    } finally {
      copy.close();
    }
  }

  async function isWhatTheListsSay(): Promise<void> {
    for (const kind of KINDS) {
      const rows = inCopy<{ record: string }>('select record from records where type = ?', kind);
      expect([kind, rows.map(({ record }) => record).sort()]).toEqual([kind, await listed(client, kind)]);
    }
  }

  const write = (name: string, rows: ReturnType<typeof transaction>[]) =>
    writeSnapshot(
      tidemark,
      connection,
      snapshotAccount({ name, externalId: name, balance: balance(410_221), transactions: rows }),
    );

  it('the SQLite mirror has the same records as the lists, at first and after every change', async () => {
    const rows = [transaction('2026-02-10', 1_000), transaction('2026-03-01', -64_20), transaction('2026-03-14', -1)];
    await write('Checking', rows);
    const { accountId } = await write('Savings', [transaction('2026-03-02', 5_000)]);
    expect((await mirror()).stdout).toMatch(/^\d+ records\n$/);
    await isWhatTheListsSay();
    const total = 'select sum(balance_cents) as total from balances where date = ? and account = ?';
    expect(inCopy(total, '2026-03-15', 'Checking')).toEqual([{ total: 410_221 }]);
    const signs = 'select distinct account_type, flows_factor from balances where account_id = ?';
    expect(inCopy(signs, accountId)).toEqual([{ account_type: 'depository', flows_factor: 1 }]);

    await write('Checking', [...rows, transaction('2026-01-05', 700)]);
    await client.patch(`/api/v1/accounts/${accountId}`, { name: 'Rainy days' });
    await mirror();
    await isWhatTheListsSay();

    await client.delete(`/api/v1/connections/${connection.id}?purge=true`);
    await mirror();
    await isWhatTheListsSay();
    expect(inCopy('select * from balances')).toEqual([]);
  });

  it('the SQLite mirror starts again when its cursor is refused', async () => {
    await write('Checking', [transaction('2026-02-10', 1_000)]);
    await mirror();
    const stranger = await createClient(tidemark);
    const { body } = await stranger.get('/api/v1/changes');
    const copy = new DatabaseSync(file);
    copy.prepare('update feed set cursor = ?').run(body.cursor as string);
    copy.close();
    await mirror();
    await isWhatTheListsSay();
  });

  it('the SQLite mirror exits with the error message of the service', async () => {
    client = await createClient(tidemark, { scopes: [] });
    await expect(mirror()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('403 This API key lacks every scope that reads records.'),
    });
  });
});
