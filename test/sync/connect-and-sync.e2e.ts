import { freshSetupToken, sandboxSetupToken } from '../../sandbox/us-provider/setup-token.js';
import { SyncScheduler } from '../../src/sync/schedule/sync-scheduler.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { ended } from '../support/syncs.js';

describe('connecting and syncing the US provider', () => {
  let tidemark: TestApp;

  beforeAll(async () => {
    tidemark = await startTestApp({ SANDBOX: '1', ...LOCAL_PROVIDER });
  });
  afterAll(() => tidemark.stop());
  beforeEach(() => tidemark.clock.set('2026-03-15T12:00:00Z'));

  async function connect(client: TestClient, scenario = 'healthy', more = {}) {
    const token = freshSetupToken(tidemark.url, scenario);
    return client.post('/api/v1/connections', { provider: 'us_provider', setup_token: token, ...more });
  }

  it('connecting the US provider with a setup token starts a sync whose history ends at the reported balances', async () => {
    const client = await createClient(tidemark);
    const { status, body: connection } = await connect(client, 'healthy', { name: 'My banks' });
    expect(status).toBe(201);
    expect(connection).toMatchObject({ provider: 'us_provider', name: 'My banks', status: 'active', problems: [] });
    expect(JSON.stringify(connection)).not.toMatch(/credential|token|http/);

    const sync = await ended(client, connection.latest_sync_id);
    expect(sync).toMatchObject({ status: 'succeeded', trigger: 'first', problems: [], connection_id: connection.id });
    expect(sync.counts.accounts).toBeGreaterThanOrEqual(6);
    expect(sync.counts.transactions_added).toBeGreaterThan(500);

    const { body } = await client.get('/api/v1/balances?start_date=2026-03-15');
    const types = body.balances.map((row: { account: { account_type: string } }) => row.account.account_type);
    expect(types).toEqual(expect.arrayContaining(['depository', 'credit_card', 'loan', 'investment']));
    expect(body.balances.map((row: { currency: string }) => row.currency)).toContain('JPY');
    for (const row of body.balances) expect(row.date).toBe('2026-03-15');
  });

  it('another sync without changes writes nothing', async () => {
    const client = await createClient(tidemark);
    const { body: connection } = await connect(client);
    await ended(client, connection.latest_sync_id);
    const { status, body: queued } = await client.post(`/api/v1/connections/${connection.id}/sync`);
    expect(status).toBe(202);
    const again = await ended(client, queued.id);
    expect(again).toMatchObject({ status: 'succeeded', trigger: 'person' });
    expect(again.counts).toMatchObject({
      transactions_added: 0,
      transactions_updated: 0,
      transactions_removed: 0,
      balances_written: 0,
    });
  });

  it('a setup token sent a second time is refused, and the error says what to do', async () => {
    const client = await createClient(tidemark);
    const token = sandboxSetupToken(tidemark.url, 'healthy', 'usedtwice');
    const body = { provider: 'us_provider', setup_token: token };
    const first = await client.post('/api/v1/connections', body);
    expect(first.status).toBe(201);
    const impatient = await client.post('/api/v1/connections', body);
    expect([impatient.status, impatient.body.message]).toEqual([409, expect.stringMatching(/already connected as/)]);
    expect((await client.delete(`/api/v1/connections/${first.body.id}`)).status).toBe(204);
    const second = await client.post('/api/v1/connections', body);
    expect(second.status).toBe(502);
    expect(second.body).toMatchObject({ error: 'provider_error', details: { kind: 'token_rejected' } });
    expect(second.body.message).toMatch(/new setup token/i);
  });

  it.each([
    ['an empty text', '', /^setup_token must not be empty/],
    ['text that is not base64', '%%%', /^setup_token .*base64/],
    ['text without a URL', Buffer.from('hello').toString('base64'), /^setup_token .*address|^setup_token .*URL/i],
    ['an ftp URL', Buffer.from('ftp://bridge.simplefin.org/claim/x').toString('base64'), /^setup_token .*https/],
  ])('%s as a setup token is refused with 422 and nothing is stored', async (_, setupToken, problem) => {
    const client = await createClient(tidemark);
    const answer = await client.post('/api/v1/connections', { provider: 'us_provider', setup_token: setupToken });
    expect([answer.status, answer.body.error]).toEqual([422, 'validation_failed']);
    expect(answer.body.errors[0]).toMatch(problem);
    const stored = await tidemark
      .em()
      .getConnection()
      .execute('select 1 from connections where user_id = ?', [client.userId]);
    expect(stored).toEqual([]);
  });

  it('every invalid member of the body of a new connection is reported', async () => {
    const client = await createClient(tidemark);
    const wrong = { provider: 'bank', name: 1, include_pending: 'yes', history_days: 0 };
    const { body } = await client.post('/api/v1/connections', wrong);
    const named = body.errors.map((error: string) => error.split(' ')[0]);
    expect(named).toEqual(expect.arrayContaining(['provider', 'name', 'include_pending', 'history_days']));
  });

  it('a connection needs attention once access is revoked, and its data stay', async () => {
    const client = await createClient(tidemark);
    const { body: connection } = await connect(client, 'revoked');
    const sync = await ended(client, connection.latest_sync_id);
    expect(sync).toMatchObject({ status: 'failed', problems: [{ kind: 'access_revoked', account_id: null }] });
  });

  it('a sync request returns the open run while one is queued, and an unknown connection is 404', async () => {
    const client = await createClient(tidemark);
    // Its bank never answers, so that the first sync is open until it is cancelled.
    const { body: connection } = await connect(client, 'timeout-always');
    afterThisTest(() => client.delete(`/api/v1/syncs/${connection.latest_sync_id}`));
    const { body: same } = await client.post(`/api/v1/connections/${connection.id}/sync`);
    expect(same.id).toBe(connection.latest_sync_id);
    const stranger = await createClient(tidemark);
    expect((await stranger.post(`/api/v1/connections/${connection.id}/sync`)).status).toBe(404);
    expect((await stranger.get(`/api/v1/syncs/${same.id}`)).status).toBe(404);
    expect((await client.get('/api/v1/syncs/nonsense')).status).toBe(404);
  });

  it('a tick of the schedule enqueues only connections that are due', async () => {
    const client = await createClient(tidemark);
    const { body: connection } = await connect(client, 'healthy', { history_days: 30 });
    await ended(client, connection.latest_sync_id);
    const runs = async () =>
      tidemark
        .em()
        .getConnection()
        .execute<{ id: string; trigger: string }[]>(
          'select id, trigger from sync_runs where connection_id = ? order by queued_at',
          [connection.id],
        );
    const scheduler = tidemark.app.get(SyncScheduler);
    await scheduler.tick();
    expect(await runs()).toHaveLength(1);
    tidemark.clock.set('2026-03-15T18:30:00Z');
    await scheduler.tick();
    const [, scheduled] = await runs();
    expect(scheduled?.trigger).toBe('schedule');
    expect(await ended(client, scheduled!.id)).toMatchObject({ status: 'succeeded' });
  });

  it('the schedule skips a connection until the request budget of its provider has room again', async () => {
    const client = await createClient(tidemark);
    const started = tidemark.clock.now().getTime();
    const { body: connection } = await connect(client);
    await ended(client, connection.latest_sync_id);
    const { body } = await client.get(`/api/v1/connections/${connection.id}`);
    expect(Date.parse(body.next_sync_at)).toBe(started + 24 * 3_600_000);
  });
});
