import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { addDays } from '../../src/platform/time/calendar-date.js';
import { freshApiKey } from '../../sandbox/global-provider/api-key.js';
import { freshSetupToken } from '../../sandbox/us-provider/setup-token.js';
import {
  createClient,
  LOCAL_PROVIDER,
  startTestApp,
  StillClock,
  type TestApp,
  type TestClient,
} from '../support/app.js';
import { afterThisTest } from '../support/after-this-test.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { freePort } from '../support/free-port.js';
import { installPackedClient } from '../support/packed-client.js';
import { Running } from '../support/run-process.js';
import { until } from '../support/syncs.js';

const run = promisify(execFile);

/** In the place of SQLite's own program, which a machine may lack. */
const SQLITE3 = `#!/usr/bin/env -S node --no-warnings
const [, , file, sql] = process.argv;
console.log(new (require('node:sqlite').DatabaseSync)(file).prepare(sql).all());
`;

/** What other suites run, and what needs another machine. A command is known by its beginning. */
const ELSEWHERE: Record<string, string> = {
  'npm ci && npm run demo': 'test/slow/demo.e2e-spec.ts',
  'npm ci && npm test': '.ci/run',
  'npm start': 'test/slow/entry-points.e2e-spec.ts',
  'npm run --silent cli -- user:create': 'test/slow/entry-points.e2e-spec.ts',
  'npm run --silent cli -- key:create': 'test/slow/entry-points.e2e-spec.ts',
  'SANDBOX=1 ': 'test/slow/demo.e2e-spec.ts',
  'tidemark backup': 'test/slow/modules/backup.e2e-spec.ts',
  'tidemark restore': 'test/slow/modules/backup.e2e-spec.ts',
  'DATABASE_URL=postgresql://… APP_SECRET="$(cat .data/app-secret)" tidemark restore':
    'test/slow/modules/backup.e2e-spec.ts',
  'tidemark doctor': 'test/slow/doctor.e2e-spec.ts',
  'tidemark key:rotate': 'test/auth/api-keys.e2e.ts',
  'duckdb ': 'test/long/other-programs.e2e-spec.ts',
  'curl -s http://127.0.0.1:3000/api/v1/webhooks': 'test/slow/documented-commands.e2e-spec.ts',
  // These need Docker: the test only reads compose.yaml and the Dockerfile.
  'docker ': 'test/operate/packaging.spec.ts',
  "printf 'ALLOWED_HOSTS": 'test/operate/packaging.spec.ts',
};
const PAGES = ['README.md', ...readdirSync('docs/use').map((name) => `docs/use/${name}`)].filter((path) =>
  path.endsWith('.md'),
);

