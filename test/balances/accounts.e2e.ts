import { afterThisTest } from '../support/after-this-test.js';
import { createClient, send, type TestApp, type TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { wireAccount, wireTransaction } from '../support/scripted-us-provider.js';
import { synced } from '../support/syncs.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('accounts', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));

  const CHECKING = wireAccount({ transactions: [wireTransaction('T-1', '2026-03-12', '-12.00')] });
  const UNNAMED_TYPE = { id: 'ACT-2', name: 'Blue', 'available-balance': null, balance: '-60.00' };
  const path = (id: string) => `/api/v1/accounts/${id}`;
  const accounts = async (query = '') => (await client.get(`/api/v1/accounts${query}`)).body;
  const byName = async (name: string) =>
    (await accounts()).accounts.find((account: { name: string }) => account.name === name) as Record<string, string>;
  const balances = async (id: string) =>
    (await client.get(`/api/v1/balances?per_page=100&account_id=${id}`)).body.balances as Record<string, unknown>[];

  describe('GET /api/v1/accounts', () => {
    it('an account has all its fields in the list, which is sorted by name, and when it is read alone', async () => {
      bank.lists([CHECKING, wireAccount({ id: 'ACT-2', name: 'Atlas Savings', balance: '7.00' })]);
      const connection = await connected(client, bank.token());
      const list = await accounts();
      expect(list.accounts.map(({ name }: { name: string }) => name)).toEqual(['Atlas Savings', 'Everyday Checking']);
      expect(list.pagination).toEqual({ page: 1, per_page: 25, total_count: 2, total_pages: 1 });
      const account = {
        ...{ id: expect.any(String), name: 'Everyday Checking', institution: 'Tidewater Bank' },
        ...{ account_type: 'depository', currency: 'USD', currency_supported: true, holdings_supported: false },
        ...{ balance: '$100.00', balance_cents: 10_000, available: '$90.00', available_cents: 9_000 },
        ...{ balance_date: '2026-03-15', connection_id: connection.id, provider: 'us_provider', status: 'active' },
        ...{
          stale_since: null,
          closed_on: null,
          include_in_net_worth: true,
          hidden: false,
          unsupported_balance: null,
          flows_factor: 1,
        },
        ...{ created_at: tidemark.clock.now().toISOString(), updated_at: tidemark.clock.now().toISOString() },
      };
      expect(list.accounts[1]).toEqual(account);
      expect((await client.get(path(list.accounts[1].id))).body).toEqual(account);
    });

    it('the list of accounts has pages and no account of another user', async () => {
      bank.lists(['A', 'B', 'C'].map((name) => wireAccount({ id: `ACT-${name}`, name })));
      await connected(client, bank.token());
      const page = await accounts('?per_page=2&page=2');
      expect(page.accounts.map(({ name }: { name: string }) => name)).toEqual(['C']);
      expect(page.pagination).toEqual({ page: 2, per_page: 2, total_count: 3, total_pages: 2 });
      const stranger = await createClient(tidemark);
      expect((await stranger.get('/api/v1/accounts')).body.accounts).toEqual([]);
    });

    it('updated_since lists an account that its bank renames or lists no longer, or whose connection is removed', async () => {
      afterThisTest(() => tidemark.clock.set('2026-03-15T12:00:00Z'));
      bank.lists([CHECKING, wireAccount({ id: 'ACT-2', name: 'Atlas Savings' })]);
      const connection = await connected(client, bank.token());
      const updatedSince = async (moment: string) => {
        const { accounts: found, pagination } = await accounts(`?updated_since=${moment}`);
        expect(pagination.total_count).toBe(found.length);
        return found.map(({ name }: { name: string }) => name);
      };
      tidemark.clock.set('2026-03-15T13:00:00Z');
      bank.lists([CHECKING, wireAccount({ id: 'ACT-2', name: 'Atlas Deposit', balance: '7.00' })]);
      await synced(client, connection.id);
      expect(await updatedSince('2026-03-15T13:00:00Z')).toEqual(['Atlas Deposit']);
      tidemark.clock.set('2026-03-15T14:00:00Z');
      bank.lists([wireAccount({ id: 'ACT-2', name: 'Atlas Deposit', balance: '7.00' })]);
      await synced(client, connection.id);
      expect(await updatedSince('2026-03-15T14:00:00Z')).toEqual(['Everyday Checking']);
      tidemark.clock.set('2026-03-15T15:00:00Z');
      expect(await updatedSince('2026-03-15T15:00:00Z')).toEqual([]);
      await client.delete(`/api/v1/connections/${connection.id}`);
      expect(await updatedSince('2026-03-15T16:00:00%2B01:00')).toEqual(['Atlas Deposit', 'Everyday Checking']);
    });

    it('the balance of a debt is the positive amount owed, whichever sign the bank uses', async () => {
      bank.lists([wireAccount({ id: 'ACT-9', name: 'Blue Credit Card', balance: '-612.45' })]);
      await connected(client, bank.token());
      expect(await byName('Blue Credit Card')).toMatchObject({
        ...{ account_type: 'credit_card', balance: '$612.45', flows_factor: -1 },
      });
    });

    it('reading an account is 404 for an unknown, malformed or foreign id and 403 without the scope', async () => {
      bank.lists([CHECKING]);
      await connected(client, bank.token());
      const { id } = (await accounts()).accounts[0];
      const stranger = await createClient(tidemark);
      for (const answer of [
        await client.get(path(UNKNOWN_ID)),
        await client.get(path('nonsense')),
        await stranger.get(path(id)),
        await client.patch(path(UNKNOWN_ID), { name: 'x' }),
        await client.patch(path('nonsense'), { name: 'x' }),
        await stranger.patch(path(id), { name: 'x' }),
      ]) {
        expect([answer.status, answer.body.error]).toEqual([404, 'record_not_found']);
      }
      const reader = await createClient(tidemark, { scopes: ['accounts:read'] });
      expect((await reader.patch(path(id), { name: 'x' })).status).toBe(403);
      const writer = await createClient(tidemark, { scopes: ['accounts:write'] });
      expect((await writer.get('/api/v1/accounts')).status).toBe(403);
      expect((await send(`${tidemark.url}/api/v1/accounts`)).status).toBe(401);
    });
  });

  describe('PATCH /api/v1/accounts/{id}', () => {
    it('the name that a user gives an account is kept by later syncs', async () => {
      bank.lists([CHECKING]);
      const connection = await connected(client, bank.token());
      const { id } = await byName('Everyday Checking');
      const { status, body } = await client.patch(path(id!), { name: '  Household  ' });
      expect([status, body.name, body.account_type]).toEqual([200, 'Household', 'depository']);
      await synced(client, connection.id);
      expect((await client.get(path(id!))).body.name).toBe('Household');
      expect((await balances(id!))[0]).toMatchObject({ account: { name: 'Household' } });
    });

    it('an account type that a user sets is kept by later syncs, and the history is derived again at once', async () => {
      bank.lists([wireAccount({ ...UNNAMED_TYPE, transactions: [wireTransaction('T-1', '2026-03-14', '-10.00')] })]);
      const connection = await connected(client, bank.token());
      const { id } = await byName('Blue');
      expect(await byName('Blue')).toMatchObject({ account_type: null, balance_cents: -6_000 });
      expect((await client.patch(path(id!), { account_type: 'loan' })).body).toMatchObject({
        ...{ account_type: 'loan', balance: '$60.00', balance_cents: 6_000 },
      });
      const [today, before] = await balances(id!);
      expect(today).toMatchObject({ flows_factor: -1, cash_balance: null, balance_cents: 6_000 });
      expect(before).toMatchObject({ start_balance_cents: 5_000, non_cash_outflows_cents: 1_000 });
      bank.lists([wireAccount({ ...UNNAMED_TYPE, name: 'Blue Savings' })]);
      await synced(client, connection.id);
      expect((await client.get(path(id!))).body).toMatchObject({ name: 'Blue Savings', account_type: 'loan' });
    });

    it('concurrent edits of an account during its deletion get 200, or 404 once it is deleted', async () => {
      bank.lists([CHECKING]);
      const connection = await connected(client, bank.token());
      const { id } = await byName('Everyday Checking');
      const edits = ['loan', 'depository', 'credit_card', 'investment'].flatMap((account_type) => [
        ...[client.patch(path(id!), { account_type }), client.patch(path(id!), { name: account_type })],
        client.patch(path(id!), { name: `My ${account_type}`, account_type }),
      ]);
      const removal = await client.delete(`/api/v1/connections/${connection.id}?purge=true`);
      const answers = await Promise.all([...edits, client.patch(path(id!), { name: 'Too late' })]);
      expect(removal.status).toBe(204);
      expect(answers.at(-1)!.status).toBe(404);
      expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 404)).toEqual([]);
    });

    it('an edit of an account with an empty body changes nothing', async () => {
      bank.lists([CHECKING]);
      await connected(client, bank.token());
      const before = await byName('Everyday Checking');
      const { status, body } = await client.patch(path(before.id!), {});
      expect([status, body]).toEqual([200, before]);
    });

    it.each<[string, object, RegExp]>([
      ['an empty name', { name: '' }, /^name must have 1 to 200 characters/],
      ['a name of spaces', { name: ' \t ' }, /^name must have 1 to 200 characters/],
      ['an invisible name', { name: '\u3164\u200b' }, /^name must have 1 to 200 characters/],
      ['a long name', { name: 'x'.repeat(201) }, /^name must have 1 to 200 characters/],
      ['a number as the name', { name: 7 }, /^name must be a string/],
      ['null as the name', { name: null }, /^name must be a string/],
      ['an unknown account type', { account_type: 'piggy_bank' }, /^account_type must be one of: depository, /],
      ['null as the account type', { account_type: null }, /^account_type must be one of: depository, /],
      ['a list of types', { account_type: ['loan'] }, /^account_type must be one of: depository, /],
    ])('an edit of an account with %s is refused with 422 and changes nothing', async (_, body, problem) => {
      bank.lists([CHECKING]);
      await connected(client, bank.token());
      const before = await byName('Everyday Checking');
      const answer = await client.patch(path(before.id!), body);
      expect([answer.status, answer.body.error]).toEqual([422, 'validation_failed']);
      expect(answer.body.errors).toContainEqual(expect.stringMatching(problem));
      expect(await byName('Everyday Checking')).toEqual(before);
    });

    it('an edit of an account whose body is not a JSON object is refused with 400', async () => {
      for (const body of ['{"name":', '[]', '"name"']) {
        expect((await client.patch(path(UNKNOWN_ID), body)).status).toBe(400);
      }
    });
  });
});
