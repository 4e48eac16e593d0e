import { afterThisTest } from '../support/after-this-test.js';
import type { TestAnswer, TestApp, TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { startScriptedServer } from '../support/scripted-server.js';
import { wireAccount, wireSet, wireTransaction } from '../support/scripted-us-provider.js';
import { ended, synced, until } from '../support/syncs.js';

describe('credentials of connections', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));
  beforeEach(() => bank.lists([CHECKING, SAVINGS]));

  const CHECKING = wireAccount({ transactions: [wireTransaction('T-1', '2026-03-12', '-12.00')] });
  const SAVINGS = wireAccount({ id: 'ACT-2', name: 'Savings' });
  const REVOKED = { status: 403, body: { errlist: [{ code: 'gen.auth', msg: 'Forbidden' }], accounts: [] } };
  const replace = (id: string, body: object) => client.put(`/api/v1/connections/${id}/credentials`, body);
  const show = async (id: string) => (await client.get(`/api/v1/connections/${id}`)).body;
  const claims = () => bank.server.requests.filter(({ path }) => path.startsWith('/claim/')).length;
  const users = () =>
    bank.server.requests
      .filter(({ path }) => path.endsWith('/accounts'))
      .map(({ headers }) => Buffer.from(headers.authorization!.split(' ')[1]!, 'base64').toString().split(':')[0]);

  async function reconnected(
    id: string,
    token = bank.token(),
  ): Promise<{ answer: TestAnswer; sync: TestAnswer['body'] }> {
    tidemark.clock.set(new Date(tidemark.clock.now().getTime() + 60_000).toISOString());
    const answer = await replace(id, { setup_token: token });
    return { answer, sync: await ended(client, answer.body.latest_sync_id) };
  }

  describe('PUT /api/v1/connections/{id}/credentials', () => {
    it('a new credential reactivates a revoked connection with the same accounts and history', async () => {
      const connection = await connected(client, bank.token());
      const before = [(await client.get('/api/v1/accounts')).body, (await client.get('/api/v1/balances')).body];
      bank.answers(REVOKED);
      tidemark.clock.set('2026-03-15T13:00:00Z');
      expect(await synced(client, connection.id)).toMatchObject({ problems: [{ kind: 'access_revoked' }] });
      const broken = await show(connection.id);
      expect([broken.status, broken.next_sync_at]).toEqual(['attention_required', null]);
      expect(broken.status_reason).toMatch(/new setup token .* Accounts and history stay/);

      bank.lists([CHECKING, SAVINGS]);
      tidemark.clock.set('2026-03-15T14:00:00Z');
      const { answer, sync } = await reconnected(connection.id);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ id: connection.id, status: 'active', status_reason: null });
      expect(sync).toMatchObject({ status: 'succeeded', trigger: 'person' });
      expect([(await client.get('/api/v1/accounts')).body, (await client.get('/api/v1/balances')).body]).toEqual(
        before,
      );
      const [old, , renewed] = users().slice(-3);
      expect(renewed).not.toBe(old);
    });

    it('concurrent replacements of a credential all get 200, and the last one wins', async () => {
      const connection = await connected(client, bank.token());
      for (let round = 0; round < 2; round++) {
        const tokens = Array.from({ length: 4 }, () => bank.token());
        const answers = await Promise.all(tokens.map((token) => replace(connection.id, { setup_token: token })));
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      }
      const { latest_sync_id, status } = await show(connection.id);
      expect([status, (await ended(client, latest_sync_id)).status]).toEqual(['active', 'succeeded']);
      expect((await client.get('/api/v1/accounts')).body.accounts.length).toBe(2);
    });

    it.each([
      ['the field of another provider', { api_key: 'k' }, ['api_key is not a member', 'setup_token must not be empty']],
      ['both fields', { api_key: 'k', setup_token: 'dG9rZW4' }, ['api_key is not a member']],
      ['no field', {}, ['setup_token must not be empty']],
      ['a blank token', { setup_token: '  ' }, ['setup_token must not be empty']],
      ['a malformed token', { setup_token: '%%%' }, ['setup_token is not base64']],
      ['a number', { setup_token: 7 }, ['setup_token must']],
    ])('replacing a credential with %s is refused with 422 and claims no token', async (_, body, problems) => {
      const connection = await connected(client, bank.token());
      const spent = claims();
      const answer = await replace(connection.id, body);
      expect([answer.status, answer.body.error]).toEqual([422, 'validation_failed']);
      for (const [index, problem] of problems.entries()) expect(answer.body.errors[index]).toContain(problem);
      expect(claims()).toBe(spent);
    });

    it('the old credential stays if the provider refuses the new token', async () => {
      const token = bank.token();
      const connection = await connected(client, token);
      // Long enough not to be an impatient click.
      tidemark.clock.set('2026-03-15T12:15:00Z');
      const answer = await replace(connection.id, { setup_token: token });
      expect([answer.status, answer.body.details]).toEqual([502, { kind: 'token_rejected' }]);
      expect(answer.body.message).toMatch(/compromised.*new setup token.*disable the old one/);
      expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
    });

    it('a credential of another connection is refused, and the error names that connection', async () => {
      await connected(client, bank.token('rowan'), { name: 'Our banks' });
      bank.lists([wireAccount({ id: 'ACT-9', name: 'Other' })]);
      const other = await connected(client, bank.token());
      const answer = await replace(other.id, { setup_token: bank.token('rowan') });
      expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
      expect(answer.body.message).toMatch(/“Our banks”/);
      expect((await show(other.id)).status).toBe('active');
    });

    it('a credential that leads to other accounts is refused, and their data is not mixed in', async () => {
      const connection = await connected(client, bank.token());
      bank.lists([wireAccount({ id: 'ACT-77', name: 'Somebody’s Checking', conn_id: 'CON-9' })]);
      const { answer, sync } = await reconnected(connection.id);
      expect(answer.status).toBe(200);
      expect(sync).toMatchObject({ status: 'failed', problems: [{ kind: 'token_rejected', account_id: null }] });
      const { status, status_reason } = await show(connection.id);
      expect(status).toBe('attention_required');
      expect(status_reason).toMatch(/“Somebody’s Checking”.*“Everyday Checking”, “Savings”.*Nothing was changed/);
      const { body } = await client.get('/api/v1/accounts');
      expect(body.accounts.map(({ name }: { name: string }) => name)).toEqual(['Everyday Checking', 'Savings']);

      bank.lists([CHECKING, SAVINGS]);
      expect((await reconnected(connection.id)).sync).toMatchObject({ status: 'succeeded' });
      expect((await show(connection.id)).status).toBe('active');
    });

    it('a new credential stops a sync that runs with the old one', async () => {
      const connection = await connected(client, bank.token());
      const replaced = new Promise<TestAnswer>((resolve) => {
        bank.answers(async () => {
          bank.lists([CHECKING, SAVINGS]);
          tidemark.clock.set('2026-03-15T13:00:00Z');
          resolve(await replace(connection.id, { setup_token: bank.token() }));
          return REVOKED;
        });
      });
      expect(await synced(client, connection.id)).toMatchObject({ status: 'cancelled' });
      expect(await ended(client, (await replaced).body.latest_sync_id)).toMatchObject({ status: 'succeeded' });
      expect(await show(connection.id)).toMatchObject({ status: 'active', status_reason: null });
    });
  });

  describe('claiming a setup token', () => {
    const rename = (what: string, to: string) => tidemark.em().getConnection().execute(`alter ${what} rename to ${to}`);
    const claimed = (spent: number) => until(() => Promise.resolve(claims() > spent || null), 'claimed');

    it('a claimed credential is not lost when the database fails: it is stored again until it succeeds', async () => {
      const body = { provider: 'us_provider', setup_token: bank.token(), history_days: 30 };
      const spent = claims();
      await rename('table audit_events', 'audit_events_away');
      const connecting = client.post('/api/v1/connections', body);
      await claimed(spent).finally(() => rename('table audit_events_away', 'audit_events'));
      const { status, body: connection } = await connecting;
      expect([status, claims() - spent]).toEqual([201, 1]);
      expect(await ended(client, connection.latest_sync_id)).toMatchObject({ status: 'succeeded' });
    });

    it('a setup token that is being claimed is not claimed again, and its connection says what to do if it stays so', async () => {
      const slow = await startScriptedServer();
      afterThisTest(slow.stop);
      let answer = () => {};
      const answered = new Promise<void>((resolve) => (answer = resolve));
      slow.play(async ({ path }) => {
        await answered;
        return path.startsWith('/claim/') ? { body: bank.accessUrl('slow') } : { status: 404 };
      });
      const setup_token = Buffer.from(`${slow.url}/claim/1`).toString('base64');
      const connect = () => client.post('/api/v1/connections', { provider: 'us_provider', setup_token });
      const connecting = connect();
      await until(() => Promise.resolve(slow.requests.length || null), 'asked');
      const refused = await connect();
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([409, '20']);
      const { connections } = (await client.get('/api/v1/connections')).body;
      expect(connections).toMatchObject([
        { status: 'attention_required', status_reason: expect.stringMatching(/may be used up: create a new one/) },
      ]);
      // As after a crash.
      tidemark.clock.set('2026-03-15T12:15:00Z');
      const late = await connect();
      expect([late.status, late.body.message]).toEqual([409, expect.stringMatching(/already connected as “US banks”/)]);
      answer();
      expect(await connecting).toMatchObject({ status: 201, body: { status: 'active', status_reason: null } });
      expect(slow.requests.filter(({ path }) => path.startsWith('/claim/'))).toHaveLength(1);
    });

    it('a claimed credential is stored even if its sync cannot be queued', async () => {
      await rename('schema pgboss', 'pgboss_away');
      const { status, body } = await client
        .post('/api/v1/connections', { provider: 'us_provider', setup_token: bank.token(), history_days: 30 })
        .finally(() => rename('schema pgboss_away', 'pgboss'));
      expect([status, body.latest_sync_id]).toEqual([201, null]);
      expect(await synced(client, body.id)).toMatchObject({ status: 'succeeded', problems: [] });
    });

    it('a setup token is claimed once and makes one connection, however often the form is sent', async () => {
      const body = { provider: 'us_provider', setup_token: bank.token() };
      const spent = claims();
      const answers = await Promise.all([1, 2, 3].map(() => client.post('/api/v1/connections', body)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(claims() - spent).toBe(1);
      expect((await client.get('/api/v1/connections')).body.pagination.total_count).toBe(1);
      // Nor does one that comes when all is done.
      expect((await client.post('/api/v1/connections', body)).status).toBe(409);
      expect(claims() - spent).toBe(1);
    });

    it('a credential is encrypted in the database and not shown in any table or response', async () => {
      const connection = await connected(client, bank.token('h1dden-user'));
      bank.answers({
        status: 403,
        body: wireSet([], { errlist: [{ code: 'gen.auth', msg: bank.accessUrl('h1dden-user') }] }),
      });
      await synced(client, connection.id);
      for (const table of ['connections', 'sync_runs', 'provider_requests', 'accounts']) {
        const rows = await tidemark.em().getConnection().execute(`select * from ${table}`);
        expect(JSON.stringify(rows)).not.toMatch(/h1dden-user|:password@/);
      }
      expect(JSON.stringify(await show(connection.id))).not.toMatch(/h1dden-user|password/);
    });
  });
});
