import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { secretsOf } from '../../src/platform/config/app-secret.js';
import { Secret } from '../../src/platform/config/secret.js';
import type { DoctorAnswer } from '../../src/operate/doctor/check.js';
import { CredentialVault } from '../../src/platform/vault/credential-vault.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createEmptyDatabase, createTestDatabase, onServer, type TestDatabase } from '../support/database.js';
import { postgresProcesses } from '../support/postgres-processes.js';
import { run, Running, start } from '../support/run-process.js';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.js';

const APP_SECRET = 'a root secret for the tests of the doctor';

describe('doctor command', () => {
  let folder: string;
  let bank: ScriptedServer;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tidemark-doctor-'));
    bank = await startScriptedServer();
    bank.play(() => ({ status: 401 }));
  });
  afterAll(async () => {
    await bank.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    database = await createTestDatabase();
    afterThisTest(database.drop);
  });

  const environment = (more: NodeJS.ProcessEnv = {}) => ({
    ...{ DATABASE_URL: database.url, APP_SECRET, PORT: '0', SYNC_CRON: 'off', LOG_LEVEL: 'silent' },
    // The usual server of the US provider is not to be asked by tests.
    ...{
      GLOBALPROVIDER_BASE_URL: bank.url,
      PROVIDER_ALLOW_PRIVATE_NETWORK: '1',
      USPROVIDER_ALLOWED_HOSTS: 'bank.example',
    },
    ...more,
  });

  async function query(text: string, values: unknown[] = []): Promise<void> {
    const session = new pg.Client(database.url);
    await session.connect();
    await session.query(text, values).finally(() => session.end());
  }

  async function examine(more: NodeJS.ProcessEnv = {}) {
    const { code, stdout, stderr } = await run('cli', ['doctor'], environment(more));
    const { checks } = JSON.parse(stdout) as DoctorAnswer;
    const badNames = checks.filter(({ ok }) => !ok).map(({ name }) => name);
    return {
      code,
      checks,
      badNames,
      table: stderr,
      of: (name: string) => checks.find((check) => check.name === name)!,
    };
  }

  it('the doctor reports no problem of a healthy installation, as a table and as JSON', async () => {
    const { code, checks, badNames, table } = await examine();
    expect([code, badNames]).toEqual([0, []]);
    const own = [
      ...['environment', 'database', 'rights', 'sessions', 'migrations', 'secret', 'clock', 'module events'],
      ...['provider global_provider', 'port'],
    ];
    // Beside those of modules.
    expect(checks.map(({ name }) => name).filter((name) => own.includes(name))).toEqual(own);
    const advices = checks.filter(({ advice }) => advice !== null);
    expect(table.trim().split('\n')).toHaveLength(checks.length + advices.length + 1);
    expect(table).toMatch(/^ok {3}database +PostgreSQL \d+/m);
    expect(table).toMatch(/All is well\.\n$/);
  });

  it('the doctor says that there is no database in a folder, and makes none', async () => {
    const dataDir = join(folder, 'elsewhere');
    const { code, of } = await examine({ DATABASE_URL: '', APP_SECRET: '', DATA_DIR: dataDir });
    expect([code, of('database').message]).toEqual([1, `There is none in ${dataDir}.`]);
    expect(existsSync(dataDir)).toBe(false);
  });

  it('the doctor starts the embedded database and stops it afterwards', async () => {
    const dataDir = join(folder, 'embedded');
    const install = { DATABASE_URL: '', APP_SECRET: '', DATA_DIR: dataDir };
    const service = start('main', [], environment(install));
    await service.line(/^listening on/m);
    service.child.kill('SIGTERM');
    await service.finished;
    const { code, of } = await examine(install);
    expect([code, of('migrations').ok]).toEqual([0, true]);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('the doctor names the port and the service that uses it', async () => {
    const service = start('main', [], environment());
    afterThisTest(() => service.child.kill('SIGKILL'));
    const [, port = ''] = await service.line(/^listening on .*:(\d+)$/m);
    expect((await examine({ PORT: port })).of('port').message).toBe(`Tidemark listens on ${port}.`);
    const other = createServer((socket) => socket.end('SSH-2.0\r\n'));
    afterThisTest(() => other.close());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const taken = String((other.address() as { port: number }).port);
    expect(await examine({ PORT: taken })).toMatchObject({ code: 1, badNames: ['port'] });
  });

  describe('problems found by the doctor', () => {
    it('the doctor reports that APP_SECRET is another one', async () => {
      await fillSealed();
      const { code, badNames, of, table } = await examine({ APP_SECRET: 'a root secret of somebody else' });
      expect([code, badNames]).toEqual([1, ['secret']]);
      expect(of('secret').message).toContain('APP_SECRET (connections: 1, webhook secrets: 1).');
      expect(of('secret').advice).toContain('Set APP_SECRET to it');
      expect(table).toMatch(/^BAD {2}secret/m);
    });

    it('the doctor reports that a provider cannot be reached', async () => {
      const { code, badNames } = await examine({ GLOBALPROVIDER_BASE_URL: 'http://127.0.0.1:1/' });
      expect([code, badNames]).toEqual([1, ['provider global_provider']]);
    });

    it('the doctor reports that the database encoding cannot store every character', async () => {
      const { badNames, of } = await examine(await inLatin1());
      expect([badNames, of('database').message]).toEqual([['database'], 'The database has the encoding LATIN1.']);
      expect(of('database').advice).toContain(`create database tidemark template template0 encoding 'UTF8'`);
    });

    it('the doctor reports that a newer version has used the database', async () => {
      await query(`insert into migrations (name) values ('Migration29990101000000Future')`);
      expect(await examine()).toMatchObject({ code: 1, badNames: ['migrations'] });
    });

    it('the doctor reports that the database cannot be reached and continues with other checks', async () => {
      const { code, badNames, checks } = await examine({ DATABASE_URL: 'postgresql://127.0.0.1:1/none' });
      expect([code, badNames]).toEqual([1, ['database']]);
      expect(checks.map(({ name }) => name)).toContain('port');
    });

    it('the doctor reports that a folder cannot be written', async () => {
      writeFileSync(join(folder, 'file'), '');
      const { badNames } = await examine({ DATABASE_URL: '', APP_SECRET: '', DATA_DIR: join(folder, 'file') });
      expect(badNames).toEqual(['data directory', 'database']);
    });

    it('the doctor reports invalid and misspelt environment variables', async () => {
      const misspelt = await examine({ PROVIDER_TIMEOUT: '5000' });
      expect(misspelt.of('environment').message).toContain('PROVIDER_TIMEOUT (is it PROVIDER_TIMEOUT_MS?)');
      const wrong = await examine({ PORT: 'http' });
      expect([wrong.code, wrong.checks]).toEqual([
        1,
        [expect.objectContaining({ name: 'environment', message: expect.stringContaining('PORT must be') })],
      ]);
    });
  });

  describe('failed starts', () => {
    it.each<[string, () => Promise<NodeJS.ProcessEnv>, RegExp]>([
      ['the database is read-only', readOnly, /^The database is read-only: name the primary/],
      ['the database cannot store every letter', inLatin1, /^The database has the encoding LATIN1: .+ encoding 'UTF8'/],
      ['nothing may be created', withoutRights, /^The user stranger_\d+ may not create tables: run `grant create on /],
    ])('a failed start says why in one sentence when %s', async (_, arrange, sentence) => {
      const { code, stdout, stderr } = await run('main', [], environment(await arrange()));
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(sentence);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    });

    it('a failed start says in one sentence that only a part of the program was copied', async () => {
      const place = join(folder, 'copied');
      cpSync('dist', join(place, 'dist'), { recursive: true });
      cpSync('package.json', join(place, 'package.json'));
      symlinkSync(resolve('node_modules'), join(place, 'node_modules'));
      const { PATH, HOME } = process.env;
      const env = { PATH, HOME, ...environment() };
      const service = new Running(spawn(process.execPath, ['dist/src/main.js'], { cwd: place, env }));
      const { code, stdout, stderr } = await service.finished;
      expect([code, stdout]).toEqual([78, '']);
      expect(stderr).toBe(
        `${join(realpathSync(place), 'LICENSE')} is missing: the pages link to the license. Copy it there, too.\n`,
      );
    });

    it('a failed start lists a misspelt environment variable among the errors', async () => {
      const { code, stderr } = await run('main', [], { DATABSE_URL: database.url, PORT: 'http' });
      expect([code, stderr]).toEqual([78, expect.stringContaining('DATABSE_URL is not known; is it DATABASE_URL?')]);
    });

    async function readOnly(): Promise<NodeJS.ProcessEnv> {
      await onServer(
        `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = on`,
      );
      return {};
    }

    async function withoutRights(): Promise<NodeJS.ProcessEnv> {
      const name = `stranger_${process.pid}`;
      await onServer(`create role ${name} login`);
      afterThisTest(() => onServer(`drop role ${name}`));
      await query(`drop schema public, pgboss cascade; create schema public; grant usage on schema public to public`);
      const url = new URL(database.url);
      url.username = name;
      return { DATABASE_URL: url.href };
    }
  });

  it('a start warns about a misspelt environment variable', async () => {
    const service = start('main', [], environment({ LOG_LEVEL: 'warn', SYNC_CONCURENCY: '2' }));
    afterThisTest(() => service.child.kill('SIGKILL'));
    await service.line(/^listening on /m);
    expect(service.stderr).toContain('SYNC_CONCURENCY is not a variable of Tidemark: is it SYNC_CONCURRENCY?');
  });

  it('a start warns about an environment variable that only tests may set', async () => {
    const service = start('main', [], environment({ LOG_LEVEL: 'warn', PROVIDER_ALLOW_PRIVATE_NETWORK: '1' }));
    afterThisTest(() => service.child.kill('SIGKILL'));
    await service.line(/^listening on /m);
    expect(service.stderr).toContain('PROVIDER_ALLOW_PRIVATE_NETWORK=1: loopback and private addresses');
  });

  async function inLatin1(): Promise<NodeJS.ProcessEnv> {
    const { url, drop } = await createEmptyDatabase("encoding 'LATIN1' locale_provider libc locale 'C'");
    afterThisTest(drop);
    return { DATABASE_URL: url };
  }

  async function fillSealed(): Promise<void> {
    const vault = new CredentialVault(secretsOf([APP_SECRET]));
    await query(`insert into users (id, email, password_hash) values (gen_random_uuid(), 'a@b.c', '')`);
    await query(
      `insert into connections (user_id, id, provider, name, credential, credential_fingerprint)
       select id, gen_random_uuid(), 'us_provider', 'Bank', $1, 'x' from users`,
      [vault.seal(new Secret('anything'), 'anybody')],
    );
    await query(
      `with endpoint as (
         insert into webhook_endpoints (user_id, id, url, description, event_types, status, position, created_at)
         select id, gen_random_uuid(), 'https://hooks.example', '', '{sync.finished}', 'enabled', 0, now() from users
         returning user_id, id
       )
       insert into webhook_secrets (user_id, id, endpoint_id, credential, created_at)
       select user_id, gen_random_uuid(), id, $1, now() from endpoint`,
      [vault.seal(new Secret('whsec_anything'), 'anybody')],
    );
  }
});
