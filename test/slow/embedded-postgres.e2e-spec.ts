import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
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
import { clientConfig } from '../../src/database/address.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/database/embedded/embedded-postgres.js';
import { ensureCluster } from '../../src/database/embedded/cluster.js';
import { findInstallation } from '../../src/database/embedded/installation.js';
import { Lease } from '../../src/database/embedded/lease.js';
import { startServer } from '../../src/database/embedded/server.js';
import { commandFromPs, lockHolder, readPostmasterPid } from '../../src/database/embedded/postmaster-pid.js';
import { StartupError } from '../../src/config/startup-error.js';
import { afterThisTest } from '../support/after-this-test.js';
import { postgresProcesses } from '../support/postgres-processes.js';
import { copyPreparedCluster } from '../support/prepared-cluster.js';
import { Running, waitFor } from '../support/run-process.js';

describe('embedded PostgreSQL', () => {
  let root: string;
  let dataDir: string;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'tidemark-embedded-'));
    dataDir = join(root, 'data');
    await copyPreparedCluster(dataDir);
  });
  const children: Running[] = [];

  afterEach(async () => {
    for (const { child } of children) child.kill('SIGKILL');
    await Promise.all(children.splice(0).map(({ finished }) => finished));
    const left = await readPostmasterPid(join(dataDir, 'postgres'));
    if (left?.pid) process.kill(left.pid, 'SIGQUIT');
    rmSync(root, { recursive: true, force: true, maxRetries: 20 });
  });

  const start = (folder = dataDir) => startEmbeddedPostgres({ dataDir: folder, durable: false });
  const running = (folder = dataDir) => readPostmasterPid(join(folder, 'postgres'));

  async function query(server: EmbeddedPostgres, text: string): Promise<unknown[]> {
    const client = new pg.Client({ host: server.host, port: server.port, user: server.user, database: server.dbName });
    await client.connect();
    const { rows } = await client.query({ text, rowMode: 'array' });
    await client.end();
    return rows.flat();
  }

  /** A session that stays open, and the process of the server that has it. */
  async function session({ host, port, user, dbName }: EmbeddedPostgres): Promise<{ pid: number }> {
    const client = new pg.Client({ host, port, user, database: dbName });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return rows[0]!;
  }

  /** Another process that uses the data directory until it is killed. */
  async function otherProcess(): Promise<Running> {
    const script = `
      const { startEmbeddedPostgres } = await import('./dist/database/embedded/embedded-postgres.js');
      await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, durable: false });
      console.log('ready');
      setInterval(() => {}, 1000);`;
    const other = keep(new Running(spawn(process.execPath, ['--input-type=module', '-e', script])));
    await other.line(/ready/);
    return other;
  }

  function keep(running: Running): Running {
    children.push(running);
    return running;
  }

  /** A process that has nothing to do with PostgreSQL, and one of its that is dead and not collected. */
  async function strangers(): Promise<{ living: number; dead: number }> {
    // What the shell becomes does not know that it has a child, which ends once that is so.
    const child = 'while grep -q "^sh$" /proc/$$/comm; do sleep 0.05; done';
    const shell = keep(new Running(spawn('sh', ['-c', `(${child}) & echo dead=$!; exec sleep 600`])));
    const [, dead] = await shell.line(/dead=(\d+)/);
    await waitFor(() => readFileSync(`/proc/${dead}/stat`, 'utf8').includes(') Z '), 'dead');
    return { living: shell.child.pid!, dead: Number(dead) };
  }

  /** What a server that was cut off leaves, with the number of a process of now. */
  async function leaveLockFiles(pid: number): Promise<void> {
    const server = await start();
    const files = [join(dataDir, 'postgres', 'postmaster.pid'), join(server.host, '.s.PGSQL.5432.lock')];
    const texts = files.map((file) => readFileSync(file, 'utf8'));
    await server.stop();
    for (const [index, file] of files.entries()) writeFileSync(file, texts[index]!.replace(/^\d+/, String(pid)));
  }

  it('the embedded PostgreSQL starts in an empty folder, needs no network, and keeps its data after a stop', async () => {
    rmSync(dataDir, { recursive: true });
    const first = await start();
    expect(first.startedHere).toBe(true);
    expect(await query(first, 'show listen_addresses')).toEqual(['']);
    await query(first, 'create table kept as select 42 as answer');
    await first.stop();
    expect(await running()).toBeNull();
    const second = await start();
    expect(await query(second, 'select answer from kept')).toEqual([42]);
    await second.stop();
  });

  it('the embedded PostgreSQL of a killed process is adopted with all data by the next process, which stops it', async () => {
    const other = await otherProcess();
    const before = await running();
    other.child.kill('SIGKILL');
    await other.finished;
    const adopted = await start();
    expect(adopted.startedHere).toBe(false);
    expect((await running())?.pid).toBe(before?.pid);
    // On a busy machine the server sees a moment later that the killed one is gone.
    const leases = `select count(*)::integer as answer from pg_stat_activity where application_name = 'tidemark lease'`;
    await waitFor(async () => (await query(adopted, leases))[0] === 1, 'without the lease of the killed process');
    await adopted.stop();
    expect(await running()).toBeNull();
  });

  it('the embedded PostgreSQL of a running process is shared and left running', async () => {
    const other = await otherProcess();
    const beside = await start();
    expect(beside.startedHere).toBe(false);
    await beside.stop();
    expect(await running()).not.toBeNull();
    other.child.kill('SIGKILL');
    await other.finished;
  });

  it('the embedded PostgreSQL is stopped despite a statement left by another process of Tidemark', async () => {
    const { stop, host, port, user, dbName } = await start();
    const left = new pg.Client(clientConfig({ host, port, user, dbName }));
    left.on('error', () => undefined);
    await left.connect();
    const statement = left.query('select pg_sleep(600)').catch((error: Error) => error.message);
    await stop();
    expect(await running()).toBeNull();
    expect(await statement).toMatch('terminat');
  });

  it('the embedded PostgreSQL is not stopped while another client uses it', async () => {
    const server = await start();
    const client = new pg.Client({ host: server.host, port: server.port, user: server.user, database: server.dbName });
    await client.connect();
    await server.stop();
    expect(await running()).not.toBeNull();
    await client.end();
    await server.stop();
    expect(await running()).toBeNull();
  });

  it('the embedded PostgreSQL starts despite files of a dead server and deletes those of a killed start', async () => {
    mkdirSync(join(dataDir, 'postgres.new-1', 'base'), { recursive: true });
    const first = await start();
    expect(readdirSync(dataDir)).not.toContain('postgres.new-1');
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const text = readFileSync(file, 'utf8');
    await first.stop();
    writeFileSync(file, text, { mode: 0o644 });
    expect(await running()).toBeNull();
    const second = await start();
    expect(second.startedHere).toBe(true);
    await second.stop();
  });

  it.each(['living', 'dead'] as const)(
    'the embedded PostgreSQL starts over lock files that name a %s process of another kind',
    async (kind) => {
      const { [kind]: pid } = await strangers();
      await leaveLockFiles(pid);
      expect(() => process.kill(pid, 0)).not.toThrow();
      const server = await start();
      expect(server.startedHere).toBe(true);
      expect(await query(server, 'select 1')).toEqual([1]);
      await server.stop();
    },
  );

  it('the embedded PostgreSQL recognizes its server by another path to its folder and keeps its lock file', async () => {
    const first = await start();
    const link = join(root, 'link');
    symlinkSync(dataDir, link);
    const second = await start(link);
    expect([second.startedHere, (await running(link))?.pid]).toEqual([false, (await running())?.pid]);
    await second.stop();
    expect(await query(first, 'select 1')).toEqual([1]);
    await first.stop();
  });

  it('the embedded PostgreSQL distinguishes its server from others also if only ps is available', async () => {
    const { living, dead } = await strangers();
    const server = await start();
    const { pid } = (await running())!;
    expect(await commandFromPs(pid!)).toContain(` -D ${join(dataDir, 'postgres')} `);
    expect(await commandFromPs(living)).toBe('sleep 600');
    expect(await commandFromPs(dead)).toBe('');
    expect(await lockHolder(pid!, join(root, 'elsewhere'))).not.toBe('server');
    await server.stop();
  });

  it('two concurrent starts start the embedded PostgreSQL once, and the last stop stops it', async () => {
    rmSync(dataDir, { recursive: true });
    const [one, two] = await Promise.all([start(), start()]);
    expect([one.startedHere, two.startedHere].sort()).toEqual([false, true]);
    await one.stop();
    expect(await query(two, 'select 1')).toEqual([1]);
    await two.stop();
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('a start waits for the embedded PostgreSQL that another process is just starting', async () => {
    const server = await start();
    const lockFile = join(dataDir, 'postgres', 'postmaster.pid');
    const text = readFileSync(lockFile, 'utf8');
    // A server writes these lines first, and where it listens a moment later.
    const [pid, folder, startedAt, port] = text.split('\n');
    writeFileSync(lockFile, `${[pid, folder, startedAt, port].join('\n')}\n`);
    expect(await running()).toEqual({ pid: Number(pid), socketDir: '', port: Number(port), ready: false });
    writeFileSync(lockFile, text);
    await server.stop();
  });

  it('a start waits while the embedded PostgreSQL recovers from a killed backend', async () => {
    const server = await start();
    const sessions = await Promise.all([session(server), session(server)]);
    const [frozen, killed] = sessions.map(({ pid }) => pid) as [number, number];
    // The server gives a process that does not end five seconds, and accepts no sessions meanwhile.
    process.kill(frozen, 'SIGSTOP');
    process.kill(killed, 'SIGKILL');
    const isRecovering = async () => {
      const outcome = await session(server).catch((error: Error) => error);
      return 'code' in outcome && outcome.code === '57P03';
    };
    await waitFor(isRecovering, 'not in recovery');
    const another = await start();
    expect(await query(another, 'select 1')).toEqual([1]);
    await another.stop();
    await server.stop();
  });

  it('concurrent stops stop the embedded PostgreSQL with the last of them', async () => {
    const servers = [await start(), await start(), await start()];
    await Promise.all(servers.map((server) => server.stop()));
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('the embedded PostgreSQL works in a path that is too long for a socket', async () => {
    dataDir = join(root, 'x'.repeat(120), 'data');
    mkdirSync(dataDir, { recursive: true });
    await copyPreparedCluster(dataDir);
    const server = await start();
    expect(Buffer.byteLength(server.host)).toBeLessThanOrEqual(90);
    expect(await query(server, 'select 1')).toEqual([1]);
    await server.stop();
    expect(await running()).toBeNull();
  });

  it.each<readonly [string, (socketDir: string) => void]>([
    ['that everybody may enter', (socketDir) => (mkdirSync(socketDir), chmodSync(socketDir, 0o777))],
    ['that leads elsewhere', (socketDir) => symlinkSync(root, socketDir)],
    // Only root can give one away.
    ...(process.getuid?.() === 0 ? [['of somebody else', makeOfAnother] as const] : []),
  ])('the embedded PostgreSQL does not start over a socket folder %s', async (_, makeBefore) => {
    dataDir = join(root, 'x'.repeat(120), 'data');
    const { socketDir } = await findInstallation(dataDir, false);
    makeBefore(socketDir);
    afterThisTest(() => rmSync(socketDir, { recursive: true }));
    const before = lstatSync(root);
    await expect(start()).rejects.toThrow(
      `Others may reach the embedded PostgreSQL through ${socketDir}: remove it, or set DATA_DIR to another folder.`,
    );
    expect(postgresProcesses(dataDir)).toEqual([]);
    expect(lstatSync(root)).toMatchObject({ uid: before.uid, mode: before.mode });
  });

  it('the socket of the embedded PostgreSQL is accessible only to its own user', async () => {
    const server = await start();
    expect(lstatSync(join(server.host, '.s.PGSQL.5432')).mode & 0o777).toBe(0o700);
    await server.stop();
  });

  it('the embedded PostgreSQL is not started twice if its process is invisible, as in another container', async () => {
    const first = await start();
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const text = readFileSync(file, 'utf8');
    const { living } = await strangers();
    writeFileSync(file, text.replace(/^\d+/, String(living)));
    const second = await start();
    expect([second.startedHere, await query(second, 'select 1')]).toEqual([false, [1]]);
    await first.stop();
    await second.stop();
    expect(() => process.kill(living, 0)).not.toThrow();
    writeFileSync(file, text);
    const third = await start();
    expect(third.startedHere).toBe(false);
    await third.stop();
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('the embedded PostgreSQL stops without an error if its server dies at that moment', async () => {
    const server = await start();
    const kill = process.kill.bind(process);
    const spy = jest.spyOn(process, 'kill').mockImplementation((pid, signal) => {
      if (signal !== 'SIGINT') return kill(pid, signal);
      kill(pid, 'SIGQUIT');
      throw Object.assign(new Error('kill ESRCH'), { code: 'ESRCH' });
    });
    await server.stop().finally(() => spy.mockRestore());
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('the embedded PostgreSQL keeps no session of a lease that it could not get', async () => {
    const server = await start();
    const { host, port, user } = server;
    const client = new pg.Client({ host, port, user, database: 'postgres' });
    await client.connect();
    await client.query('create role outsider login');
    await client.query('revoke execute on function pg_advisory_lock_shared(bigint) from public');
    const refused = Lease.open({ host, port, user: 'outsider', database: 'postgres' });
    await expect(refused).rejects.toMatchObject({ code: '42501' });
    await waitFor(async () => {
      const { rowCount } = await client.query(`select from pg_stat_activity where usename = 'outsider'`);
      return rowCount === 0;
    }, 'without its session');
    await client.end();
    await server.stop();
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
    await expect(startServer(broken, signal)).rejects.toThrow(sentence);
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    await expect(ensureCluster(broken, signal)).rejects.toThrow(sentence);
  });

  it('a start says what to do if the folder of the embedded PostgreSQL cannot be written', async () => {
    writeFileSync(join(root, 'file'), '');
    await expect(start(join(root, 'file', 'data'))).rejects.toThrow(StartupError);
    await expect(start(join(root, 'file', 'data'))).rejects.toThrow(/set DATA_DIR to another folder/);
  });
});

function makeOfAnother(folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  chownSync(folder, 12_345, 12_345);
}
