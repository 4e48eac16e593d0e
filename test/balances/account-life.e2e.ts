import { createClient, type TestApp, type TestClient } from '../support/app.js';
import { UNGUARDED } from '../../src/kit/guard-noted-writes.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { noon, wireAccount, wireTransaction } from '../support/scripted-us-provider.js';
import { synced } from '../support/syncs.js';

describe('closing, hiding, excluding and deleting accounts', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));

  const accounts = async () => (await client.get('/api/v1/accounts')).body.accounts as Record<string, string>[];
  const idOf = async (name: string) => (await accounts()).find((account) => account.name === name)!.id!;
  const edit = async (id: string, body: object) => client.patch(`/api/v1/accounts/${id}`, body);
  const lastDays = async (id: string) => {
    const { body } = await client.get(`/api/v1/balances?account_id=${id}&per_page=2`);
    return body.balances.map((row: { date: string; end_balance_cents: number }) => [row.date, row.end_balance_cents]);
  };
  const netWorth = async (query = '') => (await client.get(`/api/v1/net_worth${query}`)).body;
  const newest = async () => (await netWorth()).net_worth.at(-1).net_worth_cents as number;
  const warnings = async () =>
    (await netWorth()).warnings
      // Of so few reports every day before the first is estimated.
      .filter(({ kind }: Record<string, string>) => kind !== 'estimated')
      .map(({ kind, account_name }: Record<string, string>) => [kind, account_name]);
  const later = (hours: number) =>
    tidemark.clock.set(new Date(tidemark.clock.now().getTime() + hours * 3_600_000).toISOString());

  const CHECKING = wireAccount({ transactions: [wireTransaction('T-1', '2026-03-12', '-12.00')] });
  const SAVINGS = wireAccount({
    ...{ id: 'ACT-2', name: 'Savings', balance: '900.00' },
    transactions: [wireTransaction('S-1', '2026-03-10', '50.00')],
  });

  beforeEach(() => bank.lists([CHECKING, SAVINGS]));

  describe('PATCH /api/v1/accounts/{id} with closed_on', () => {
    it('a closed account keeps its balance up to its last day and is left out of net worth afterwards', async () => {
      const connection = await connected(client, bank.token());
      const savings = await idOf('Savings');
      expect(await newest()).toBe(100_000);
      const closed = await edit(savings, { closed_on: '2026-03-13' });
      expect([closed.status, closed.body.closed_on]).toEqual([200, '2026-03-13']);
      expect(await lastDays(savings)).toEqual([
        ['2026-03-13', 90_000],
        ['2026-03-12', 90_000],
      ]);
      expect((await netWorth('?end_date=2026-03-13')).net_worth.at(-1).net_worth_cents).toBe(100_000);
      expect(await newest()).toBe(10_000);
      expect(await warnings()).toContainEqual(['closed', 'Savings']);

      later(24);
      expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
      expect(await lastDays(savings)).toMatchObject([
        ['2026-03-13', 90_000],
        ['2026-03-12', 90_000],
      ]);
    });

    it('a closed account keeps the balance of its last day when its bank reports another one later', async () => {
      const connection = await connected(client, bank.token());
      const savings = await idOf('Savings');
      await edit(savings, { closed_on: '2026-03-15' });
      bank.lists([
        CHECKING,
        { ...SAVINGS, balance: '0.00', 'available-balance': '0.00', 'balance-date': noon('2026-03-16') },
      ]);
      later(24);
      await synced(client, connection.id);
      expect((await client.get(`/api/v1/accounts/${savings}`)).body).toMatchObject({
        balance_cents: 90_000,
        available_cents: 9_000,
        balance_date: '2026-03-15',
      });
      const { observations, certainty, findings } = (await client.get(`/api/v1/accounts/${savings}/reconciliation`))
        .body;
      expect([observations[0].date, certainty.at(-1).end_date]).toEqual(['2026-03-15', '2026-03-15']);
      expect(findings.filter(({ since }: { since: string | null }) => since !== null && since > '2026-03-15')).toEqual(
        [],
      );
    });

    it('reopening a closed account restores its whole history', async () => {
      await connected(client, bank.token());
      const savings = await idOf('Savings');
      const before = (await client.get(`/api/v1/balances?account_id=${savings}`)).body.balances.length;
      await edit(savings, { closed_on: '2026-03-11' });
      const opened = await edit(savings, { closed_on: null });
      expect(opened.body.closed_on).toBeNull();
      const after = (await client.get(`/api/v1/balances?account_id=${savings}`)).body.balances;
      expect([after.length, after[0].date]).toEqual([before, '2026-03-15']);
    });

    it.each([
      ['2026-03-16', 'closed_on must not be in the future'],
      ['2026-03-01', "closed_on must not be before 2026-03-10, the first day of the account's history"],
      ['yesterday', 'closed_on must be a date (YYYY-MM-DD)'],
    ])('closing an account on %s is refused with 422', async (day, message) => {
      await connected(client, bank.token());
      const { status, body } = await edit(await idOf('Savings'), { closed_on: day });
      expect([status, body.errors]).toEqual([422, [message]]);
    });

    it('a closed account cannot get a type that would leave no history before its last day', async () => {
      await connected(client, bank.token());
      const savings = await idOf('Savings');
      await edit(savings, { closed_on: '2026-03-13' });
      const before = await lastDays(savings);
      const { status, body } = await edit(savings, { account_type: 'investment' });
      const why = "closed_on must not be before 2026-03-15, the first day of the account's history";
      expect([status, body.errors]).toEqual([422, [why]]);
      expect(await lastDays(savings)).toEqual(before);
      expect((await edit(savings, { account_type: 'investment', closed_on: null })).status).toBe(200);
      // The new type has a longer past than the old one.
      expect((await edit(savings, { account_type: 'loan', closed_on: '2026-03-11' })).status).toBe(200);
    });

    it('a closed account is not fetched and not marked as stale when its bank no longer lists it', async () => {
      const connection = await connected(client, bank.token());
      await edit(await idOf('Savings'), { closed_on: '2026-03-15' });
      bank.lists([CHECKING, { ...SAVINGS, id: 'ACT-2-again' }]);
      later(1);
      await synced(client, connection.id);
      expect((await client.get(`/api/v1/connections/${connection.id}`)).body).toMatchObject({
        missing_accounts: [],
        merge_suggestions: [],
      });
    });
  });

  it('an excluded account is left out of net worth on every day, and a warning says so', async () => {
    await connected(client, bank.token());
    const { body } = await edit(await idOf('Savings'), { include_in_net_worth: false });
    expect(body.include_in_net_worth).toBe(false);
    const { net_worth: points } = await netWorth();
    expect(points[0]).toMatchObject({ date: '2026-03-12', net_worth_cents: 10_000 });
    expect(points.at(-1)).toMatchObject({ net_worth_cents: 10_000 });
    expect(await warnings()).toContainEqual(['excluded', 'Savings']);
    await edit(await idOf('Savings'), { include_in_net_worth: true });
    expect(await newest()).toBe(100_000);
  });

  it('a hidden account still counts in net worth', async () => {
    await connected(client, bank.token());
    const { body } = await edit(await idOf('Savings'), { hidden: true });
    expect(body.hidden).toBe(true);
    expect(await newest()).toBe(100_000);
  });

  describe('DELETE /api/v1/accounts/{id}', () => {
    it('deleting an account removes all its data, and no sync adds it again until it is restored', async () => {
      const connection = await connected(client, bank.token());
      const savings = await idOf('Savings');
      expect((await client.delete(`/api/v1/accounts/${savings}`)).status).toBe(204);
      expect((await client.get(`/api/v1/accounts/${savings}`)).status).toBe(404);
      expect((await client.get(`/api/v1/balances?account_id=${savings}`)).body.balances).toEqual([]);
      expect((await client.get(`/api/v1/transactions?account_id=${savings}`)).body.transactions).toEqual([]);
      expect(await newest()).toBe(10_000);
      const [event] = (await client.get('/api/v1/audit_events')).body.audit_events;
      expect(event).toMatchObject({ kind: 'accounts_deleted', subject_id: savings, subject: 'Savings' });

      later(1);
      expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded', problems: [] });
      expect((await accounts()).map(({ name }) => name)).toEqual(['Everyday Checking']);
      const shown = (await client.get(`/api/v1/connections/${connection.id}`)).body;
      expect(shown.deleted_accounts).toEqual([
        { account_id: savings, name: 'Savings', deleted_at: '2026-03-15T12:00:00.000Z' },
      ]);

      const restore = `/api/v1/connections/${connection.id}/deleted_accounts/${savings}`;
      expect((await client.delete(restore)).status).toBe(204);
      expect((await client.delete(restore)).status).toBe(404);
      later(1);
      await synced(client, connection.id);
      expect((await client.get(`/api/v1/connections/${connection.id}`)).body.deleted_accounts).toEqual([]);
      const again = await idOf('Savings');
      expect(again).not.toBe(savings);
      expect((await client.get(`/api/v1/transactions?account_id=${again}`)).body.transactions).toHaveLength(1);
    });

    it('deleting an account is 404 for an unknown or foreign id and 403 without the scope', async () => {
      await connected(client, bank.token());
      const savings = await idOf('Savings');
      const stranger = await createClient(tidemark);
      const reader = await createClient(tidemark, { scopes: ['accounts:read'] });
      expect((await stranger.delete(`/api/v1/accounts/${savings}`)).status).toBe(404);
      expect((await client.delete('/api/v1/accounts/nonsense')).status).toBe(404);
      expect((await reader.delete(`/api/v1/accounts/${savings}`)).status).toBe(403);
      expect((await accounts()).map(({ id }) => id)).toContain(savings);
    });
  });

  describe('possible duplicate accounts', () => {
    /** The bank lists the account under another id from the second day on. */
    async function listedTwice() {
      const connection = await createConnection(tidemark, client.userId);
      const rows = [
        transaction('2026-03-10', 5_000, { externalId: 'A' }),
        transaction('2026-03-12', -300, { externalId: 'B' }),
      ];
      const one = { name: 'Daily', balance: balance(40_000), transactions: rows };
      await writeSnapshot(tidemark, connection, snapshotAccount({ ...one, externalId: 'old' }));
      later(1);
      const again = rows.map((row) => ({ ...row, externalId: `${row.externalId}-again` }));
      await writeSnapshot(tidemark, connection, snapshotAccount({ ...one, externalId: 'new', transactions: again }));
      await tidemark.em().execute(`${UNGUARDED}; update accounts set status = 'missing' where external_id = 'old'`);
      const ids = Object.fromEntries((await accounts()).map(({ id, status }) => [status!, id!]));
      return { old: ids.missing!, anew: ids.active! };
    }
    const everyDay = async () =>
      (await netWorth()).net_worth.map((point: { net_worth_cents: number }) => point.net_worth_cents);
    const ONCE = [40_300, 40_300, 40_000, 40_000, 40_000, 40_000];

    it('two possible duplicates count once in net worth on every day until a user decides, and a warning says so', async () => {
      await listedTwice();
      expect(await everyDay()).toEqual(ONCE);
      expect(await warnings()).toEqual([['possible_duplicate', 'Daily']]);
    });

    it('possible duplicates cause no uncertain days in net worth if they are excluded from it', async () => {
      const { anew } = await listedTwice();
      const estimated = (await netWorth()).warnings.filter(({ kind }: { kind: string }) => kind === 'estimated');
      expect(estimated).toEqual([expect.objectContaining({ account_id: anew })]);
    });

    it('two accounts count once in net worth on every day after they are merged', async () => {
      const { old, anew } = await listedTwice();
      expect((await client.post(`/api/v1/accounts/${old}/merge`, { account_id: anew })).status).toBe(200);
      expect(await everyDay()).toEqual(ONCE);
      expect(await warnings()).toEqual([]);
      expect((await client.get('/api/v1/transactions')).body.transactions).toHaveLength(2);
    });

    it('two accounts that are kept separate both count in net worth, and the entity tag changes', async () => {
      const { old, anew } = await listedTwice();
      const before = await client.get('/api/v1/net_worth');
      await client.post(`/api/v1/accounts/${old}/keep_separate`, { account_id: anew });
      const after = await client.get('/api/v1/net_worth', { 'if-none-match': before.headers.get('etag')! });
      expect(after.status).toBe(200);
      expect(after.body.net_worth.at(-1).net_worth_cents).toBe(80_000);
    });
  });
});
