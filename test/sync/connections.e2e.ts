import { createClient, type TestAnswer, type TestApp, type TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { wireAccount, wireHold, wireSet, wireTransaction } from '../support/scripted-us-provider.js';
import { synced } from '../support/syncs.js';

describe('connections', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));
  beforeEach(() => bank.lists([ACCOUNT]));

  const ACCOUNT = wireAccount({
    transactions: [wireTransaction('T-1', '2026-03-12', '-12.00'), wireHold('H-1', '2026-03-14', '-42.00')],
  });
  const path = ({ id }: { id: string }) => `/api/v1/connections/${id}`;
  const show = async (connection: { id: string }) => (await client.get(path(connection))).body;
  const transactions = async () => (await client.get('/api/v1/transactions')).body.transactions;

  describe('GET /api/v1/connections/{id}', () => {
    it('a connection shows its freshness, its remaining request budget and the messages of the provider', async () => {
      const connection = await connected(client, bank.token());
      expect(await show(connection)).toMatchObject({
        ...{ status: 'active', status_reason: null, last_synced_at: '2026-03-15T12:00:00.000Z', problems: [] },
        staleness: { level: 'fresh', since: '2026-03-15', message: null },
        // Balances, one window and the server's information.
        request_budget: { limit: 24, remaining: 21, next_allowed_at: null },
        ...{ server_versions: ['1.0', '2.0'], accounts_count: 1, missing_accounts: [] },
      });
      await synced(client, connection.id);
      expect((await show(connection)).request_budget.remaining).toBe(19);
    });

    it('a connection that was never synced shows no last sync', async () => {
      bank.answers({ status: 503, headers: { 'Retry-After': '7200' }, body: '<html>' });
      const connection = await connected(client, bank.token());
      const body = await show(connection);
      expect(body.staleness).toEqual({ level: 'never', since: null, message: 'Nothing has been synced yet.' });
      expect(body.problems).toMatchObject([{ kind: 'network' }]);
      expect([body.last_synced_at, body.server_versions]).toEqual([null, null]);
      expect(Date.parse(body.next_sync_at)).toBeGreaterThanOrEqual(Date.parse('2026-03-15T14:00:00Z'));
    });

    it('a connection names the account that was not updated for days although the others were', async () => {
      const savings = { id: 'ACT-2', name: 'Savings' };
      bank.lists([ACCOUNT, wireAccount(savings)]);
      const connection = await connected(client, bank.token());
      tidemark.clock.set('2026-03-19T12:00:00Z');
      bank.lists([ACCOUNT, wireAccount(savings)], {
        errlist: [{ code: 'act.failed', msg: 'Try later.', account_id: 'ACT-2' }],
      });
      expect(await synced(client, connection.id)).toMatchObject({ status: 'partial' });
      const body = await show(connection);
      expect(body.staleness).toMatchObject({ level: 'stale', since: '2026-03-15' });
      expect(body.staleness.message).toMatch(/“Savings”/);
      expect(body.problems).toMatchObject([{ kind: 'account_failed' }]);
    });

    it('a connection shows when the next sync is allowed if the request budget is used up', async () => {
      const connection = await connected(client, bank.token(), { history_days: 730 });
      for (let click = 10; click < 34; click++) {
        tidemark.clock.set(`2026-03-15T12:${click}:00Z`);
        await synced(client, connection.id);
      }
      const { request_budget: budget } = await show(connection);
      expect(budget).toEqual({ limit: 24, remaining: 1, next_allowed_at: '2026-03-16T12:00:00.000Z' });
    });

    it('a connection shows the problems of its last finished sync while another one is running', async () => {
      bank.lists([ACCOUNT], { errlist: [{ code: 'gen.', msg: 'Something is odd.' }] });
      const connection = await connected(client, bank.token());
      let seen: TestAnswer | undefined;
      bank.answers(async () => {
        seen = await client.get(path(connection));
        return { body: wireSet([ACCOUNT]) };
      });
      tidemark.clock.set('2026-03-15T12:30:00Z');
      const sync = await synced(client, connection.id);
      expect(seen?.body.latest_sync_id).toBe(sync.id);
      expect(seen?.body.problems[0].message).toMatch(/Something is odd/);
      expect((await show(connection)).problems).toEqual([]);
    });

    it('a connection never shows its credential', async () => {
      const connection = await connected(client, bank.token());
      const { body } = await client.get('/api/v1/connections');
      expect(JSON.stringify([connection, body])).not.toMatch(/password|credential|user\d|simplefin/);
    });
  });

  describe('PATCH /api/v1/connections/{id}', () => {
    it('a connection can be renamed', async () => {
      const connection = await connected(client, bank.token());
      const { status, body } = await client.patch(path(connection), { name: '  Our banks ' });
      expect([status, body.name, body.include_pending]).toEqual([200, 'Our banks', true]);
      expect((await show(connection)).name).toBe('Our banks');
    });

    it.each([
      ['a blank name', { name: '   ' }, /^name must have 1 to 200/],
      ['an invisible name', { name: '\u2060\u00ad' }, /^name must have 1 to 200/],
      ['null as the name', { name: null }, /^name must/],
      ['an include_pending that is not a boolean', { include_pending: 'no' }, /^include_pending must be true or false/],
    ])('an edit of a connection with %s is refused', async (_, body, problem) => {
      const connection = await connected(client, bank.token());
      const answer = await client.patch(path(connection), body);
      expect([answer.status, answer.body.error]).toEqual([422, 'validation_failed']);
      expect(answer.body.errors[0]).toMatch(problem);
    });

    it('switching pending transactions off deletes those of the connection at once, and no later sync fetches or stores any', async () => {
      const connection = await connected(client, bank.token());
      expect(await transactions()).toMatchObject([{ pending: true }, { pending: false }]);
      await client.patch(path(connection), { include_pending: false });
      expect(await transactions()).toMatchObject([{ pending: false }]);
      expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
      expect(bank.server.requests.at(-1)?.query.has('pending')).toBe(false);
      expect(await transactions()).toMatchObject([{ pending: false }]);
      await client.patch(path(connection), { include_pending: true });
      await synced(client, connection.id);
      expect(await transactions()).toMatchObject([{ pending: true }, { pending: false }]);
    });
  });

  describe('DELETE /api/v1/connections/{id}', () => {
    it('removing a connection deletes its credential and keeps its accounts and history as disconnected', async () => {
      const connection = await connected(client, bank.token());
      const history = (await client.get('/api/v1/balances')).body;
      expect((await client.delete(path(connection))).status).toBe(204);
      expect((await client.get(path(connection))).status).toBe(404);
      const rows = await tidemark
        .em()
        .getConnection()
        .execute('select 1 from connections where id = ?', [connection.id]);
      expect(rows).toEqual([]);
      const { body } = await client.get('/api/v1/accounts');
      expect(body.accounts).toMatchObject([{ status: 'disconnected', connection_id: null }]);
      expect((await client.get('/api/v1/balances')).body).toEqual(history);
      // Nobody would ever tell what became of the hold.
      expect(await transactions()).toMatchObject([{ pending: false }]);
    });

    it('removing a connection with purge deletes its accounts and their history', async () => {
      const connection = await connected(client, bank.token());
      expect((await client.delete(`${path(connection)}?purge=true`)).status).toBe(204);
      for (const list of ['accounts', 'transactions', 'balances']) {
        expect((await client.get(`/api/v1/${list}`)).body.pagination.total_count).toBe(0);
      }
    });

    it.each([
      ['', 'disconnected'],
      ['?purge=true', undefined],
    ])('removing a syncing connection (%s) stops its sync, which writes nothing more', async (purge, status) => {
      const connection = await connected(client, bank.token());
      bank.answers(async () => {
        await client.delete(path(connection) + purge);
        return { body: wireSet([wireAccount({ balance: '7.00' })]) };
      });
      expect(await synced(client, connection.id)).toMatchObject({ status: 'cancelled', connection_id: null });
      const { body } = await client.get('/api/v1/accounts');
      expect(body.accounts[0]?.status).toBe(status);
      expect(body.accounts[0]?.balance_cents).not.toBe(700);
    });

    it('removing a connection with an invalid purge parameter is refused and removes nothing', async () => {
      const connection = await connected(client, bank.token());
      const { status, body } = await client.delete(`${path(connection)}?purge=yes`);
      expect([status, body.message]).toEqual([422, 'purge must be true or false']);
      expect((await client.get(path(connection))).status).toBe(200);
    });
  });

  it('a connection of another user is 404 for every method', async () => {
    const connection = await connected(client, bank.token());
    const stranger = await createClient(tidemark);
    const refused = await Promise.all([
      stranger.get(path(connection)),
      stranger.patch(path(connection), { name: 'Mine' }),
      stranger.put(`${path(connection)}/credentials`, { setup_token: bank.token() }),
      stranger.delete(`${path(connection)}?purge=true`),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await client.get(path(connection))).status).toBe(200);
    // The stranger's token was not spent for that.
    expect(bank.server.requests.at(-1)?.path).not.toMatch(/claim/);
  });

  it('a connection is changed only by an API key with the scope for it', async () => {
    const connection = await connected(client, bank.token());
    const reader = await createClient(tidemark, { scopes: ['connections:read'] });
    for (const answer of [
      await reader.patch(path(connection), { name: 'x' }),
      await reader.put(`${path(connection)}/credentials`, { setup_token: 'x' }),
      await reader.delete(path(connection)),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope']);
    }
  });
});
