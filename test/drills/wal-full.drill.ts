import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Answer } from './harness/http.js';
import { type Drill, judge } from './drill.js';
import { areAll, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { DrillPostgres } from './harness/postgres.js';
import { isAlive } from './harness/processes.js';
import { pause, poll, seconds } from './harness/waiting.js';

const run = promisify(execFile);
const MAX_CONNECTIONS = 60;
const WAL_MIB = 96;
const SYNCS = 3;
const RECOVERY_MS = 120_000;
/** Each fills a segment of 16 MiB. */
const MOST_SEGMENTS = 20;

export const drill: Drill = {
  name: 'wal-full',
  expectation:
    'While the volume of the write-ahead log is full, answers are 503; once there is room, all goes on without a restart of the service, and nothing that was acknowledged is lost.',
  sentence: 23,
  // It mounts a file system, which only root may.
  isOptional: true,
  timeoutMs: 400_000,
  async run(context) {
    const folder = join(context.folder.path, 'server');
    const settings = ['max_wal_size=48MB', 'min_wal_size=32MB', 'fsync=on', 'synchronous_commit=on'];
    const postgres = await DrillPostgres.start(folder, MAX_CONNECTIONS, settings);
    const volume = join(context.folder.path, 'wal');
    const ballast = join(volume, 'ballast');
    context.onEnd(async () => {
      await postgres.close();
      await postgres.stop('SIGQUIT').catch(() => undefined);
      await run('umount', ['--lazy', volume]).catch(() => undefined);
    });
    await postgres.stop('SIGINT');
    await moveWal(join(folder, 'postgres', 'pg_wal'), volume);
    await postgres.startAgain();

    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    const bank = await context.startBank(2);
    const connections: string[] = [];
    for (let n = 0; n < SYNCS; n++) connections.push(await person.connect(bank.setupToken(`user-${n}`)));
    const [accountId] = await person.accountIds();
    const before = await person.json<{ pagination: { total_count: number } }>('/api/v1/transactions');

    await writeFile(ballast, '');
    await run('sh', ['-c', `cat /dev/zero > "${ballast}" || true`]).catch(() => undefined);
    const answers: Answer[] = [];
    let acknowledged = 0;
    const nameOf = async () => (await person.json<{ name: string }>(`/api/v1/accounts/${accountId}`)).name;
    const edit = async (n: number) => {
      const answer = await person.send('PATCH', `/api/v1/accounts/${accountId}`, { name: `Name ${n}` });
      answers.push(answer);
      if (answer.status === 200) acknowledged = n;
    };
    const client = await postgres.connect();
    let edits = 0;
    for (let n = 0; n < MOST_SEGMENTS && answers.at(-1)?.status !== 503; n++) {
      await Promise.all(connections.map((id) => person.syncNow(id)));
      await edit(++edits);
      await client.query('select pg_switch_wal()').catch(() => undefined);
      await pause(200);
    }
    for (let n = 0; n < 5; n++) {
      await edit(++edits);
      answers.push(await person.get('/api/v1/accounts'));
      await pause(300);
    }
    const ready = await person.get('/health/ready');
    const broke = answers.some(({ status }) => status === 503);

    const startedAt = performance.now();
    await run('rm', [ballast]);
    const isDown = !isAlive(postmasterOf(postgres));
    if (isDown) await postgres.startAgain();
    const readyMs = await service.readyWithin(RECOVERY_MS);
    const lastAcknowledged = acknowledged;
    // One that was not acknowledged may have been stored, too.
    const stored = Number((await nameOf()).replace('Name ', ''));
    await edit(edits + 1);
    const isEdited = answers.at(-1)?.status === 200;
    const other = await postgres.connect();
    const areOver = await poll(
      async () => (await other.query(`select from sync_runs where status in ('queued', 'running')`)).rowCount === 0,
      RECOVERY_MS,
    );
    const { rows: runs } = await other.query<{ status: string; count: string }>(
      'select status, count(*) as count from sync_runs group by 1 order by 1',
    );
    const after = await person.json<{ pagination: { total_count: number } }>('/api/v1/transactions');
    await other.end();
    const figure =
      `${tally(answers)}; PostgreSQL ${isDown ? 'had to be started again' : 'came back by itself'}; ready again after ` +
      `${readyMs === null ? 'never' : seconds(readyMs)}, all over after ${seconds(performance.now() - startedAt)}; ` +
      `syncs ${runs.map(({ status, count }) => `${count} ${status}`).join(', ')}; ` +
      `${after.pagination.total_count} of ${before.pagination.total_count} transactions; ` +
      `edit ${lastAcknowledged} was acknowledged, ${stored} was stored`;
    return judge(figure, {
      'the log was full': broke && (ready.status === 503 || !isDown),
      'every answer is 200, or 503 with Retry-After': areAll(answers, 200, 503),
      'it goes on without a restart': readyMs !== null && isEdited && areOver !== null,
      'nothing is lost or doubled': after.pagination.total_count === before.pagination.total_count,
      'the last edit that was acknowledged is stored':
        stored >= lastAcknowledged && (await nameOf()) === `Name ${edits + 1}`,
    });
  },
};

/** Moves the log of a stopped server to a small file system of its own. */
async function moveWal(log: string, volume: string): Promise<void> {
  await run('mkdir', [volume]);
  await run('mount', ['-t', 'tmpfs', '-o', `size=${WAL_MIB}m`, 'tmpfs', volume]);
  await run('cp', ['-a', log, join(volume, 'pg_wal')]);
  await run('sh', [
    '-c',
    `chown --reference="${log}" "${volume}" && rm -r "${log}" && ln -s "${volume}/pg_wal" "${log}"`,
  ]);
}

/** 0, which no process has, where its file is gone. */
function postmasterOf(postgres: DrillPostgres): number {
  try {
    return postgres.postmaster;
  } catch {
    return 2 ** 22 + 1;
  }
}
