import type pg from 'pg';
import { accountsOf, userOf } from '../support/instant-bank.js';
import { type Drill, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { Person } from './harness/person.js';
import type { DrillPostgres } from './harness/postgres.js';
import type { DrillService } from './harness/service.js';
import { pause, poll, seconds } from './harness/waiting.js';

const KILLS = 12;
const CONNECTIONS_A_KILL = 3;
const ACCOUNTS = 4;
const WORKERS = 2;
const LONGEST_ANSWER_MS = 150;
const LONGEST_WAIT_MS = 700;
/** A dead worker is noticed after 20 to 30 s, and the same run may have met several kills. */
const ENDED_MS = 200_000;

/** What is stored of each connection, without ids: the same for all, since the bank lists the same for all. */
const STORED = `
  select string_agg(concat_ws(' ', name, transactions, total, days, worth), '; ' order by name) as lines
  from accounts a
  cross join lateral (
    select count(*) as transactions, sum(amount_minor) as total from transactions t where t.account_id = a.id
  ) t
  cross join lateral (
    select count(*) as days, sum(end_cash + end_non_cash) as worth from balances b where b.account_id = a.id
  ) b
  group by connection_id`;
const OPEN = `select from sync_runs where status in ('queued', 'running')`;

export const drill: Drill = {
  name: 'kill-9-workers',
  expectation:
    'When workers are killed with kill -9 in the middle of syncs, every sync succeeds in the end and no row is lost or doubled.',
  sentence: 12,
  timeoutMs: 400_000,
  async run(context) {
    const postgres = await context.startPostgres();
    const api = await context.startService(postgres, { ROLE: 'api' });
    const person = await Person.signUp(api);
    const bank = await context.startBank(ACCOUNTS);
    const today = new Date().toISOString().slice(0, 10);
    const workers = await Promise.all(Array.from({ length: WORKERS }, () => startWorker(context, postgres)));
    await person.connect(bank.setupToken('undisturbed'));
    const client = await postgres.connect();
    const [reference] = await stored(client);
    bank.play(async (request) => {
      await pause(Math.random() * LONGEST_ANSWER_MS);
      return { body: accountsOf(userOf(request), today, ACCOUNTS) };
    });
    for (let kill = 0; kill < KILLS; kill++) {
      const names = Array.from({ length: CONNECTIONS_A_KILL }, (_, index) => `user-${kill}-${index}`);
      await Promise.all(names.map((name) => begin(person, bank.setupToken(name))));
      await pause(Math.random() * LONGEST_WAIT_MS);
      await workers.shift()!.process.kill();
      workers.push(await startWorker(context, postgres));
      context.progress(`${kill + 1} of ${KILLS} killed`);
    }
    const startedAt = performance.now();
    const areOver = await poll(async () => (await client.query(OPEN)).rowCount === 0, ENDED_MS);
    const ms = performance.now() - startedAt;
    const others = (await stored(client)).filter((lines) => lines !== reference).length;
    const { rows } = await client.query<{ good: number; runs: number; again: number }>(
      `select count(*) filter (where status = 'succeeded')::int as good, count(*)::int as runs,
         count(*) filter (where attempt > 1)::int as again from sync_runs`,
    );
    const { good, runs, again } = rows[0]!;
    const wanted = KILLS * CONNECTIONS_A_KILL + 1;
    const figure =
      `${KILLS} kills: ${good} of ${runs} syncs succeeded, ${again} after another attempt, ` +
      `${others} of ${wanted} connections differ; over after ${seconds(ms)}`;
    return judge(figure, {
      'syncs were killed': again > 0,
      'all are over': areOver !== null,
      'each succeeded once': good === wanted && runs === wanted,
      'nothing is lost or doubled': others === 0,
    });
  },
};

function startWorker(context: DrillContext, postgres: DrillPostgres): Promise<DrillService> {
  return context.startService(postgres, { ROLE: 'worker' });
}

async function begin(person: Person, setupToken: string): Promise<void> {
  const answer = await person.send('POST', '/api/v1/connections', { provider: 'us_provider', setup_token: setupToken });
  if (answer.status !== 201) throw new Error(`connecting was answered ${answer.status}`);
}

async function stored(client: pg.Client): Promise<string[]> {
  return (await client.query<{ lines: string }>(STORED)).rows.map(({ lines }) => lines);
}
