import { Connection } from '../../src/sync/connections/connection.entity.js';
import { type RunAttempt, RunAttempts, type SyncJob } from '../../src/sync/runs/run-attempt.js';
import { QUEUE, SyncRunsService } from '../../src/sync/runs/sync-runs.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient } from '../support/app.js';
import { gate } from '../support/gate.js';
import { accountsOf, userOf } from '../support/instant-bank.js';
import { SyncScene, TODAY } from '../support/sync-scene.js';
import { ended, synced, syncNow, until } from '../support/syncs.js';

let scene: SyncScene;

beforeAll(async () => {
  scene = await SyncScene.start();
});
afterEach(() => scene.bank.play(null));
afterAll(() => scene.stop());

/** How often the log of its person has moved. */
const REVISION = `(select revision::integer from user_revisions r where r.user_id = sync_runs.user_id)`;

describe('DELETE /api/v1/syncs/{id}', () => {
  it('cancelling a sync stops it at once, and it stores nothing more', async () => {
    const { client, connection } = await scene.synced();
    const before = await scene.rowsOf(client.userId);
    const asked = gate();
    scene.bank.play(() => {
      asked.open();
      return 'silence';
    });
    const { body: queued, headers } = await syncNow(client, connection.id);
    expect(headers.get('location')).toBe(`/api/v1/syncs/${queued.id}`);
    await asked.opened;
    const { status, body, headers: ofCancelled } = await client.delete(`/api/v1/syncs/${queued.id}`);
    expect(ofCancelled.get('location')).toBe(`/api/v1/syncs/${queued.id}`);
    expect([status, body.status, body.finished_at]).toEqual([202, 'cancelled', expect.any(String)]);
    scene.bank.play(null);
    // The connection is free for the next one.
    const next = await synced(client, connection.id);
    expect(next).toMatchObject({ status: 'succeeded' });
    expect(await scene.rowsOf(client.userId, ['transactions', 'balances'])).toEqual({
      ...{ transactions: before.transactions, balances: before.balances },
    });
    expect((await client.get(`/api/v1/syncs/${queued.id}`)).body).toEqual(body);
  });

  it('cancelling a finished or unknown sync is refused', async () => {
    const { client, first } = await scene.synced();
    expect((await client.delete(`/api/v1/syncs/${first}`)).status).toBe(409);
    expect((await client.delete('/api/v1/syncs/nonsense')).status).toBe(404);
    const stranger = await createClient(scene.tidemark);
    expect((await stranger.delete(`/api/v1/syncs/${first}`)).status).toBe(404);
  });

  it('deleting a connection cancels its sync and leaves no partial data', async () => {
    const { client, connection } = await scene.synced();
    const before = await scene.rowsOf(client.userId, ['transactions', 'balances']);
    const [asked, go] = [gate(), gate()];
    afterThisTest(go.open);
    scene.bank.play(async (request) => {
      asked.open();
      await go.opened;
      return { body: accountsOf(`${userOf(request)}-new`, TODAY, 2) };
    });
    const { body: running } = await syncNow(client, connection.id);
    await asked.opened;
    expect((await client.delete(`/api/v1/connections/${connection.id}`)).status).toBe(204);
    go.open();
    const run = await ended(client, running.id);
    expect(run).toMatchObject({ status: 'cancelled', connection_id: null, problems: [] });
    expect(await scene.rowsOf(client.userId, ['transactions', 'balances'])).toEqual(before);
  });
});

