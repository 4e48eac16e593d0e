import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { createTestDatabase } from '../support/database.js';
import { OF_THIS_DATABASE } from '../support/lock-wait.js';
import { postgresProcesses } from '../support/postgres-processes.js';
import { copyPreparedCluster } from '../support/prepared-cluster.js';
import { Running, start, startScript, waitFor } from '../support/run-process.js';

const MIGRATION_LOCK = 7_302_771;

describe('stopping processes', () => {
  let dataDir: string;
  let environment: NodeJS.ProcessEnv;
  let started: Running[];

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'tidemark-lifecycle-'));
    environment = { DATA_DIR: dataDir, PORT: '0', SYNC_CRON: 'off', LOG_LEVEL: 'warn' };
    started = [];
  });
  afterEach(async () => {
    for (const running of started) {
      running.child.kill('SIGKILL');
      running.signalGroup('SIGKILL');
    }
    for (const pid of [...postgresProcesses(dataDir), ...postgresProcesses(demoDir())]) kill(pid);
    await Promise.all(started.map(({ finished }) => finished));
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 20 });
  });

  const demoDir = () => join(dataDir, 'demo');

  function keep(running: Running): Running {
    started.push(running);
    return running;
  }

  describe.each([
    ['npm start', 'start', /^listening on /m, () => dataDir],
    ['npm run demo', 'demo', /^Tidemark listens on /m, demoDir],
  ] as const)('%s', (_, script, line, folderOf) => {
    it.each(['SIGINT', 'SIGTERM'] as const)(
      'the service stops gracefully at %s to its process group, although npm forwards the signal',
      async (signal) => {
        await copyPreparedCluster(folderOf());
        const service = keep(startScript(script, environment));
        await service.line(line);
        service.signalGroup(signal);
        service.signalGroup(signal);
        const { code, stderr } = await service.finished;
        expect([code, stderr]).toEqual([0, expect.not.stringMatching(/^\s+at /m)]);
        expect(postgresProcesses(folderOf())).toEqual([]);
        expect(() => process.kill(-service.child.pid!, 0)).toThrow('ESRCH');
      },
    );
  });

  it('a different signal right after the first does not abort the graceful stop', async () => {
    await copyPreparedCluster(dataDir);
    const service = keep(start('main', [], environment));
    await service.line(/^listening on /m);
    service.child.kill('SIGINT');
    service.child.kill('SIGTERM');
    expect((await service.finished).code).toBe(0);
    expect(postgresProcesses(dataDir)).toEqual([]);
  });

  it.each<[string, () => boolean]>([
    ['initdb', () => readdirSync(dataDir).some((name) => name.startsWith('postgres.new-'))],
    ['the start of PostgreSQL', () => existsSync(join(dataDir, 'postgres', 'postmaster.pid'))],
  ])('a start stopped during %s of a new installation leaves nothing behind', async (__, isThere) => {
    const service = keep(start('main', [], environment));
    await waitFor(() => isThere(), 'there');
    service.child.kill('SIGTERM');
    expect(await service.finished).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(postgresProcesses(dataDir)).toEqual([]);
    expect(readdirSync(dataDir)).not.toContainEqual(expect.stringMatching(/^postgres\.new-/));
  });

  it('a start stops without waiting for the migrations of another instance', async () => {
    const database = await createTestDatabase();
    const client = new pg.Client(database.url);
    try {
      await client.connect();
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const secret = { DATABASE_URL: database.url, APP_SECRET: 'a root secret for the tests of stopping' };
      const service = keep(start('main', [], { ...environment, ...secret }));
      await waitFor(async () => {
        const waiting = `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted and ${OF_THIS_DATABASE}`;
        return (await client.query(waiting, [MIGRATION_LOCK])).rowCount !== 0;
      }, 'waiting for the lock');
      service.child.kill('SIGTERM');
      expect(await service.finished).toEqual({ code: 0, stdout: '', stderr: '' });
    } finally {
      await client.end();
      await database.drop();
    }
  });

  it('a second signal some time later ends the stop at once and leaves no PostgreSQL running', async () => {
    await copyPreparedCluster(dataDir);
    const service = keep(start('main', [], environment));
    const [, url] = await service.line(/^listening on (.*)$/m);
    const client = new pg.Client({ host: join(dataDir, 'socket'), port: 5432, user: 'tidemark', database: 'tidemark' });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin; lock table feed_epoch in access exclusive mode');
    const answer = fetch(`${url}/health/ready`).catch(() => null);
    await waitFor(async () => {
      const { rowCount } = await client.query(
        `select from pg_locks where relation = 'feed_epoch'::regclass and not granted and ${OF_THIS_DATABASE}`,
      );
      return rowCount !== 0;
    }, 'waiting for the table');
    let isRunning = true;
    void service.finished.then(() => (isRunning = false));
    const firstMs = performance.now();
    while (isRunning) {
      service.child.kill('SIGTERM');
      await wait(100);
    }
    const { code, stderr } = await service.finished;
    expect([code, stderr]).toEqual([1, expect.stringContaining('Second signal to stop')]);
    expect(performance.now() - firstMs).toBeGreaterThan(2_000);
    await waitFor(() => postgresProcesses(dataDir).length === 0, 'gone');
    await Promise.all([answer, client.end().catch(() => undefined)]);
  });

  it('a stop has a time limit, after which the process exits with 1 and an error message', async () => {
    const stuck = keep(
      lifecycle(`
        setInterval(() => {}, 1000);
        lifecycle.onStop(() => new Promise(() => {}), -44_900);
        console.log('ready');`),
    );
    await stuck.line(/ready/);
    stuck.child.kill('SIGTERM');
    expect(await stuck.finished).toMatchObject({ code: 1, stderr: 'The stop took longer than 0.1 s.\n' });
  });

  it('the time limit of a stop also applies while started work does not end', async () => {
    const stuck = keep(
      lifecycle(`
        setInterval(() => {}, 1000);
        lifecycle.onStop(async () => {}, -44_900);
        console.log('ready');
        await new Promise(() => {});`),
    );
    await stuck.line(/ready/);
    stuck.child.kill('SIGTERM');
    expect(await stuck.finished).toMatchObject({ code: 1, stderr: 'The stop took longer than 0.1 s.\n' });
  });

  it('a stop closes all resources even if a second signal comes after the work is done', async () => {
    const closing = keep(
      lifecycle(`
        setInterval(() => {}, 1000);
        lifecycle.onStop(async (forced) => {
          console.log('closing');
          await new Promise((resolve) => forced.addEventListener('abort', () => setTimeout(resolve, 100)));
          console.log('closed');
        });
        return 0;`),
    );
    await closing.line(/closing/);
    while (!closing.stderr.includes('Second signal')) {
      closing.child.kill('SIGTERM');
      await wait(100);
    }
    expect(await closing.finished).toMatchObject({ code: 1, stdout: 'closing\nclosed\n' });
  });

  it('a process does not stop because nobody reads its output, but stops at a signal', async () => {
    const unread = keep(
      lifecycle(`
        process.stdin.on('end', () => {
          console.log('nobody reads this');
          console.error('nor this');
          setTimeout(() => process.kill(process.pid, 'SIGTERM'), 100);
        }).resume();
        setInterval(() => {}, 1000);
        console.log('ready');`),
    );
    await unread.line(/ready/);
    unread.child.stdout!.destroy();
    unread.child.stderr!.destroy();
    unread.child.stdin!.end();
    expect((await unread.finished).code).toBe(0);
  });

  it('a signal ends a command that asks for a password', async () => {
    const command = `${process.execPath} dist/src/cli.js user:create --email ann@example.com`;
    const asking = keep(new Running(spawn('script', ['-qec', command, '/dev/null'])));
    await asking.line(/Password: /);
    asking.child.stdin!.write('half a pass\u0003');
    expect(await asking.finished).toMatchObject({ code: 130, stdout: expect.stringMatching(/^Password: \s*$/) });
    const piped = keep(start('cli', ['user:create', '--email', 'ann@example.com', '--password-stdin'], environment));
    await waitFor(() => catchesHangup(piped.child.pid!), 'ready for signals');
    piped.child.kill('SIGINT');
    expect(await piped.finished).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  it('a command exits with 1 if its output cannot be written', async () => {
    const unwritten = keep(
      new Running(spawn('sh', ['-c', `exec ${process.execPath} dist/src/cli.js help >/dev/full`])),
    );
    expect(await unwritten.finished).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/could not be written .+ENOSPC/),
    });
  });

  it('a signal ends a command and the processes that it started', async () => {
    await copyPreparedCluster(dataDir);
    const command = keep(start('cli', ['sync:run'], environment));
    await waitFor(() => existsSync(join(dataDir, 'postgres', 'postmaster.pid')), 'there');
    command.child.kill('SIGINT');
    expect(await command.finished).toEqual({ code: 130, stdout: '', stderr: '' });
    expect(postgresProcesses(dataDir)).toEqual([]);
  });
});

/** A process of its own with one Lifecycle. @param work its body */
function lifecycle(work: string): Running {
  const script = `
    const { Lifecycle } = await import('./dist/src/platform/lifecycle.js');
    await Lifecycle.run(async (lifecycle) => {${work}});`;
  return new Running(spawn(process.execPath, ['--input-type=module', '-e', script]));
}

/** Node.js itself catches the other signals, this one only where a Lifecycle does. */
function catchesHangup(pid: number): boolean {
  const [, caught] = /^SigCgt:\s*([\da-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
  return (BigInt(`0x${caught}`) & 1n) === 1n;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
