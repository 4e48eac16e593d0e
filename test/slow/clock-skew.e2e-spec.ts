import { jest } from '@jest/globals';
import { SyncScheduler } from '../../src/sync/schedule/sync-scheduler.js';
import { StaleRunReaper } from '../../src/sync/runs/stale-run-reaper.js';
import { SyncRunsService } from '../../src/sync/runs/sync-runs.service.js';
import type { TestClient } from '../support/app.js';
import { accountsOf, userOf } from '../support/instant-bank.js';
import { wireTransaction } from '../support/scripted-us-provider.js';
import { SyncScene, TODAY } from '../support/sync-scene.js';
import { ended, synced, syncNow, until } from '../support/syncs.js';

let scene: SyncScene;

beforeAll(async () => {
  scene = await SyncScene.start();
});
afterAll(() => scene.stop());

/** What the bank says from now on: the balance of the only account, and its newest transactions. */
function play(balance: string, ...more: object[]): void {
  scene.bank.play((request) => {
    const body = accountsOf(userOf(request), TODAY, 1, more) as { accounts: { balance: string }[] };
    Object.assign(body.accounts[0]!, { balance });
    return { body };
  });
}

/** The sync of the schedule, done. @returns its id */
async function scheduled(client: TestClient): Promise<string> {
  const { syncs } = (await client.get('/api/v1/syncs')).body;
  const { id } = syncs.find(({ trigger }: { trigger: string }) => trigger === 'schedule');
  expect(await ended(client, id)).toMatchObject({ status: 'succeeded' });
  return id;
}

describe.each([
  ['an hour', '2026-03-15T13:00:00Z'],
  ['four hundred days', '2027-04-19T12:00:00Z'],
])('a clock that was %s ahead and is set back', (_, ahead) => {
  const PAID = wireTransaction('paid', TODAY, '20.00');
  const SPENT = wireTransaction('spent', TODAY, '-7.00');

  async function syncedAhead() {
    scene.tidemark.clock.set(`${TODAY}T12:00:00Z`);
    play('100.00');
    const { client, connection } = await scene.connected();
    await ended(client, connection.latest_sync_id);
    scene.tidemark.clock.set(ahead);
    play('120.00', PAID);
    const { id } = await scene.tidemark.app.get(SyncRunsService).request(client.userId, connection.id, 'person');
    await ended(client, id);
    scene.tidemark.clock.set(`${TODAY}T12:10:00Z`);
    play('113.00', PAID, SPENT);
    return { client, connectionId: connection.id as string };
  }

  const connectionOf = async ({ client, connectionId }: Awaited<ReturnType<typeof syncedAhead>>) =>
    (await client.get(`/api/v1/connections/${connectionId}`)).body;

  it('neither stops the syncs nor keeps what it read as the newest', async () => {
    const person = await syncedAhead();
    expect(await scene.tidemark.app.get(SyncScheduler).tick()).toBe(1);
    const latest = await scheduled(person.client);
    const connection = await connectionOf(person);
    expect(connection).toMatchObject({ latest_sync_id: latest, last_synced_at: '2026-03-15T12:10:00.000Z' });
    const { balances } = (await person.client.get('/api/v1/balances?per_page=2')).body;
    expect(balances).toMatchObject([
      { date: TODAY, end_balance_cents: 11_300, cash_inflows_cents: 2_000, cash_outflows_cents: 700 },
      { date: '2026-03-14', end_balance_cents: 10_000 },
    ]);
    const { accounts } = (await person.client.get('/api/v1/accounts')).body;
    expect(accounts).toMatchObject([{ balance_cents: 11_300 }]);
  });

  it('leaves nothing of the connection in the future', async () => {
    const person = await syncedAhead();
    await scene.tidemark.app.get(SyncScheduler).tick();
    await scheduled(person.client);
    const tables = { observations: 'observed_at', transactions: 'first_seen_at', provider_requests: 'sent_at' };
    for (const [table, column] of Object.entries({ ...tables, sync_runs: 'finished_at', balances: 'date' })) {
      const late = await scene.execute(`select ${column} from ${table} where user_id = ? and ${column} > ?`, [
        person.client.userId,
        `${TODAY}T12:10:00Z`,
      ]);
      expect([table, late]).toEqual([table, []]);
    }
  });
});