/** The record that a command makes or a list names, for the commands after it. */
const LEARNED: [RegExp, string, string][] = [
  [/cursor=first/, 'NEXT_CURSOR', 'next_cursor'],
  [/\/changes\?.*limit/, 'CURSOR', 'cursor'],
  [/-F file=/, 'IMPORT', 'id'],
  [/statements".*-d/s, 'STATEMENT', 'id'],
  [/"Our house"/, 'HOUSE', 'id'],
  [/us\/create"? /, 'SETUP_TOKEN', 'setup_token'],
];

/** Fails where the service refuses, and keeps the answer. */
const HEAD = `
  set -Eeu
  trap 'echo "failed: $BASH_COMMAND" >&2; cat last >&2' ERR
  curl() { command curl --fail-with-body --silent --show-error "$@" > last; cat last; }
  member() { node -p "JSON.parse(fs.readFileSync('last', 'utf8'))['$1']"; }
`;

/** The commands of a page: the lines of its blocks of `sh`, with what is continued. */
function commandsOf(page: string): string[] {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(([, text]) => text!);
  const lines = blocks.flatMap((text) => text.replaceAll('\\\n', '\\\0').split('\n'));
  return lines
    .filter((line) => line && !/^(#|export |[A-Z_]+=\S+$)/.test(line))
    .map((line) => line.replaceAll('\0', '\n'));
}

const isElsewhere = (command: string) => Object.keys(ELSEWHERE).some((beginning) => command.startsWith(beginning));
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe('README.md and docs/use', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let folder: string;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    const bank = await startTestApp({ SANDBOX: '1', ROLE: 'api' });
    folder = mkdtempSync(join(tmpdir(), 'tidemark-commands-'));
    const rates = join(folder, 'rates.csv');
    writeFileSync(rates, 'Date,USD\n2026-03-13,1.0823\n2026-03-12,1.0850\n');
    const GLOBALPROVIDER_BASE_URL = `${bank.url}/sandbox/global/api/v1`;
    tidemark = await startTestApp({ ...LOCAL_PROVIDER, SANDBOX: '1', RATES_URL: rates, GLOBALPROVIDER_BASE_URL });
    stop = () => Promise.all([tidemark.stop(), bank.stop()]);
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    const days = Array.from({ length: 101 }, (_, index) => addDays('2026-03-14', -index));
    const transactions = days.map((day) => transaction(day, -1_00));
    const { accountId } = await writeSnapshot(
      tidemark,
      connection,
      snapshotAccount({ balance: balance(410_221), transactions }),
    );
    const debt = snapshotAccount({
      name: 'Visa',
      externalId: 'visa',
      balance: balance(-20_000),
      suggestedType: 'credit_card',
    });
    await writeSnapshot(tidemark, connection, debt);
    const { body } = await client.get('/api/v1/transactions');
    symlinkSync(resolve('examples'), join(folder, 'examples'));
    writeFileSync(join(folder, '2019.csv'), 'Date,Amount,Text\n2019-01-02,-4.50,Bakery\n2019-01-20,-13.00,Books\n');
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'bin/sqlite3'), SQLITE3, { mode: 0o755 });
    const path = [join(folder, 'bin'), dirname(process.execPath), process.env['PATH']].join(':');
    env = { PATH: path, URL: tidemark.url, KEY: client.key, ACCOUNT: accountId, TRANSACTION: body.transactions[0].id };
  });
  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  let stop: () => Promise<unknown>;

  it('every command of README.md and docs/use is run by a test', () => {
    const commands = PAGES.flatMap(commandsOf);
    const unknown = Object.keys(ELSEWHERE).filter(
      (beginning) => !commands.some((command) => command.startsWith(beginning)),
    );
    expect(unknown).toEqual([]);
    expect(Object.values(ELSEWHERE).filter((suite) => !existsSync(suite))).toEqual([]);
    expect(commands.filter((command) => !isElsewhere(command)).length).toBeGreaterThan(40);
  });

  it.each(PAGES.filter((page) => commandsOf(page).some((command) => !isElsewhere(command))))(
    'the commands of %s work one after the other',
    async (page) => {
      const commands = commandsOf(page).filter((command) => !isElsewhere(command));
      const lines = commands.flatMap((command) => [
        command
          .replaceAll('http://127.0.0.1:3000', tidemark.url)
          .replace('"setup_token":"…"', `"setup_token":"${freshSetupToken(tidemark.url, 'healthy')}"`)
          .replace('"api_key":"…"', `"api_key":"${freshApiKey('healthy')}"`),
        ...LEARNED.filter(([pattern]) => pattern.test(command)).map(
          ([, name, member]) => `${name}=$(member ${member})`,
        ),
      ]);
      await run('bash', ['-c', [HEAD, ...lines].join('\n')], { cwd: folder, env, maxBuffer: 100_000_000 });
    },
  );

  it('the requests that docs/use/api.md gives to other programs work', async () => {
    const text = readFileSync('docs/use/api.md', 'utf8');
    const paths = [...text.matchAll(/http:\/\/tidemark:3000(\/api\/v1\/[^\s`]+)/g)].map(([, path]) => path!);
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) {
      const { status } = await client.get(path.replace('=ID', `=${env['ACCOUNT']}`));
      expect([path, status]).toEqual([path, 200]);
    }
  });

  (hasPython ? it : it.skip)('the Python of docs/use/api.md adds up balances, debts with their sign', async () => {
    const [, program = ''] = /```python\n(.*?)```/s.exec(readFileSync('docs/use/api.md', 'utf8'))!;
    const { stdout } = await run('python3', ['-c', program], { env });
    const { body } = await client.get('/api/v1/balances?start_date=2026-03-14&end_date=2026-03-14&currency=USD');
    const sum = body.balances.reduce(
      (total: number, row: { balance_cents: number; flows_factor: number }) =>
        total + row.balance_cents * row.flows_factor,
      0,
    );
    expect(body.balances.map((row: { flows_factor: number }) => row.flows_factor)).toContain(-1);
    expect(stdout.split('\n')).toContain(`2026-03-14 USD ${sum}`);
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