describe('attempts at a sync run', () => {
  /** A run that no worker of this process takes up, since its job is over: the first of further attempts at it. */
  async function abandoned() {
    const { client, connection } = await scene.synced();
    const run = await scene.tidemark.app.get(SyncRunsService).request(client.userId, connection.id, 'schedule');
    await ended(client, run.id);
    await scene.execute(`update sync_runs set status = 'running', finished_at = null where id = ?`, [run.id]);
    return { client, job: { name: QUEUE, id: run.id, data: { userId: client.userId, runId: run.id }, retryCount: 1 } };
  }

  const attempts = () => scene.tidemark.app.get(RunAttempts);
  const take = async (job: SyncJob) => (await attempts().begin(job))!;
  const next = (job: SyncJob): SyncJob => ({ ...job, retryCount: job.retryCount + 1 });

  it('only the newest attempt at a sync run may write', async () => {
    const { client, job } = await abandoned();
    const old = await take(job);
    const young = await take(next(job));
    const rename = (attempt: RunAttempt) =>
      attempt.write(async (em) => {
        await em.nativeUpdate(Connection, { userId: client.userId }, { name: 'Renamed' });
        return { step: 'renamed' };
      });
    const name = async () => (await client.get('/api/v1/connections')).body.connections[0].name;
    await expect(rename(old)).rejects.toThrow('another worker has it');
    expect(await name()).toBe('US banks');
    await rename(young);
    expect(await name()).toBe('Renamed');
  });

  const rowOf = async ({ id }: SyncJob) =>
    (await scene.execute(`select step, accounts_total, ${REVISION} from sync_runs where id = ?`, [id]))[0]!;

  it('progress of a sync is stored with the next write and not separately', async () => {
    const { job } = await abandoned();
    const attempt = (await attempts().begin(job, () => gate().opened))!;
    const { revision: before } = await rowOf(job);
    for (const step of ['balances', 'the newest transactions']) attempt.progress({ step, accountsTotal: 2 });
    await attempt.write(() => ({ step: 'writing' }));
    expect(await rowOf(job)).toEqual({ step: 'writing', accounts_total: 2, revision: Number(before) + 1 });
    expect(attempt.signal.aborted).toBe(false);
  });

  it('progress of a sync is stored once if no other write follows, and not again if one does', async () => {
    const { job } = await abandoned();
    const pauses = [gate(), gate()];
    const begun = pauses.values();
    const attempt = (await attempts().begin(job, () => begun.next().value!.opened))!;
    const { revision: before } = await rowOf(job);
    for (const step of ['balances', 'holdings']) attempt.progress({ step });
    expect(await rowOf(job)).toMatchObject({ revision: before });
    pauses[0]!.open();
    await until(async () => (await rowOf(job))['step'] === 'holdings' || null, 'written: progress');
    attempt.progress({ step: 'the newest transactions' });
    await attempt.write(() => ({ step: 'writing' }));
    pauses[1]!.open();
    await pauses[1]!.opened;
    await attempt.write(() => ({ accountsTotal: 2 }));
    expect(await rowOf(job)).toEqual({ step: 'writing', accounts_total: 2, revision: Number(before) + 3 });
    expect(attempt.signal.aborted).toBe(false);
  });

  it('progress of a sync whose write failed is stored with the next one', async () => {
    const { job } = await abandoned();
    const attempt = await take(job);
    attempt.progress({ accountsTotal: 2 });
    await expect(attempt.write(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    await attempt.write(() => ({ step: 'writing' }));
    expect(await rowOf(job)).toMatchObject({ step: 'writing', accounts_total: 2 });
    expect(attempt.signal.aborted).toBe(false);
  });

  it('the signal of an attempt aborts before the next write once a later attempt has the run', async () => {
    const { job } = await abandoned();
    const pause = gate();
    const old = (await attempts().begin(job, () => pause.opened))!;
    old.progress({ step: 'balances' });
    await take(next(job));
    expect(old.signal.aborted).toBe(false);
    pause.open();
    await until(() => Promise.resolve(old.signal.aborted || null), 'aborted: the signal of the old attempt');
    expect(old.signal.reason).toMatchObject({ name: 'RunOverError' });
  });

  it('no attempt begins that is not newer than the last, or at a finished run', async () => {
    const { job } = await abandoned();
    await take(job);
    expect(await take(job)).toBeNull();
    await scene.execute(`update sync_runs set status = 'cancelled' where id = ?`, [job.id]);
    expect(await take(next(job))).toBeNull();
  });
});