describe.each([
  ['half a minute', '2026-03-15T12:10:30Z'],
  ['an hour', '2026-03-15T13:00:00Z'],
])('a credential that is replaced after a clock was %s ahead', (_, ahead) => {
  it('is refused where it is of another login, and taken where it is of the same', async () => {
    scene.tidemark.clock.set(`${TODAY}T12:00:00Z`);
    scene.bank.play((request) => {
      const body = accountsOf(userOf(request), TODAY, 1) as { accounts: { name: string }[] };
      Object.assign(body.accounts[0]!, { name: `Of ${userOf(request)}` });
      return { body };
    });
    const { client, user, connection } = await scene.synced();
    scene.tidemark.clock.set(ahead);
    expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
    let now = Date.parse(`${TODAY}T12:10:00Z`);
    const moving = jest.spyOn(scene.tidemark.clock, 'now').mockImplementation(() => new Date((now += 5)));
    try {
      const replacedBy = async (whose: string) => {
        const token = { setup_token: scene.bank.setupToken(whose) };
        await client.put(`/api/v1/connections/${connection.id}/credentials`, token);
        // Not the one that a clock which was ahead has made the latest.
        const last = 'select id from sync_runs where connection_id = ? order by event_id desc limit 1';
        const [run] = await scene.execute(last, [connection.id]);
        return ended(client, run!['id'] as string);
      };
      const refused = await replacedBy('someone-else');
      expect(refused).toMatchObject({ status: 'failed', problems: [{ kind: 'token_rejected' }] });
      const { accounts } = (await client.get('/api/v1/accounts')).body;
      expect(accounts).toMatchObject([{ name: `Of ${user}` }]);
      expect(await replacedBy(user)).toMatchObject({ status: 'succeeded', problems: [] });
    } finally {
      moving.mockRestore();
    }
  });
});

describe('a clock that was four hundred days ahead and is set back', () => {
  const AHEAD = '2027-04-19T12:00:00Z';
  const UNTIL_NEXT_TICK_MS = 6 * 3_600_000;

  it('does not put off a connection that could not be synced meanwhile', async () => {
    scene.tidemark.clock.set(`${TODAY}T12:00:00Z`);
    play('100.00');
    const { client, connection } = await scene.synced();
    scene.tidemark.clock.set(AHEAD);
    scene.bank.play(() => ({ status: 429 }));
    const failed = await synced(client, connection.id);
    expect(failed.status).toBe('failed');
    scene.tidemark.clock.set(`${TODAY}T12:10:00Z`);
    play('120.00');
    expect(await scene.tidemark.app.get(SyncScheduler).tick()).toBe(1);
    const latest = await scheduled(client);
    const { body } = await client.get(`/api/v1/connections/${connection.id}`);
    expect(body).toMatchObject({ latest_sync_id: latest, last_synced_at: '2026-03-15T12:10:00.000Z' });
    expect((await client.get(`/api/v1/syncs/${failed.id}`)).body.finished_at < '2026-03-15T12:10:00Z').toBe(true);
  });

  it('keeps no sync the newest that was cancelled then', async () => {
    scene.tidemark.clock.set(`${TODAY}T12:00:00Z`);
    play('100.00');
    const { client, connection } = await scene.synced();
    scene.tidemark.clock.set(AHEAD);
    scene.bank.play(() => 'silence');
    const { body: cancelled } = await syncNow(client, connection.id);
    await client.delete(`/api/v1/syncs/${cancelled.id}`);
    scene.tidemark.clock.set(`${TODAY}T12:10:00Z`);
    play('120.00');
    await scene.execute(`create function wait_in_queue() returns trigger language plpgsql as
      $$ begin if new.attempt = 1 then perform pg_sleep(1); end if; return new; end $$`);
    await scene.execute('create trigger wait before update on sync_runs for each row execute function wait_in_queue()');
    try {
      const { body: latest } = await syncNow(client, connection.id);
      scene.tidemark.clock.set(`${TODAY}T12:20:00Z`);
      expect(await ended(client, latest.id)).toMatchObject({
        status: 'succeeded',
        queued_at: `${TODAY}T12:10:00.000Z`,
      });
      const { syncs } = (await client.get('/api/v1/syncs')).body;
      expect(syncs.map(({ id }: { id: string }) => id).slice(0, 2)).toEqual([latest.id, cancelled.id]);
      const { body } = await client.get(`/api/v1/connections/${connection.id}`);
      expect(body.latest_sync_id).toBe(latest.id);
    } finally {
      await scene.execute('drop function wait_in_queue cascade');
    }
  });

  it('blocks for no more than a day what a person asks for', async () => {
    scene.tidemark.clock.set(`${TODAY}T12:00:00Z`);
    play('100.00');
    const { client, connection } = await scene.synced();
    await scene.execute(
      `insert into provider_requests (user_id, connection_id, sent_at) select ?, ?, ? from generate_series(1, 24)`,
      [client.userId, connection.id, AHEAD],
    );
    scene.tidemark.clock.set(`${TODAY}T12:10:00Z`);
    const [problem] = (await synced(client, connection.id)).problems;
    expect(problem).toMatchObject({ kind: 'rate_limited' });
    expect(problem.message).toContain('2026-03-16T12:0');
    scene.tidemark.clock.set('2026-03-16T12:11:00Z');
    expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
  });

  it.each([
    ['an hour', 3_600_000],
    ['four hundred days', 400 * 86_400_000],
  ])('lets a sync begin that would begin %s later', async (_, ahead) => {
    scene.tidemark.clock.set(`${TODAY}T12:00:00Z`);
    play('100.00');
    const { client } = await scene.synced();
    // The queue goes by the clock of the database, which is right.
    scene.tidemark.clock.set(new Date(Date.now() + ahead).toISOString());
    await scene.tidemark.app.get(SyncScheduler).tick(UNTIL_NEXT_TICK_MS);
    scene.tidemark.clock.set('2026-03-16T12:00:00Z');
    await scene.tidemark.app.get(StaleRunReaper).reap();
    const { body } = await client.get(`/api/v1/syncs/${await scheduled(client)}`);
    expect(body).toMatchObject({ queued_at: '2026-03-16T12:00:00.000Z', attempts: 1 });
  });
});

