import { startScriptedServer } from '../support/scripted-server.js';
import { type Drill, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { Person } from './harness/person.js';
import type { DrillPostgres } from './harness/postgres.js';
import type { DrillService } from './harness/service.js';
import { pause, poll, seconds } from './harness/waiting.js';

const KILLS = 4;
const RENAMES_A_KILL = 6;
const LONGEST_ANSWER_MS = 200;
const LONGEST_WAIT_MS = 600;
/** The job of a killed worker goes to another one within a minute. */
const HEIR_MS = 90_000;

interface Message {
  type: string;
  data: { cursor: string };
}

export const drill: Drill = {
  name: 'webhook-kill-9',
  expectation:
    'When workers are killed with kill -9 while they deliver webhooks, a receiver that deduplicates by webhook-id gets every change once, in order.',
  sentence: 21,
  timeoutMs: 600_000,
  async run(context) {
    const postgres = await context.startPostgres();
    const api = await context.startService(postgres, { ROLE: 'api' });
    const person = await Person.signUp(api);
    const bank = await context.startBank(1);
    let worker = await startWorker(context, postgres);
    await person.connect(bank.setupToken('ann'));
    const { accounts } = await person.json<{ accounts: { id: string }[] }>('/api/v1/accounts');
    const receiver = await startScriptedServer();
    context.onEnd(receiver.stop);
    receiver.play(async () => {
      await pause(Math.random() * LONGEST_ANSWER_MS);
      return { status: 204 };
    });
    const wanted = { url: `${receiver.url}/hook`, event_types: ['balances.changed'] };
    const created = await person.send('POST', '/api/v1/webhooks', wanted);
    if (created.status !== 201) throw new Error(`creating was answered ${created.status}: ${created.text}`);

    const client = await postgres.connect();
    let renames = 0;
    const rename = () => person.send('PATCH', `/api/v1/accounts/${accounts[0]!.id}`, { name: `Name ${++renames}` });
    for (let kill = 0; kill < KILLS; kill++) {
      for (let n = 0; n < RENAMES_A_KILL; n++) {
        await rename();
        await pause((Math.random() * LONGEST_WAIT_MS) / RENAMES_A_KILL);
      }
      await worker.process.kill();
      // In place of waiting until the dead one is missed, but for the last time.
      const missed = `update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`;
      if (kill < KILLS - 1) await client.query(missed);
      worker = await startWorker(context, postgres);
      context.progress(`${kill + 1} of ${KILLS} killed`);
    }
    await rename();
    const startedAt = performance.now();
    const isOver = async () => {
      const { rows } = await client.query<{ is_over: boolean }>(`
        select bool_and(e.position = r.revision and not exists (
          select from webhook_deliveries d where d.status = 'pending'
        )) as is_over from webhook_endpoints e join user_revisions r using (user_id)`);
      return rows[0]!.is_over;
    };
    const areTold = await poll(isOver, HEIR_MS);
    const ms = performance.now() - startedAt;

    const came = receiver.requests.map(({ headers, body }) => [String(headers['webhook-id']), body] as const);
    // A repetition that is not the same would come last.
    const seen = new Map(came);
    const { rows: log } = await client.query<{ message_id: string; payload: string }>(
      'select message_id, payload from webhook_deliveries order by number',
    );
    await client.end();
    // Whoever follows from the first cursor has everything: each message begins where the one before ended, or before.
    const [first] = log.map(({ payload }) => JSON.parse(payload) as Message);
    const changes = await person.get(`/api/v1/changes?cursor=${first?.data.cursor}&types=accounts`);
    const sameOrder = JSON.stringify([...seen]) === JSON.stringify(log.map((row) => [row.message_id, row.payload]));
    const figure =
      `${KILLS} kills, ${renames} changes: ${receiver.requests.length} requests, ${seen.size} different ids, ` +
      `${log.length} messages stored; over after ${seconds(ms)}`;
    return judge(figure, {
      'everything is delivered': areTold !== null,
      'each message came, in order, with one body': sameOrder,
      'the cursor leads to the newest state': changes.text.includes(`"Name ${renames}"`),
    });
  },
};

function startWorker(context: DrillContext, postgres: DrillPostgres): Promise<DrillService> {
  return context.startService(postgres, { ROLE: 'worker' });
}
