import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const run = promisify(execFile);
const COLLECTION = 'docs/bruno';
const TOOLS = 'test/bruno-tools';

interface Result {
  name: string;
  response: { status: number };
  assertionResults: { status: string; lhsExpr: string }[];
}

describe('Bruno collection', () => {
  it('the Bruno collection runs unchanged against the service', async () => {
    const tidemark = await startTestApp({ ROLE: 'api' });
    afterThisTest(tidemark.stop);
    const client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const transactions = [transaction('2025-10-10', 1_000), transaction('2026-03-14', -64_20)];
    await writeSnapshot(tidemark, connection, snapshotAccount({ balance: balance(410_221), transactions }));

    await run(process.execPath, ['test/document-tools/install.mjs', TOOLS]);
    const folder = mkdtempSync(join(tmpdir(), 'tidemark-bruno-'));
    afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
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
