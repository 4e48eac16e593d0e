import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { SyncScheduler } from '../../src/sync/schedule/sync-scheduler.js';
import { accountsOf } from '../support/instant-bank.js';
import { SyncScene, TODAY } from '../support/sync-scene.js';
import { ended, synced, syncNow, until } from '../support/syncs.js';
import { Visitor } from '../../src/kit/visitor.js';

type Job = Record<'state' | 'retry_count' | 'wait', unknown>;

describe('syncs that fail unexpectedly', () => {
  let scene: SyncScene;
  let lines: string[];

  beforeAll(async () => {
    scene = await SyncScene.start();
  });
  afterAll(() => scene.stop());
  beforeEach(() => {
    lines = [];
    const record = (line: unknown) => {
      const text = typeof line === 'string' ? line : JSON.stringify(line);
      if (/sync/i.test(text)) lines.push(text);
    };
    for (const level of ['warn', 'error'] as const) jest.spyOn(Logger.prototype, level).mockImplementation(record);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    scene.tidemark.clock.set('2026-03-15T12:00:00Z');
  });

  const SENTENCE = 'This version of Tidemark does not know the provider “gone”.';
  const loseProvider = (id: string) => scene.execute(`update connections set provider = 'gone' where id = ?`, [id]);
  const jobOf = async (run: string): Promise<Job> => {
    const statement = `
      select state::text as state, retry_count, extract(epoch from start_after - now())::float8 as wait
      from pgboss.job where id = ?`;
    return (await scene.execute(statement, [run]))[0] as Job;
  };

  it('a sync that fails before it begins ends with a problem, is retried with growing delays, and logs one line each time', async () => {
    const { client, connection } = await scene.synced();
    await loseProvider(connection.id);
    const waits: number[] = [];
    for (let failure = 0; failure < 3; failure++) {
      scene.tidemark.clock.set(`2026-03-${17 + failure}T12:00:00Z`);
      await scene.tidemark.app.get(SyncScheduler).tick();
      const [newest] = (await client.get('/api/v1/syncs')).body.syncs;
      const run = await ended(client, newest.id);
      expect(run).toMatchObject({ status: 'failed', trigger: 'schedule', attempts: 1 });
      expect(run.problems).toMatchObject([{ kind: 'unknown_provider', message: SENTENCE, retryable: false }]);
      expect(await until(async () => ((await jobOf(run.id)).state === 'completed' ? 'over' : null), 'over')).toBe(
        'over',
      );
      const { body } = await client.get(`/api/v1/connections/${connection.id}`);
      waits.push((Date.parse(body.next_sync_at) - scene.tidemark.clock.now().getTime()) / 3_600_000);
    }
    expect(waits).toEqual([1, 2, 4]);
    expect(lines).toEqual(Array(3).fill(`Sync failed: ${SENTENCE}`));
  });

  it('a failed sync does not hide the other connections and says what the user can do', async () => {
    const { client, connection } = await scene.synced();
    const body = { provider: 'us_provider', setup_token: scene.bank.setupToken('other'), history_days: 30 };
    await ended(client, (await client.post('/api/v1/connections', body)).body.latest_sync_id);
    await loseProvider(connection.id);
    const { status, body: list } = await client.get('/api/v1/connections');
    expect([status, list.connections.length]).toEqual([200, 2]);
    const isLost = ({ id }: { id: string }) => id === connection.id;
    const [lost, other] = [list.connections.find(isLost), list.connections.find((one: { id: string }) => !isLost(one))];
    expect(lost).toMatchObject({ provider: 'gone', accounts_count: 3, request_budget: { limit: null } });
    expect(lost.problems).toMatchObject([{ kind: 'unknown_provider', message: SENTENCE, action: expect.any(String) }]);
    expect(other).toMatchObject({ provider: 'us_provider', problems: [] });
    const visitor = new Visitor(scene.tidemark.url);
    const [person] = await scene.execute('select email from users where id = ?', [client.userId]);
    await visitor.post('/sign-in', { email: person!.email as string, password: 'correct horse' });
    for (const page of ['/connections', `/connections/${connection.id}`, `/connections/${connection.id}/state`, '/']) {
      const visit = await visitor.get(page);
      expect([page, visit.status]).toEqual([page, 200]);
      if (page.startsWith('/connections')) expect(visit.text).toContain(SENTENCE);
    }
    const run = await synced(client, connection.id);
    expect(run.problems).toMatchObject([{ kind: 'unknown_provider' }]);
    const path = `/api/v1/connections/${connection.id}`;
    const { status: refused, body: refusal } = await client.put(`${path}/credentials`, { setup_token: 'x' });
    expect([refused, refusal.message]).toEqual([409, SENTENCE]);
    expect((await client.patch(path, { name: 'Lost' })).body.name).toBe('Lost');
    expect((await client.delete(path)).status).toBe(204);
  });

  it('a sync that fails after another worker has finished the run logs no error', async () => {
    const { client, user, connection } = await scene.synced();
    // As after a new credential: its accounts are read once the bank has answered.
    await scene.execute('update connections set credential_since = last_synced_at where id = ?', [connection.id]);
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    scene.bank.play(async () => {
      await answered;
      return { body: accountsOf(user, TODAY, 3) };
    });
    try {
      const { body: run } = await syncNow(client, connection.id);
      // With its progress stored: the next that it stores would tell it that the run is over.
      const stepOf = async () => (await client.get(`/api/v1/syncs/${run.id}`)).body.progress.step as string;
      await until(async () => (/waiting|starting/.test(await stepOf()) ? null : true), 'at the bank');
      // As a frozen worker finds it: the run is over, and what it does next fails for a reason of its own.
      await scene.execute(
        `update sync_runs set status = 'succeeded', step = 'done', finished_at = now(), attempt = attempt + 1 where id = ?`,
        [run.id],
      );
      await scene.execute('alter table accounts rename to accounts_away');
      answer();
      await until(async () => ((await jobOf(run.id)).state === 'completed' ? 'over' : null), 'the job is over');
      expect(lines).toEqual([]);
      expect((await client.get(`/api/v1/syncs/${run.id}`)).body).toMatchObject({ status: 'succeeded', problems: [] });
    } finally {
      answer();
      scene.bank.play(null);
      await scene.execute('alter table if exists accounts_away rename to accounts');
    }
  });

  it.each([
    ['counts a request', '57P03', 'insert on provider_requests'],
    ['stores an account', '57P01', 'insert on accounts'],
    ['stores a transaction', '08006', 'insert on transactions'],
    ['stores its end', '53300', 'update of last_synced_at on connections'],
  ])('a sync is retried when the database stops or starts while it %s (%s)', async (_, code, statement) => {
    await scene.execute('create sequence refusals');
    await scene.execute(`create function refuse_once() returns trigger language plpgsql as $$ begin
      if nextval('refusals') = 1 then raise exception 'the database system is shutting down' using errcode = '${code}'; end if;
      return new; end $$`);
    await scene.execute(`create trigger refuse before ${statement} for each row execute function refuse_once()`);
    try {
      const { client, first } = await scene.synced();
      const { body: run } = await client.get(`/api/v1/syncs/${first}`);
      expect(run).toMatchObject({ status: 'succeeded', problems: [], attempts: 2, counts: { transactions_added: 15 } });
    } finally {
      await scene.execute('drop function refuse_once cascade');
      await scene.execute('drop sequence refusals');
    }
  });

  it('a sync whose end cannot be stored is retried with growing delays and finally fails', async () => {
    const { client, connection } = await scene.synced();
    await scene.execute(`alter table connections add constraint refuse_end check (id <> '${connection.id}') not valid`);
    try {
      scene.tidemark.clock.set('2026-03-16T12:00:00Z');
      const { body: run } = await syncNow(client, connection.id);
      const waits: number[] = [];
      for (let attempt = 1; attempt <= 5; attempt++) {
        const { wait } = await until(async () => {
          const job = await jobOf(run.id);
          return job.retry_count === attempt - 1 && job.state === 'retry' ? job : null;
        }, `retried after attempt ${attempt}`);
        waits.push(wait as number);
        expect((await client.get(`/api/v1/syncs/${run.id}`)).body).toMatchObject({
          status: 'queued',
          attempts: attempt,
        });
        await scene.execute('update pgboss.job set start_after = now() where id = ?', [run.id]);
      }
      expect(waits[4]).toBeGreaterThan(10);
      const over = await ended(client, run.id);
      expect(over).toMatchObject({ status: 'failed', attempts: 6, problems: [{ kind: 'interrupted' }] });
      expect(lines.filter((line) => line.includes('failed; it is retried'))).toHaveLength(6);
    } finally {
      await scene.execute('alter table connections drop constraint refuse_end');
    }
  });

  it('an open sync without a job ends as interrupted once a sync of its connection is requested', async () => {
    const { client, connection } = await scene.synced();
    const { body: lost } = await syncNow(client, connection.id);
    await ended(client, lost.id);
    // As after a restore, or in a queue that nobody worked on for weeks.
    await scene.execute(`update sync_runs set status = 'queued', finished_at = null where id = ?`, [lost.id]);
    const { body: made } = await syncNow(client, connection.id);
    expect(await ended(client, made.id)).toMatchObject({ status: 'succeeded' });
    expect((await client.get(`/api/v1/syncs/${lost.id}`)).body).toMatchObject({
      ...{ status: 'failed', problems: [{ kind: 'interrupted' }] },
    });
  });
});
