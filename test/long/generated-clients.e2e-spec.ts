import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const run = promisify(execFile);
const TOOLS = resolve('test/document-tools/node_modules/.bin');
const DOCUMENT = resolve('docs/openapi.json');
const STRICT = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--skipLibCheck'];
const COMMON_JS = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--types', 'node', '--rootDir', '.'];

interface Generator {
  command: string[];
  /** Prints what `GET /api/v1/balances` says of the accounts `ids`. */
  program: string;
}

const GENERATORS: Record<string, Generator> = {
  'openapi-typescript': {
    command: ['openapi-typescript', DOCUMENT, '--output', 'api.ts'],
    program: `
      import createClient from 'openapi-fetch';
      import type { paths } from './api';
      const api = createClient<paths>({ baseUrl: url, headers: { 'X-Api-Key': key } });
      const ask = async () => {
        const { data } = await api.GET('/api/v1/balances', { params: { query: { account_id: ids.join(), sort: 'date' } } });
        return typeof data === 'object' ? data.balances : data;
      };`,
  },
  '@hey-api/openapi-ts': {
    command: ['openapi-ts', '-i', DOCUMENT, '-o', 'api', '-c', '@hey-api/client-fetch', '--silent', '--no-log-file'],
    program: `
      import { listBalances } from './api';
      import { client } from './api/client.gen';
      client.setConfig({ baseUrl: url, auth: () => key });
      const ask = async () => (await listBalances({ query: { account_id: ids.join(), sort: 'date' } })).data?.balances;`,
  },
  orval: {
    command: ['orval', '--input', DOCUMENT, '--output', 'api.ts', '--client', 'fetch'],
    program: `
      import { getListBalancesUrl, type BalanceCollection } from './api';
      const ask = async () => {
        const path = getListBalancesUrl({ account_id: ids.join(), sort: 'date' });
        const response = await fetch(url + path, { headers: { 'X-Api-Key': key } });
        return ((await response.json()) as BalanceCollection).balances;
      };`,
  },
  'swagger-typescript-api': {
    command: ['swagger-typescript-api', 'generate', '-p', DOCUMENT, '-o', '.', '-n', 'api.ts', '--silent'],
    program: `
      import { Api } from './api';
      const api = new Api({ baseUrl: url, baseApiParams: { headers: { 'X-Api-Key': key }, format: 'json' } });
      const ask = async () => (await api.api.listBalances({ account_id: ids.join(), sort: 'date' })).data.balances;`,
  },
};

const HEAD = `const [url = '', key = '', ...ids] = process.argv.slice(2);`;
const TAIL = `void ask().then((balances) => console.log(JSON.stringify(balances)));`;

describe('clients generated from the OpenAPI document', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let folder: string;
  const ids: string[] = [];

  const placeOf = (generator: string) => join(folder, generator.replaceAll(/\W+/g, '-'));
  const inFolder = (command: string, args: string[], cwd = folder) =>
    run(command, args, { cwd }).catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
      throw new Error(stdout + stderr);
    });

  beforeAll(async () => {
    tidemark = await startTestApp({ ROLE: 'api' });
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    for (const name of ['Checking', 'Savings', 'Wallet']) {
      const account = snapshotAccount({
        name,
        balance: balance(1_000),
        transactions: [transaction('2026-03-10', -500)],
      });
      ids.push((await writeSnapshot(tidemark, connection, account)).accountId);
    }
    await run(process.execPath, ['test/document-tools/install.mjs']);
    folder = mkdtempSync(join(tmpdir(), 'tidemark-generated-'));
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{}');
    const programs: string[] = [];
    for (const [name, { command, program }] of Object.entries(GENERATORS)) {
      const place = placeOf(name);
      mkdirSync(place);
      const [tool = '', ...options] = command;
      await inFolder(join(TOOLS, tool), options, place);
      programs.push(join(place, 'program.ts'));
      writeFileSync(programs.at(-1)!, [HEAD, program, TAIL].join('\n'));
    }
    // All at once: most of a compilation is reading the types of the browser and of Node.js.
    await inFolder(join(TOOLS, 'tsc'), [...STRICT, ...COMMON_JS, ...programs]);
  });
  afterAll(async () => {
    await tidemark.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.keys(GENERATORS))('a generated client compiles and filters by several accounts: %s', async (name) => {
    const two = ids.slice(0, 2);
    const { stdout } = await inFolder(
      process.execPath,
      ['program.js', tidemark.url, client.key, ...two],
      placeOf(name),
    );
    const { body } = await client.get(`/api/v1/balances?account_id=${two.join()}&sort=date`);
    expect(new Set(body.balances.map(({ account }: { account: { id: string } }) => account.id))).toEqual(new Set(two));
    expect(JSON.parse(stdout)).toEqual(body.balances);
  });
});
