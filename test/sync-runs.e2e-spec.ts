import { Connection } from '../src/sync/connections/connection.entity.js';
import { RunLease } from '../src/sync/runs/run-lease.js';
import { Scheduler } from '../src/sync/runs/scheduler.js';
import { SyncRuns } from '../src/sync/runs/sync-runs.repository.js';
import { createClient, startTestApp, type TestApp, type TestClient } from './app.js';
import { accountsOf, type InstantBank, startInstantBank, userOf } from './instant-bank.js';
import { wireSet } from './scripted-us-provider.js';

const TODAY = '2026-03-15';
const OPEN = ['queued', 'running'];
const DEADLINE_MS = 60_000;

let tidemark: TestApp;
let bank: InstantBank;
let serial = 0;

beforeAll(async () => {
  bank = await startInstantBank(TODAY);
  tidemark = await startTestApp({ PROVIDER_ALLOW_PRIVATE_NETWORK: '1', USPROVIDER_ALLOWED_HOSTS: '127.0.0.1' });
});
afterEach(() => bank.play(null));
afterAll(async () => {
  await tidemark.stop();
  await bank.server.stop();
});

/** A person with a connection of their own user at the bank; its first sync may still be under way. */
async function connected() {
  const client = await createClient(tidemark);
  const user = `user${++serial}`;
  const { body: connection } = await client.post('/api/v1/connections', {
    ...{ provider: 'us_provider', setup_token: bank.setupToken(user), history_days: 30 },
  });
  return { client, user, connection, first: connection.latest_sync_id as string };
}

/** The same with its first sync done. */
async function synced() {
  const person = await connected();
  await finished(person.client, person.first);
  return person;
}

async function until<T>(look: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (performance.now() > deadline) throw new Error(`still not ${what}`);
  }
}

async function finished(client: TestClient, id: string) {
  return until(async () => {
    const { body } = await client.get(`/api/v1/syncs/${id}`);
    return OPEN.includes(body.status) ? null : body;
  }, `finished: ${id}`);
}

