import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const run = promisify(execFile);
const COLLECTION = 'docs/bruno';
const TOOLS = 'test/program-tools';

interface Result {
  name: string;
  response: { status: number };
  assertionResults: { status: string; lhsExpr: string }[];
}

describe('other programs', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let folder: string;

  beforeAll(async () => {
    tidemark = await startTestApp({ ROLE: 'api' });
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const transactions = [transaction('2025-10-10', 1_000), transaction('2026-03-14', -64_20)];
    await writeSnapshot(tidemark, connection, snapshotAccount({ balance: balance(410_221), transactions }));
    await run(process.execPath, ['test/document-tools/install.mjs', TOOLS]);
    folder = mkdtempSync(join(tmpdir(), 'tidemark-programs-'));
  });
  afterAll(async () => {
    await tidemark.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('the query of docs/use/api.md for DuckDB reads the exported lines', async () => {
    const [, query = ''] = /^duckdb -c "(.*)"$/m.exec(readFileSync('docs/use/api.md', 'utf8'))!;
    const { body } = await client.get('/api/v1/balances', { Accept: 'application/x-ndjson' });
    writeFileSync(join(folder, 'balances.ndjson'), body);
    const program = `
      import { DuckDBInstance } from '${pathToFileURL(resolve(TOOLS, 'node_modules/@duckdb/node-api/lib/index.js')).href}';
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      const read = await connection.runAndReadAll(${JSON.stringify(query)});
      console.log(JSON.stringify(read.getRowObjectsJson()));`;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder });
    expect(JSON.parse(stdout)).toContainEqual({ date: '2026-03-14', currency: 'USD', cents: '410221' });
  });

  it('the Bruno collection runs unchanged against the service', async () => {
    const report = join(folder, 'report.json');
    const variables = ['--env-var', `url=${tidemark.url}`, '--env-var', `apiKey=${client.key}`];
    const command = [resolve(TOOLS, 'node_modules/.bin/bru'), 'run', '-r', '--env', 'local', ...variables];
    await run(process.execPath, [...command, '--reporter-json', report], { cwd: COLLECTION }).catch(
      ({ stdout, stderr }: { stdout: string; stderr: string }) => {
        throw new Error(stdout + stderr);
      },
    );

    const [{ results }] = JSON.parse(readFileSync(report, 'utf8')) as [{ results: Result[] }];
    const requests = readdirSync(COLLECTION).filter((name) => /^\d.*\.bru$/.test(name));
    expect(results).toHaveLength(requests.length);
    for (const { name, assertionResults } of results) {
      expect(assertionResults.length).toBeGreaterThan(1);
      expect([name, assertionResults.filter(({ status }) => status !== 'pass')]).toEqual([name, []]);
    }
  });
});