describe('a sync whose worker was killed', () => {
  /** As the worker leaves it. @param heartbeat how long ago the last one was */
  async function killed(heartbeat: string) {
    const { client, first } = await scene.synced();
    const job = '(select job_id from sync_runs where id = ?)';
    const isOver = async () =>
      (await scene.execute(`select from pgboss.job where id = ${job} and state = 'completed'`, [first])).length || null;
    await until(isOver, 'the job is over');
    await scene.execute(
      `with job as (
         update pgboss.job set state = 'active', completed_on = null, heartbeat_on = now() - ?::interval where id = ${job}
       )
       update sync_runs set status = 'running', finished_at = null where id = ?`,
      [heartbeat, first, first],
    );
    const age = (by: string) =>
      scene.execute(`update pgboss.job set heartbeat_on = heartbeat_on - ?::interval where id = ${job}`, [by, first]);
    return { client, first, age };
  }

  it('is retried although the clock of the database was ten hours ahead until then', async () => {
    const { client, first, age } = await killed('-10 hours');
    await scene.execute(`update pgboss.queue set monitor_claim_on = now() + interval '10 hours' where name = 'sync'`);
    await scene.tidemark.app.get(StaleRunReaper).reap();
    // The time that the queue gives a worker, without waiting for it.
    await age('1 minute');
    expect(await ended(client, first)).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  it('is not, while it sends heartbeats, although the clock of the database was an hour ahead when it began', async () => {
    const { client, first } = await killed('0 s');
    const job = '(select job_id from sync_runs where id = ?)';
    await scene.execute(`update pgboss.job set start_after = now() + interval '1 hour' where id = ${job}`, [first]);
    await scene.tidemark.app.get(StaleRunReaper).reap();
    expect((await client.get(`/api/v1/syncs/${first}`)).body).toMatchObject({ status: 'running', attempts: 1 });
  });

  it('is retried although the clock of the machine was ten hours ahead until then', async () => {
    const { now } = Date;
    const setBack = jest.spyOn(Date, 'now').mockImplementation(() => now() - 36_000_000);
    try {
      const { client, first } = await killed('1 minute');
      expect(await ended(client, first)).toMatchObject({ status: 'succeeded', attempts: 2 });
    } finally {
      setBack.mockRestore();
    }
  });
});
