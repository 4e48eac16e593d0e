import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { noteChanges } from '../../src/change-log/note-changes.js';
import { noteProgress } from '../../src/sync/events/run-events.js';
import { DeliveryWorker } from '../../src/webhooks/sending/delivery-worker.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, open, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { createTestDatabase } from '../support/database.js';
import { type ReadEvent, stepsOf } from '../support/event-stream.js';
import { createConnection } from '../support/factories.js';
import { startScriptedServer } from '../support/scripted-server.js';
import { leaveRunsAlone, until } from '../support/syncs.js';

const ACCOUNT = '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90';

describe('a standby that has taken over and lacks the last change', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp(LOCAL_PROVIDER);
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    client = await createClient(tidemark);
  });

  const execute = <Row>(statement: string, parameters: unknown[] = []) =>
    tidemark.em().getConnection().execute<Row[]>(statement, parameters);
  const stored = async () =>
    (await execute<{ epoch: string; timeline: number | null }>('select epoch, timeline from feed_epoch'))[0]!;
  const change = () =>
    tidemark
      .em()
      .transactional(() => Promise.resolve(noteChanges(client.userId, { kind: 'balances', accountId: ACCOUNT })));

  /** A webhook, and all that a client has seen of a change. */
  async function seen() {
    const receiver = await startScriptedServer();
    afterThisTest(receiver.stop);
    receiver.play({ status: 204 });
    await client.post('/api/v1/webhooks', { url: `${receiver.url}/hook` });
    const sent = async () => {
      const worker = tidemark.app.get(DeliveryWorker);
      await worker.poll();
      await worker.settled();
      return receiver.requests.map(({ headers }) => headers['webhook-id']);
    };
    await change();
    const [id] = await sent();
    const { cursor } = (await client.get('/api/v1/changes?cursor=latest')).body;
    const tag = (await client.get('/api/v1/accounts')).headers.get('etag')!;
    const again = async () => ({
      feed: (await client.get(`/api/v1/changes?cursor=${cursor}`)).status,
      list: (await client.get('/api/v1/accounts', { 'If-None-Match': tag })).status,
    });
    expect(await again()).toEqual({ feed: 200, list: 304 });
    return { id, sent, again };
  }

  /** What the standby has not replayed. */
  async function loseLastChange() {
    const [last] = await execute<{ revision: string }>('select revision from user_revisions where user_id = ?', [
      client.userId,
    ]);
    const lost = [client.userId, last!.revision];
    await execute('delete from changes where user_id = ? and revision = ?', lost);
    await execute('delete from revisions where user_id = ? and revision = ?', lost);
    await execute(
      `update user_revisions set revision = revision - 1, records_revision = records_revision - 1
       where user_id = ? and revision = ?`,
      lost,
    );
    await execute('delete from webhook_deliveries where user_id = ?', [client.userId]);
    await execute('update webhook_endpoints set position = position - 1 where user_id = ?', [client.userId]);
  }

  async function startInstance() {
    const beside = await startTestApp(LOCAL_PROVIDER, tidemark.clock, tidemark.database);
    afterThisTest(beside.stop);
  }

  async function openSessionsAgain() {
    const { epoch } = await stored();
    // The one that listens, also where it has said since that it is alive.
    await execute(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query ~* '^(listen "|select 1$)'`);
    await until(async () => ((await stored()).epoch === epoch ? null : true), 'noticed');
  }

  async function atSecondAttempt(failOnce: () => Promise<void>) {
    await execute('create schema shadow');
    afterThisTest(() => execute('drop schema shadow cascade'));
    await execute('create sequence shadow.attempts');
    await failOnce();
    await openSessionsAgain();
  }

  const FAIL_ONCE = `if nextval('shadow.attempts') = 1 then raise 'too busy' using errcode = '57014'; end if`;

  async function failReadingOnce() {
    await execute(`
      create function shadow.pg_walfile_name(pg_lsn) returns text language plpgsql as $$
      begin
        ${FAIL_ONCE};
        return pg_catalog.pg_walfile_name($1);
      end $$`);
    const inDatabase = (change: string) =>
      execute(`do $$ begin execute format('alter database %I ${change}', current_database()); end $$`);
    await inDatabase('set search_path = shadow, public, pg_catalog');
    afterThisTest(() => inDatabase('reset search_path'));
  }

  async function failWritingOnce() {
    await execute(`
      create function shadow.fail_once() returns trigger language plpgsql as $$
      begin
        ${FAIL_ONCE};
        return new;
      end $$`);
    await execute(`
      create trigger fail_once before update of timeline on feed_epoch for each row execute function shadow.fail_once()`);
  }

  it.each([
    ['when an instance starts', startInstance],
    ['when the sessions of an instance are opened again', openSessionsAgain],
    ['though it is found out at the second attempt only', () => atSecondAttempt(failReadingOnce)],
    ['though it is written at the second attempt only', () => atSecondAttempt(failWritingOnce)],
  ])('is noticed %s: no number stands for two changes', async (_, takeOver) => {
    const { id, sent, again } = await seen();
    await loseLastChange();
    const { timeline } = await stored();
    await execute('update feed_epoch set timeline = timeline + 1');
    await takeOver();
    await change();
    expect(await again()).toEqual({ feed: 410, list: 200 });
    const ids = await sent();
    expect(ids.length).toBeGreaterThan(1);
    expect(ids.slice(1)).not.toContain(id);
    expect((await stored()).timeline).toBe(timeline);
  });

  /** What a client that follows gets. */
  async function* follow(path: string, last?: string): AsyncGenerator<ReadEvent> {
    const leave = new AbortController();
    afterThisTest(() => leave.abort());
    const headers = { 'X-Api-Key': client.key, ...(last && { 'Last-Event-ID': last }) };
    yield* stepsOf(await open(tidemark.url + path, { headers, signal: leave.signal }));
  }

  /** Reads up to the end. */
  async function ended(stream: AsyncGenerator<ReadEvent>): Promise<void> {
    while (!(await stream.next()).done);
  }

  const feedStatus = async (cursor: string) => (await client.get(`/api/v1/changes?cursor=${cursor}`)).status;

  it.each([
    ['this instance', openSessionsAgain],
    ['another instance', startInstance],
  ])('ends the streams that are open when %s notices it, and the next one begins with a reset', async (_, takeOver) => {
    await change();
    await change();
    const stream = follow('/api/v1/events');
    const last = (await stream.next()).value as ReadEvent;
    await loseLastChange();
    await execute('update feed_epoch set timeline = timeline + 1');
    await takeOver();
    await ended(stream);
    const again = follow('/api/v1/events', last.id);
    expect((await again.next()).value).toMatchObject({ name: 'reset' });
    const { id } = (await again.next()).value as ReadEvent;
    expect(await feedStatus(id)).toBe(200);
    await change();
    expect((await again.next()).value).toMatchObject({ name: 'changes', data: { types: ['balances'] } });
  });

  it('gives a stream that begins just then positions of the new primary', async () => {
    await change();
    const before = follow('/api/v1/events');
    await before.next();
    // As an instance that has noticed it, whose message is under way.
    await execute('update user_revisions set revision = revision + 1000, floor = revision + 1000 where user_id = ?', [
      client.userId,
    ]);
    await execute('update feed_epoch set epoch = gen_random_uuid()');
    const { id } = (await follow('/api/v1/events').next()).value as ReadEvent;
    expect(await feedStatus(id)).toBe(200);
    await ended(before);
  });

  it('ends the stream of a sync that only the old primary had', async () => {
    await leaveRunsAlone(tidemark);
    const { id: connectionId } = await createConnection(tidemark, client.userId);
    const id = randomUUID();
    await tidemark.em().transactional(async (em) => {
      await em.execute(
        `insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
         values (?, ?, ?, 'person', 'queued', 'waiting', now())`,
        [client.userId, id, connectionId],
      );
      noteProgress({ userId: client.userId, id });
    });
    const stream = follow(`/api/v1/syncs/${id}/events`);
    expect((await stream.next()).value).toMatchObject({ name: 'sync', data: { id, status: 'queued' } });
    await loseLastChange();
    await execute('delete from sync_runs where id = ?', [id]);
    await execute('update feed_epoch set timeline = timeline + 1');
    await openSessionsAgain();
    await ended(stream);
    expect((await client.get(`/api/v1/syncs/${id}/events`)).status).toBe(404);
  });

  it('is not what a restart of the same server looks like', async () => {
    const { again } = await seen();
    const before = await stored();
    expect(before.timeline).toEqual(expect.any(Number));
    await startInstance();
    expect(await stored()).toEqual(before);
    expect(await again()).toEqual({ feed: 200, list: 304 });
  });
});

describe('a check for a failover that waits for a lock', () => {
  /** Begins a check that waits. @returns what ends the session that listens, and which sessions wait. */
  async function waitingCheck(limits: NodeJS.ProcessEnv) {
    const database = await createTestDatabase();
    afterThisTest(database.drop);
    const { stop } = await startTestApp(limits, undefined, database);
    afterThisTest(stop);
    // The one that locks would see the sessions as they were when its transaction began.
    const [locks, looks] = [new pg.Client(database.url), new pg.Client(database.url)];
    for (const client of [locks, looks]) {
      await client.connect();
      afterThisTest(() => client.end());
    }
    const loseSession = () =>
      looks.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ~* '^(listen "|select 1$)'`);
    const waiting = async (others: number[]) => {
      const { rows } = await looks.query<{ pid: number }>(`
        select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%feed_epoch for update'`);
      const pids = rows.map(({ pid }) => pid);
      return pids.length > 0 && !pids.some((pid) => others.includes(pid)) ? pids : null;
    };
    await locks.query('begin');
    await locks.query('select from feed_epoch for update');
    await until(async () => ((await loseSession()).rowCount ? true : null), 'lost');
    return { stop, loseSession, waiting, first: await until(() => waiting([]), 'waiting') };
  }

  const PATIENT = {
    DATABASE_STATEMENT_TIMEOUT_MS: '3600000',
    DATABASE_LOCK_TIMEOUT_MS: '3600000',
    DATABASE_BACKGROUND_STATEMENT_TIMEOUT_MS: '3600000',
    DATABASE_BACKGROUND_LOCK_TIMEOUT_MS: '3600000',
  };

  it('makes place for the next one, and for a stop', async () => {
    const { stop, loseSession, waiting, first } = await waitingCheck(PATIENT);
    await until(async () => ((await loseSession()).rowCount ? true : null), 'lost again');
    await until(() => waiting(first), 'checked anew');
    await stop();
  });

  it('waits no longer than a request, and is repeated', async () => {
    const { waiting, first } = await waitingCheck({ ...PATIENT, DATABASE_LOCK_TIMEOUT_MS: '1000' });
    await until(() => waiting(first), 'repeated');
  });
});
