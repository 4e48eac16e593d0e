import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { StartupError } from '../../src/platform/config/startup-error.js';
import { ensureCluster } from '../../src/database/embedded/cluster.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { findInstallation } from '../../src/database/embedded/installation.js';
import { connectToServer, readLockFile } from '../../src/database/embedded/server.js';
import { postgresProcesses } from '../support/postgres-processes.js';
import { copyPreparedCluster } from '../support/prepared-cluster.js';
import { run, type Running, start as startProgram, waitFor } from '../support/run-process.js';

describe('embedded PostgreSQL', () => {
  let root: string;
  let dataDir: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tidemark-embedded-'));
    dataDir = join(root, 'data');
  });
  afterEach(() => {
    for (const pid of postgresProcesses(dataDir)) kill(pid, 'SIGKILL');
    rmSync(root, { recursive: true, force: true, maxRetries: 20 });
  });

  const lockFile = () => join(dataDir, 'postgres', 'postmaster.pid');
  const postmaster = async () => (await readLockFile(join(dataDir, 'postgres')))?.pid;

  describe('start', () => {
    beforeEach(() => copyPreparedCluster(dataDir));

    const start = (folder = dataDir) => startEmbeddedPostgres({ dataDir: folder, durable: false });

    async function query(server: EmbeddedPostgres, text: string): Promise<unknown[]> {
      const { host, port, user, dbName } = server;
      const client = new pg.Client({ host, port, user, database: dbName });
      await client.connect();
      const { rows } = await client.query({ text, rowMode: 'array' });
      await client.end();
      return rows.flat();
    }

    it('the embedded PostgreSQL starts in an empty folder, needs no network, and keeps its data after a stop', async () => {
      rmSync(dataDir, { recursive: true });
      const first = await start();
      expect(await query(first, 'show listen_addresses')).toEqual(['']);
      expect(lstatSync(join(first.host, '.s.PGSQL.5432')).mode & 0o777).toBe(0o700);
      await query(first, 'create table kept as select 42 as answer');
      await first.stop();
      expect(postgresProcesses(dataDir)).toEqual([]);
      const second = await start();
      expect(await query(second, 'select answer from kept')).toEqual([42]);
      await second.stop();
    });

    it('the embedded PostgreSQL of two commands without a service goes on until the last of them ends', async () => {
      const command = () => startEmbeddedPostgres({ dataDir, durable: false, mayJoin: true });
      const [first, second] = [await command(), await command()];
      await first.stop();
      expect(await query(second, 'select 1')).toEqual([1]);
      await second.stop();
      expect(postgresProcesses(dataDir)).toEqual([]);
    });

    it('the embedded PostgreSQL starts over lock files of a killed server whose process id another program has', async () => {
      const first = await start();
      const files = [lockFile(), join(first.host, '.s.PGSQL.5432.lock')];
      const texts = files.map((file) => readFileSync(file, 'utf8'));
      await first.stop();
      for (const [index, file] of files.entries()) {
        writeFileSync(file, texts[index]!.replace(/^\d+/, String(process.ppid)));
      }
      mkdirSync(join(dataDir, 'postgres.new-1', 'base'), { recursive: true });
      const second = await start();
      expect(await query(second, 'select 1')).toEqual([1]);
      expect(readdirSync(dataDir)).not.toContain('postgres.new-1');
      await second.stop();
    });

    it('a start waits for the stop of an embedded PostgreSQL that is under way', async () => {
      const first = await start();
      const [session] = postgresProcesses(dataDir).slice(-1);
      const before = (await postmaster())!;
      kill(session!, 'SIGSTOP');
      kill(before, 'SIGINT');
      const second = start();
      await waitFor(() => readFileSync(join(first.host, 'log'), 'utf8').includes('is shutting down'), 'waiting');
      kill(session!, 'SIGCONT');
      expect(await query(await second, 'select 1')).toEqual([1]);
      expect(await postmaster()).not.toBe(before);
      await (await second).stop();
    });

    it('the embedded PostgreSQL ignores environment variables for other servers', async () => {
      process.env.PGSSLMODE = 'require';
      try {
        const server = await start();
        await server.stop();
      } finally {
        delete process.env.PGSSLMODE;
      }
    });

    it('the embedded PostgreSQL does not start on the files of another major version, and says so', async () => {
      writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
      await expect(start()).rejects.toThrow(
        /^The embedded PostgreSQL does not start: .*initialized by PostgreSQL version 17, which is not compatible/,
      );
    });

    it.each<[string, (cluster: string) => void, RegExp]>([
      [
        'cannot be read',
        (cluster) => symlinkSync(cluster, cluster),
        /^Cannot read \S+postgres \(ELOOP\): it must belong/,
      ],
      [
        'is not whole',
        (cluster) => (mkdirSync(cluster), writeFileSync(join(cluster, 'pg_hba.conf'), '')),
        /^\S+postgres has files, and no PostgreSQL database/,
      ],
    ])('the embedded PostgreSQL is not created again if its folder %s', async (_, change, sentence) => {
      const cluster = join(dataDir, 'postgres');
      rmSync(cluster, { recursive: true });
      change(cluster);
      await expect(start()).rejects.toThrow(sentence);
      expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.new'))).toEqual([]);
    });

    it('a start says that the programs of the embedded PostgreSQL cannot run here', async () => {
      const installation = await findInstallation(dataDir, false);
      const binaries = { initdb: '/none/initdb', postgres: '/none/postgres' };
      const broken = { ...installation, binaries, runAs: { ...installation.runAs, prefix: [] } };
      const { signal } = new AbortController();
      const sentence = /^The embedded PostgreSQL cannot run on this machine \(\/none\/\w+: ENOENT\)/;
      await expect(connectToServer(broken, signal)).rejects.toThrow(sentence);
      rmSync(join(dataDir, 'postgres'), { recursive: true });
      await expect(ensureCluster(broken, signal)).rejects.toThrow(sentence);
    });

    it('a start says what to do if the folder of the embedded PostgreSQL cannot be written, or its path is too long', async () => {
      writeFileSync(join(root, 'file'), '');
      await expect(start(join(root, 'file', 'data'))).rejects.toThrow(StartupError);
      await expect(start(join(root, 'file', 'data'))).rejects.toThrow(/set DATA_DIR to another folder/);
      await expect(start(join(root, 'x'.repeat(80)))).rejects.toThrow(
        / is too long for a socket: set DATA_DIR to a shorter/,
      );
    });
  });

  describe('service', () => {
    let prepared: string;
    let environment: NodeJS.ProcessEnv;
    let started: Running[];

    // A migrated cluster: to make one takes several seconds.
    beforeAll(async () => {
      prepared = mkdtempSync(join(tmpdir(), 'tidemark-prepared-'));
      await copyPreparedCluster(prepared);
      const { code, stderr } = await run('cli', ['sync:run'], { DATA_DIR: prepared, LOG_LEVEL: 'warn' });
      if (code !== 0) throw new Error(`no cluster could be prepared: ${stderr}`);
      expect(postgresProcesses(prepared)).toEqual([]);
    });
    afterAll(() => rmSync(prepared, { recursive: true, force: true, maxRetries: 20 }));
    beforeEach(() => {
      // Unlike cpSync, it keeps the owner and the mode that PostgreSQL insists on.
      execFileSync('cp', ['-a', prepared, dataDir]);
      environment = { DATA_DIR: dataDir, PORT: '0', SYNC_CRON: 'off', LOG_LEVEL: 'warn', SHUTDOWN_DRAIN_MS: '0' };
      started = [];
    });
    afterEach(async () => {
      for (const { child } of started) child.kill('SIGKILL');
      await Promise.all(started.map(({ finished }) => finished));
    });

    async function startService(): Promise<{ service: Running; url: string }> {
      const service = startProgram('main', [], environment);
      started.push(service);
      const [, url = ''] = await service.line(/^listening on (.*)$/m);
      return { service, url };
    }

    async function expectStopped({ service }: { service: Running }): Promise<void> {
      service.child.kill('SIGTERM');
      expect((await service.finished).code).toBe(0);
      expect(postgresProcesses(dataDir)).toEqual([]);
    }

    const statusOf = async (url: string) => (await fetch(`${url}/health/ready`)).status;

    it('a second service on the same DATA_DIR stops with one sentence and 78, and the first one serves on', async () => {
      const first = await startService();
      expect(await run('main', [], environment)).toEqual({
        code: 78,
        stdout: '',
        stderr: `Another Tidemark uses ${dataDir}: stop it, or set DATA_DIR to another folder.\n`,
      });
      expect(await statusOf(first.url)).toBe(200);
      await expectStopped(first);
    });

    it('a command beside a service leaves its PostgreSQL running, and one without a service stops what it started', async () => {
      const service = await startService();
      const before = await postmaster();
      expect(await run('cli', ['sync:run'], environment)).toMatchObject({ code: 0 });
      expect([await postmaster(), await statusOf(service.url)]).toEqual([before, 200]);
      await expectStopped(service);
      expect(await run('cli', ['sync:run'], environment)).toMatchObject({ code: 0 });
      expect(postgresProcesses(dataDir)).toEqual([]);
    });

    it('the next start after kill -9 of a service takes over its PostgreSQL at once and stops it in the end', async () => {
      const killed = await startService();
      const before = await postmaster();
      killed.service.child.kill('SIGKILL');
      await killed.service.finished;
      const next = await startService();
      expect([await postmaster(), await statusOf(next.url)]).toEqual([before, 200]);
      await expectStopped(next);
    });

    it('a service whose PostgreSQL dies ends with 1 and names its log, and the next start serves again', async () => {
      const { service } = await startService();
      kill((await postmaster())!, 'SIGKILL');
      const { code, stderr } = await service.finished;
      expect(code).toBe(1);
      expect(stderr).toContain(`The embedded PostgreSQL died: see its log, ${dataDir}/socket/log.\n`);
      await expectStopped(await startService());
    });
  });
});

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
