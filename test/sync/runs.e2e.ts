import { ConnectionHealthQueries } from '../../src/sync/overview/connection-health.queries.js';
import { SyncScheduler } from '../../src/sync/schedule/sync-scheduler.js';
import { SyncRunsService } from '../../src/sync/runs/sync-runs.service.js';
import { createClient } from '../support/app.js';
import { accountsOf } from '../support/instant-bank.js';
import { wireSet, wireTransaction } from '../support/scripted-us-provider.js';
import { SyncScene, TODAY } from '../support/sync-scene.js';
import { ended, synced, syncNow } from '../support/syncs.js';

let scene: SyncScene;

beforeAll(async () => {
  scene = await SyncScene.start({ MAX_TRANSACTIONS_PER_PERSON: '5000' });
});
afterEach(() => {
  scene.bank.play(null);
  scene.tidemark.clock.set('2026-03-15T12:00:00Z');
});
afterAll(() => scene.stop());

describe('results of a sync', () => {
  it('a sync counts the results of every account', async () => {
    const { client, first } = await scene.synced();
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

  it('a sync is partial when one account cannot be stored, and says which one and what to do', async () => {
    await scene.execute(`alter table accounts add constraint refuse check (name <> 'Account 1') not valid`);
    try {
      const { client, first } = await scene.synced();
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
      await scene.execute('alter table accounts drop constraint refuse');
    }
  });

  it('a sync stores no new account beyond the limit of a user and reports it', async () => {
    const { client, user, connection } = await scene.synced();
    await scene.execute(
      `insert into accounts select (jsonb_populate_record(a, jsonb_build_object(
        'id', gen_random_uuid(), 'external_id', 'other ' || n, 'connection_id', null, 'name', 'Other'))).*
      from accounts a, generate_series(4, 500) n where user_id = ? and external_id = ?`,
      [client.userId, `${user}-0`],
    );
    scene.bank.play(() => ({ body: accountsOf(user, TODAY, 5) }));
    const refused = await synced(client, connection.id);
    expect(refused).toMatchObject({ status: 'partial', counts: { transactions_added: 0 } });
    const message = 'is left out, because you have 500 accounts, which is the limit.';
    expect(refused.problems).toMatchObject([
      { kind: 'limit_reached', message: `“Account 3” ${message}`, action: expect.stringMatching(/^Delete accounts/) },
      { kind: 'limit_reached', message: `“Account 4” ${message}` },
    ]);
    await scene.execute(`delete from accounts where user_id = ? and external_id = 'other 4'`, [client.userId]);
    expect((await synced(client, connection.id)).problems).toMatchObject([{ message: `“Account 4” ${message}` }]);
  });

  it('a sync leaves an account unchanged that would have too many transactions and versions, and reports it', async () => {
    const { client, user, connection } = await scene.synced();
    const idOf = async (name: string) => {
      const { body } = await client.get('/api/v1/accounts');
      return body.accounts.find((account: { name: string }) => account.name === name).id as string;
    };
    await scene.execute(
      `insert into transaction_versions (user_id, account_id, id, transaction_id, external_id, date, amount_minor, currency,
         description, listed_from, listed_until, reason, first_seen_at, transaction_created_at)
       select user_id, account_id, gen_random_uuid(), id, external_id, date, n, currency, description, first_seen_at,
         first_seen_at, 'changed', first_seen_at, created_at
       from transactions, generate_series(1, 985) n where user_id = ? and external_id = ?`,
      [client.userId, `${user}-0-0`],
    );
    const syncWith = (rows: object[]) => {
      scene.bank.play(() => ({ body: accountsOf(user, TODAY, 2, rows) }));
      return synced(client, connection.id);
    };
    const fresh = (count: number) =>
      Array.from({ length: count }, (_, n) => wireTransaction(`new ${n}`, TODAY, '-7.00'));
    const account = await idOf('Account 0');
    const count = async () =>
      (await client.get(`/api/v1/transactions?account_id=${account}`)).body.pagination.total_count as number;
    const refused = await syncWith(fresh(11));
    expect(refused).toMatchObject({ status: 'partial', counts: { transactions_added: 11 } });
    expect(refused.problems).toMatchObject([
      {
        kind: 'limit_reached',
        message: expect.stringMatching(/^“Account 0” is not updated.* more than 1,000 /),
        account_id: account,
      },
    ]);
    expect(await count()).toBe(5);
    expect(await syncWith(fresh(10))).toMatchObject({ counts: { transactions_added: 10 }, problems: [] });
    expect(await count()).toBe(15);
    // Of a changed one, a version is kept.
    const changed = await syncWith([wireTransaction('new 0', TODAY, '-8.00'), ...fresh(10).slice(1)]);
    expect(changed.problems).toMatchObject([{ kind: 'limit_reached', account_id: account }]);
  });

  it('a sync leaves an account unchanged that would bring a user more transactions than one may have, and no other', async () => {
    const { client, user, connection } = await scene.synced();
    await scene.execute(
      `insert into transactions select (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(), 'external_id', n))).*
       from transactions t, generate_series(1, 4984) n where user_id = ? and external_id = ?`,
      [client.userId, `${user}-2-0`],
    );
    scene.bank.play(() => ({ body: accountsOf(user, TODAY, 2, [wireTransaction('new', TODAY, '-7.00')]) }));
    const refused = await synced(client, connection.id);
    expect(refused).toMatchObject({ status: 'partial', counts: { transactions_added: 1 } });
    const message = expect.stringMatching(
      /^“Account 1” is not updated, because you would have more than 5,000 transact/,
    );
    expect(refused.problems).toMatchObject([{ kind: 'limit_reached', message }]);
  });

  it('a sync names the account whose amounts are too large to count, alone or in total', async () => {
    const { client, user, connection } = await scene.synced();
    const syncWith = async (count: number, amount: string) => {
      const rows = Array.from({ length: count }, (_, row) => wireTransaction(`${count}-${row}`, TODAY, amount));
      scene.bank.play(() => ({ body: accountsOf(user, TODAY, 1, rows) }));
      return synced(client, connection.id);
    };
    const alone = await syncWith(2, '90071992547409.91');
    expect(alone).toMatchObject({ status: 'partial', counts: { transactions_added: 0 } });
    expect(alone.accounts[0].problems).toMatchObject([
      {
        kind: 'amount_too_large',
        retryable: false,
        message: expect.stringMatching(/^2 transactions .* were left out\.$/),
      },
    ]);
    const together = await syncWith(30, '900000000000.00');
    expect(together).toMatchObject({ status: 'failed', counts: { transactions_added: 0 } });
    const message =
      'Account 0 could not be updated, because its amounts add up to more than Tidemark can count exactly.';
    expect(together.accounts[0].problems).toMatchObject([{ kind: 'account_failed', message }]);
  });

  it('a sync names the account of a problem that the provider reports', async () => {
    const { client, user, connection } = await scene.synced();
    const errlist = [{ code: 'act.failed', msg: 'Bank is away', account_id: `${user}-1` }];
    scene.bank.play(() => ({ body: { ...accountsOf(user, TODAY, 3), errlist } }));
    const run = await synced(client, connection.id);
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
    ['requires payment', { status: 402 }, { kind: 'payment_required', retryable: false }],
    ['answers with HTML', { body: '<html>' }, { kind: 'unexpected_reply', retryable: true }],
    ['lists no accounts', { body: wireSet([]) }, { kind: 'data_incomplete' }],
  ])('a sync fails and changes no data when the provider %s', async (_, answer, problem) => {
    const { client, connection } = await scene.synced();
    const before = await scene.rowsOf(client.userId);
    scene.bank.play(() => answer);
    const run = await synced(client, connection.id);
    expect(run).toMatchObject({ status: 'failed', problems: [problem] });
    expect(await scene.rowsOf(client.userId)).toEqual(before);
    const { body } = await client.get(`/api/v1/connections/${connection.id}`);
    expect(body.last_synced_at).toBe(scene.tidemark.clock.now().toISOString());
  });

  it('the next scheduled sync is delayed by failures of scheduled syncs since the last credential, not of manual ones', async () => {
    const { client, user, connection } = await scene.synced();
    scene.bank.play(() => ({ body: '<html>' }));
    const path = `/api/v1/connections/${connection.id}`;
    const waitAfter = async (id: string) => {
      expect(await ended(client, id)).toMatchObject({ status: 'failed' });
      const { body } = await client.get(path);
      return (Date.parse(body.next_sync_at) - scene.tidemark.clock.now().getTime()) / 3_600_000;
    };
    const clicked = async () => waitAfter((await syncNow(client, connection.id)).body.id);
    const ticked = async (day: string) => {
      scene.tidemark.clock.set(`${day}T12:00:00Z`);
      await scene.tidemark.app.get(SyncScheduler).tick();
      return waitAfter((await client.get('/api/v1/syncs')).body.syncs[0].id);
    };
    const renewed = async () => {
      scene.tidemark.clock.set('2026-03-18T13:00:00Z');
      const secret = { setup_token: scene.bank.setupToken(`${user}-anew`) };
      return waitAfter((await client.put(`${path}/credentials`, secret)).body.latest_sync_id);
    };
    expect([await clicked(), await clicked(), await clicked()]).toEqual([1, 1, 1]);
    expect(await ticked('2026-03-17')).toBe(1);
    expect(await ticked('2026-03-18')).toBe(2);
    expect(await clicked()).toBe(2);
    expect(await renewed()).toBe(1);
    expect(await ticked('2026-03-19')).toBe(1);
  });

  it('a connection that needs attention is not synced by schedule until a manual sync succeeds', async () => {
    const { client, user, connection } = await scene.synced();
    scene.bank.play(() => ({ status: 402 }));
    await synced(client, connection.id);
    expect((await client.get(`/api/v1/connections/${connection.id}`)).body.status).toBe('attention_required');
    const asked = scene.bank.asked(user);
    scene.tidemark.clock.set('2026-03-20T12:00:00Z');
    await scene.tidemark.app.get(SyncScheduler).tick();
    const { body } = await client.get('/api/v1/syncs');
    scene.tidemark.clock.set('2026-03-15T12:00:00Z');
    expect([body.syncs.length, scene.bank.asked(user)]).toEqual([2, asked]);
    scene.bank.play(null);
    await synced(client, connection.id);
    const { body: mended } = await client.get(`/api/v1/connections/${connection.id}`);
    expect(mended).toMatchObject({ status: 'active', status_reason: null });
  });
});

describe('problems of connections in the navigation', () => {
  it('the age of a problem is counted in UTC whatever the timezone of the database is', async () => {
    const { client } = await scene.synced();
    // Incomplete since the 13th: it may be out of date on the 15th.
    await scene.execute(`update accounts set covered = '{}', created_at = '2026-03-13T20:00:00Z' where user_id = ?`, [
      client.userId,
    ]);
    for (const zone of ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
      const health = await scene.tidemark.em().transactional(async (em) => {
        await em.execute(`set local time zone '${zone}'`);
        return scene.tidemark.app.get(ConnectionHealthQueries).read(client.userId);
      });
      expect([zone, health.hasTrouble]).toEqual([zone, true]);
    }
  });
});

describe('GET /api/v1/syncs', () => {
  it('the list of syncs is newest first, paged and filtered', async () => {
    const { client, connection, first } = await scene.synced();
    scene.tidemark.clock.set('2026-03-15T12:00:01Z');
    const { body: second } = await syncNow(client, connection.id);
    await ended(client, second.id);
    scene.tidemark.clock.set('2026-03-15T12:00:00Z');
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
    const stranger = await createClient(scene.tidemark);
    expect((await stranger.get('/api/v1/syncs')).body.syncs).toEqual([]);
  });

  it('the list of syncs has the right order for two requested in the same millisecond', async () => {
    const { client, connection, first } = await scene.synced();
    const asked = [first];
    for (let sync = 0; sync < 6; sync++) {
      asked.unshift((await synced(client, connection.id)).id);
      const { body } = await client.get('/api/v1/syncs');
      expect(body.syncs.map(({ id }: { id: string }) => id)).toEqual(asked);
      expect((await client.get(`/api/v1/connections/${connection.id}`)).body.latest_sync_id).toBe(asked[0]);
    }
  });

  it.each([
    ['status=done', /^status must be one of/],
    ['connection_id=1', /^connection_id must be a valid UUID/],
  ])('the list of syncs refuses %s', async (query, sentence) => {
    const client = await createClient(scene.tidemark);
    const { status, body } = await client.get(`/api/v1/syncs?${query}`);
    expect(status).toBe(422);
    expect(body.errors[0]).toMatch(sentence);
  });
});

describe('manual syncs', () => {
  it('manual syncs make no more requests than the budget, however often a user clicks', async () => {
    const { client, user, connection } = await scene.synced();
    const refusals = [];
    for (let click = 0; click < 15; click++) {
      const { status, body, headers } = await syncNow(client, connection.id);
      if (status === 202) await ended(client, body.id);
      else refusals.push({ status, body, retryAfter: headers.get('retry-after') });
    }
    expect(refusals).toHaveLength(5);
    // Of 24 a day, the first sync has used one more, to ask for the server's versions; every sync takes two.
    expect(scene.bank.asked(user)).toBe(22);
    const next = new Date(scene.tidemark.clock.now().getTime() + 86_400_000).toISOString();
    for (const refusal of refusals)
      expect(refusal).toMatchObject({
        status: 429,
        body: { error: 'rate_limit_exceeded', details: { limit: 24, reset_in_seconds: 86_400, next_allowed_at: next } },
        retryAfter: '86400',
      });
    expect((await client.get('/api/v1/syncs?status=failed')).body.syncs).toEqual([]);
  });

  it('a manual sync starts a delayed scheduled sync at once', async () => {
    const { client, connection } = await scene.synced();
    const runId = await scheduledInAnHour(client.userId, connection.id);
    const { body } = await syncNow(client, connection.id);
    expect(body).toMatchObject({ id: runId });
    expect(await ended(client, runId)).toMatchObject({ status: 'succeeded' });
  });

  it('a manual sync leaves a delayed scheduled sync alone if the request budget of the day is used up', async () => {
    const { client, connection } = await scene.synced();
    const runId = await scheduledInAnHour(client.userId, connection.id);
    const now = scene.tidemark.clock.now();
    const spend =
      'insert into provider_requests (user_id, connection_id, sent_at) select ?, ?, ? from generate_series(1, 24)';
    await scene.execute(spend, [client.userId, connection.id, now]);
    const { status, body } = await syncNow(client, connection.id);
    expect([status, body.error]).toEqual([429, 'rate_limit_exceeded']);
    const { body: run } = await client.get(`/api/v1/syncs/${runId}`);
    expect(run).toMatchObject({ status: 'queued', trigger: 'schedule' });
  });

  async function scheduledInAnHour(userId: string, connectionId: string): Promise<string> {
    const runs = scene.tidemark.app.get(SyncRunsService);
    const wanted = { connectionId, trigger: 'schedule' as const, startAfter: 3_600 };
    const [run] = await scene.tidemark.em().transactional((em) => runs.enqueue(em, userId, [wanted]));
    return run!.id;
  }
});