/** Something to wait for that a test lets happen. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

const sync = (client: TestClient, connectionId: string) => client.post(`/api/v1/connections/${connectionId}/sync`);

async function rowsOf(userId: string, tables = ['accounts', 'transactions', 'observations', 'balances']) {
  const rows: Record<string, unknown> = {};
  for (const table of tables) {
    rows[table] = await execute(`select * from ${table} where user_id = ? order by 1, 2, 3`, [userId]);
  }
  return rows;
}

function execute(statement: string, parameters: unknown[] = []): Promise<Record<string, unknown>[]> {
  return tidemark.em().getConnection().execute(statement, parameters);
}

describe('what a sync tells', () => {
  it('counts what came of every account', async () => {
    const { client, first } = await synced();
    const { body } = await client.get(`/api/v1/syncs/${first}`);
    expect(body).toMatchObject({ status: 'succeeded', attempts: 1, progress: { accounts_done: 3, accounts_total: 3 } });
    expect(body.accounts.map(({ name }: { name: string }) => name)).toEqual(['Account 0', 'Account 1', 'Account 2']);
    for (const account of body.accounts) {
      expect(account).toMatchObject({ transactions_fetched: 5, transactions_added: 5, transactions_updated: 0 });
      expect(account.balances_written).toBeGreaterThan(5);
      expect(account.problems).toEqual([]);
    }
    expect(body.counts).toMatchObject({ accounts: 3, transactions_added: 15 });
  });

  it('is partial when one account cannot be stored, and says which and what to do', async () => {
    await execute(`create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'no'; end $$`);
    await execute(`create trigger refuse before insert on accounts for each row when (new.name = 'Account 1')
      execute function refuse()`);
    try {
      const { client, first } = await synced();
      const { body } = await client.get(`/api/v1/syncs/${first}`);
      expect(body).toMatchObject({ status: 'partial', counts: { transactions_added: 10 } });
      const problem = { kind: 'account_failed', retryable: true, account_id: null, action: expect.any(String) };
      expect(body.problems).toMatchObject([problem]);
      const counts = body.accounts.map((account: { transactions_added: number; problems: object[] }) => [
        account.transactions_added,
        account.problems.length,
      ]);
      expect(counts).toEqual([
        [5, 0],
        [0, 1],
        [5, 0],
      ]);
    } finally {
      await execute('drop trigger refuse on accounts');
    }
  });

  it('names the account of a problem that the provider tells', async () => {
    const { client, user, connection } = await synced();
    const errlist = [{ code: 'act.failed', msg: 'Bank is away', account_id: `${user}-1` }];
    bank.play(() => ({ body: { ...accountsOf(user, TODAY, 3), errlist } }));
    const run = await finished(client, (await sync(client, connection.id)).body.id);
    expect(run.status).toBe('partial');
    const concerned = run.accounts.filter((account: { problems: object[] }) => account.problems.length > 0);
    expect(concerned).toMatchObject([{ name: 'Account 1', problems: [{ kind: 'account_failed' }] }]);
    expect(concerned[0].account_id).toBe(run.problems[0].account_id);
  });

  it.each([
    [
      'refuses',
      { status: 403, body: { errlist: [{ code: 'gen.auth' }] } },
      { kind: 'access_revoked', retryable: false },
    ],
    ['wants to be paid', { status: 402 }, { kind: 'payment_required', retryable: false }],
    ['answers nonsense', { body: '<html>' }, { kind: 'unexpected_reply', retryable: true }],
    ['lists no accounts', { body: wireSet([]) }, { kind: 'data_incomplete' }],
  ])('fails and changes no data when the provider %s', async (_, answer, problem) => {
    const { client, connection } = await synced();
    const before = await rowsOf(client.userId);
    bank.play(() => answer);
    const run = await finished(client, (await sync(client, connection.id)).body.id);
    expect(run).toMatchObject({ status: 'failed', problems: [problem] });
    expect(await rowsOf(client.userId)).toEqual(before);
    const { body } = await client.get(`/api/v1/connections/${connection.id}`);
    expect(body.last_synced_at).toBe(tidemark.clock.now().toISOString());
  });

  it('puts a failing connection off longer and longer,', async () => {
    const { client, connection } = await synced();
    bank.play(() => ({ body: '<html>' }));
    const waits: number[] = [];
    for (let failure = 0; failure < 3; failure++) {
      await finished(client, (await sync(client, connection.id)).body.id);
      const { body } = await client.get(`/api/v1/connections/${connection.id}`);
      waits.push((Date.parse(body.next_sync_at) - tidemark.clock.now().getTime()) / 3_600_000);
    }
    expect(waits).toEqual([1, 2, 4]);
  });

  it('leaves a connection that needs a person alone until one has synced it by hand', async () => {
    const { client, user, connection } = await synced();
    bank.play(() => ({ status: 402 }));
    await finished(client, (await sync(client, connection.id)).body.id);
    expect((await client.get(`/api/v1/connections/${connection.id}`)).body.status).toBe('attention_required');
    const asked = bank.asked(user);
    tidemark.clock.set('2026-03-20T12:00:00Z');
    await tidemark.app.get(Scheduler).tick();
    const { body } = await client.get('/api/v1/syncs');
    tidemark.clock.set('2026-03-15T12:00:00Z');
    expect([body.syncs.length, bank.asked(user)]).toEqual([2, asked]);
    bank.play(null);
    await finished(client, (await sync(client, connection.id)).body.id);
    const { body: mended } = await client.get(`/api/v1/connections/${connection.id}`);
    expect(mended).toMatchObject({ status: 'active', status_reason: null });
  });
});

describe('the list of syncs', () => {
  it('is newest first, paged and filtered', async () => {
    const { client, connection, first } = await synced();
    tidemark.clock.set('2026-03-15T12:00:01Z');
    const { body: second } = await sync(client, connection.id);
    await finished(client, second.id);
    tidemark.clock.set('2026-03-15T12:00:00Z');
    const ids = async (query: string) => {
      const { body } = await client.get(`/api/v1/syncs?${query}`);
      return body.syncs.map(({ id }: { id: string }) => id);
    };
    expect(await ids('')).toEqual([second.id, first]);
    expect(await ids('per_page=1&page=2')).toEqual([first]);
    expect(await ids(`connection_id=${connection.id}&status=succeeded`)).toEqual([second.id, first]);
    expect(await ids('status=failed')).toEqual([]);
    expect(await ids(`connection_id=${first}`)).toEqual([]);
    expect((await client.get('/api/v1/syncs')).body.pagination).toMatchObject({ total_count: 2 });
    const stranger = await createClient(tidemark);
    expect((await stranger.get('/api/v1/syncs')).body.syncs).toEqual([]);
  });

  it.each([
    ['status=done', /^status must be one of/],
    ['connection_id=1', /^connection_id must be a valid UUID/],
  ])('refuses %s', async (query, sentence) => {
    const client = await createClient(tidemark);
    const { status, body } = await client.get(`/api/v1/syncs?${query}`);
    expect(status).toBe(422);
    expect(body.errors[0]).toMatch(sentence);
  });
});

describe('a sync by hand', () => {
  it('makes no more requests than the budget, however often a person clicks', async () => {
    const { client, user, connection } = await synced();
    const statuses = new Map<number, number>();
    let refusal;
    for (let click = 0; click < 200; click++) {
      const { status, body, headers } = await sync(client, connection.id);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status === 202) await finished(client, body.id);
      else refusal = { body, retryAfter: headers.get('retry-after') };
    }
    expect([...statuses.keys()]).toEqual([202, 429]);
    // Of 24 a day, the first sync has used one more, to ask for the server's versions; every sync takes two.
    expect(bank.asked(user)).toBe(22);
    const next = new Date(tidemark.clock.now().getTime() + 86_400_000).toISOString();
    expect(refusal).toMatchObject({
      body: { error: 'rate_limit_exceeded', details: { limit: 24, next_allowed_at: next } },
      retryAfter: '86400',
    });
    expect((await client.get('/api/v1/syncs?status=failed')).body.syncs).toEqual([]);
  });

  it('begins at once what the schedule has put off', async () => {
    const { client, connection } = await synced();
    const runs = tidemark.app.get(SyncRuns);
    const inAnHour = new Date(Date.now() + 3_600_000);
    const scheduled = await runs.request(client.userId, connection.id, 'schedule');
    await execute(`update pgboss.job set start_after = ? where id = ?`, [inAnHour, scheduled.jobId]);
    const { body } = await sync(client, connection.id);
    expect(body).toMatchObject({ id: scheduled.id });
    expect(await finished(client, scheduled.id)).toMatchObject({ status: 'succeeded' });
  });
});

describe('cancelling', () => {
  it('stops a running sync at once, and what it has not stored stays away', async () => {
    const { client, connection } = await synced();
    const before = await rowsOf(client.userId);
    const asked = gate();
    bank.play(() => {
      asked.open();
      return 'silence';
    });
    const { body: queued } = await sync(client, connection.id);
    await asked.opened;
    const { status, body } = await client.delete(`/api/v1/syncs/${queued.id}`);
    expect([status, body.status, body.finished_at]).toEqual([202, 'cancelled', expect.any(String)]);
    bank.play(null);
    // The connection is free for the next one.
    const next = await finished(client, (await sync(client, connection.id)).body.id);
    expect(next).toMatchObject({ status: 'succeeded' });
    expect(await rowsOf(client.userId, ['transactions', 'balances'])).toEqual({
      ...{ transactions: before.transactions, balances: before.balances },
    });
    expect((await client.get(`/api/v1/syncs/${queued.id}`)).body).toEqual(body);
  });

  it('is refused once the sync has ended, and for what is not there', async () => {
    const { client, first } = await synced();
    expect((await client.delete(`/api/v1/syncs/${first}`)).status).toBe(409);
    expect((await client.delete('/api/v1/syncs/nonsense')).status).toBe(404);
    const stranger = await createClient(tidemark);
    expect((await stranger.delete(`/api/v1/syncs/${first}`)).status).toBe(404);
  });

  it('happens by itself when the connection is deleted, with nothing half written', async () => {
    const { client, connection } = await synced();
    const before = await rowsOf(client.userId, ['transactions', 'balances']);
    const [asked, go] = [gate(), gate()];
    bank.play(async (request) => {
      asked.open();
      await go.opened;
      return { body: accountsOf(`${userOf(request)}-new`, TODAY, 2) };
    });
    const { body: running } = await sync(client, connection.id);
    await asked.opened;
    await execute('delete from connections where id = ?', [connection.id]);
    go.open();
    const run = await finished(client, running.id);
    expect(run).toMatchObject({ status: 'cancelled', connection_id: null, problems: [] });
    expect(await rowsOf(client.userId, ['transactions', 'balances'])).toEqual(before);
  });
});

describe('the lease', () => {
  /** A run that no worker of this process takes up, since its job is not there. */
  async function abandoned() {
    const { client, connection } = await synced();
    const run = await tidemark.app.get(SyncRuns).request(client.userId, connection.id, 'schedule');
    await finished(client, run.id);
    await execute(`update sync_runs set status = 'running', finished_at = null where id = ?`, [run.id]);
    return { client, job: { userId: client.userId, runId: run.id, jobId: run.jobId! } };
  }

  const take = async (job: Parameters<typeof RunLease.take>[1]) =>
    (await RunLease.take(tidemark.em(), job, tidemark.clock.now()))!;

  it('lets only the newest taker write', async () => {
    const { client, job } = await abandoned();
    const old = await take(job);
    const young = await take(job);
    const rename = (lease: RunLease) =>
      lease.write(async (em) => {
        await em.nativeUpdate(Connection, { userId: client.userId }, { name: 'Renamed' });
        return { step: 'renamed' };
      });
    const name = async () => (await client.get('/api/v1/connections')).body.connections[0].name;
    await expect(rename(old)).rejects.toThrow('another worker has it');
    expect(await name()).toBe('US banks');
    await rename(young);
    expect(await name()).toBe('Renamed');
  });

  it('is not given to another job, nor for a run that is over', async () => {
    const { job } = await abandoned();
    expect(await take({ ...job, jobId: '00000000-0000-4000-8000-000000000000' })).toBeNull();
    await execute(`update sync_runs set status = 'cancelled' where id = ?`, [job.runId]);
    expect(await take(job)).toBeNull();
  });
});
