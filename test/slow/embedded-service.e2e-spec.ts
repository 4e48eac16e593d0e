import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPostmasterPid } from '../../src/database/embedded/postmaster-pid.js';
import { postgresProcesses } from '../support/postgres-processes.js';
import { copyPreparedCluster } from '../support/prepared-cluster.js';
import { run, Running, start, waitFor } from '../support/run-process.js';

describe('services that share one embedded PostgreSQL', () => {
  let root: string;
  /** A data directory with a migrated cluster: to make one takes several seconds. */
  let prepared: string;
  let dataDir: string;
  let environment: NodeJS.ProcessEnv;
  let started: Running[];

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'tidemark-embedded-service-'));
    prepared = join(root, 'prepared');
    await copyPreparedCluster(prepared);
    const { code, stderr } = await run('cli', ['sync:run'], { DATA_DIR: prepared, LOG_LEVEL: 'warn' });
    if (code !== 0) throw new Error(`no cluster could be prepared: ${stderr}`);
  });
  afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }));
  beforeEach(() => {
    dataDir = join(root, 'data');
    // Unlike cpSync, it keeps the owner and the mode that PostgreSQL insists on.
    execFileSync('cp', ['-a', prepared, dataDir]);
    environment = { DATA_DIR: dataDir, PORT: '0', SYNC_CRON: 'off', LOG_LEVEL: 'warn', SHUTDOWN_DRAIN_MS: '0' };
    started = [];
  });
  afterEach(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all(started.map(({ finished }) => finished));
    for (const pid of postgresProcesses(dataDir)) killHard(pid);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 });
  });

  async function startService(): Promise<{ service: Running; url: string }> {
    const service = start('main', [], environment);
    started.push(service);
    const [, url = ''] = await service.line(/^listening on (.*)$/m);
    return { service, url };
  }

  async function stopped({ service }: { service: Running }): Promise<number | null> {
    service.child.kill('SIGTERM');
    return (await service.finished).code;
  }

  const postmaster = async () => (await readPostmasterPid(join(dataDir, 'postgres')))?.pid;
  const statusOf = async (url: string) => (await fetch(`${url}/health/ready`)).status;

  const startsAgain = ({ service }: { service: Running }) =>
    service.stderr.split('Restarted the embedded PostgreSQL.').length - 1;

  /** Kills it as the OOM killer does. */
  async function killPostmaster(): Promise<number> {
    const pid = (await postmaster())!;
    killHard(pid);
    return pid;
  }

  async function readyAgain(url: string, killed: number): Promise<void> {
    await waitFor(async () => {
      const isAnother = ![undefined, null, killed].includes(await postmaster());
      return isAnother && (await statusOf(url)) === 200;
    }, 'ready again');
  }

  it('two services leave no PostgreSQL running, whichever stops first', async () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const services = [await startService(), await startService()];
      const [first, last] = order.map((index) => services[index]!);
      expect(await stopped(first!)).toBe(0);
      expect(await statusOf(last!.url)).toBe(200);
      expect(await stopped(last!)).toBe(0);
      expect(postgresProcesses(dataDir)).toEqual([]);
    }
  });

  it('two services that start for the first time and stop at the same moment leave no PostgreSQL running', async () => {
    rmSync(dataDir, { recursive: true });
    mkdirSync(dataDir);
    const services = await Promise.all([startService(), startService()]);
    expect(await Promise.all(services.map(stopped))).toEqual([0, 0]);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('the second service leaves no PostgreSQL running after the first was killed', async () => {
    const [first, second] = [await startService(), await startService()];
    first.service.child.kill('SIGKILL');
    await first.service.finished;
    expect(await stopped(second)).toBe(0);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('a service keeps its PostgreSQL running when a command ends', async () => {
    const service = await startService();
    const before = await postmaster();
    expect(await run('cli', ['sync:run'], environment)).toMatchObject({ code: 0 });
    expect([await postmaster(), await statusOf(service.url)]).toEqual([before, 200]);
    expect(await stopped(service)).toBe(0);
  });

  it('a service restarts the embedded PostgreSQL when it dies, also if another process had started it', async () => {
    const killed = await startService();
    const service = await startService();
    killed.service.child.kill('SIGKILL');
    await killed.service.finished;
    for (const times of [1, 2]) {
      await readyAgain(service.url, await killPostmaster());
      await waitFor(() => startsAgain(service) === times, 'told');
    }
    expect(await stopped(service)).toBe(0);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('several services restart a dead embedded PostgreSQL once', async () => {
    const services = [await startService(), await startService()];
    const killed = await killPostmaster();
    for (const { url } of services) await readyAgain(url, killed);
    await waitFor(() => services.some(startsAgain), 'told');
    expect(services.map(startsAgain).sort()).toEqual([0, 1]);
    expect(await Promise.all(services.map(stopped))).toEqual([0, 0]);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('a service exits with 1 and an error message if the embedded PostgreSQL cannot be restarted', async () => {
    const { service } = await startService();
    const control = join(dataDir, 'postgres', 'global', 'pg_control');
    renameSync(control, `${control}.lost`);
    await killPostmaster();
    const { code, stderr } = await service.finished;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^The embedded PostgreSQL died and cannot be started again: .*\n/m);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  /** As a user id that /etc/passwd does not list, which container platforms choose, with an empty data directory. */
  function startWithoutName(more: readonly string[] = []): Running {
    rmSync(dataDir, { recursive: true });
    const program = [process.execPath, 'dist/bundle/main.js'];
    const { PATH } = process.env;
    const options = { env: { PATH, HOME: root, ...environment } };
    const service = new Running(spawn('unshare', ['--user', '--map-user=12345', ...more, ...program], options));
    started.push(service);
    return service;
  }

  it('a service creates the embedded PostgreSQL under a user id without a name', async () => {
    const service = startWithoutName(['--map-group=12345']);
    await service.line(/^listening on /m);
    expect(await stopped({ service })).toBe(0);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it('a start under a user id without a name says what to do if it may not create a user namespace', async () => {
    // Without a group of its own it may not make one.
    const { code, stderr } = await startWithoutName().finished;
    expect([code, stderr]).toEqual([
      1,
      'PostgreSQL does not run under the user id 12345, which has no name here: give it a line in /etc/passwd, ' +
        'start the service as another user, or set DATABASE_URL to a PostgreSQL server.\n',
    ]);
  });
});

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
