import { MAX_ACCOUNTS_OF_PERSON } from '../../src/balances/accounts/account.entity.js';
import { HistoryRebuildService } from '../../src/balances/history/history-rebuild.service.js';
import { UNGUARDED } from '../../src/kit/guard-noted-writes.js';
import { createClient, type TestApp, type TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { noon, wireAccount, wireTransaction } from '../support/scripted-us-provider.js';
import { synced } from '../support/syncs.js';

type Row = Record<string, unknown>;

describe('accounts by hand', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));

  const HOUSE = { name: 'Our house', account_type: 'property', currency: 'usd' };
  const add = async (body: object) => client.post('/api/v1/accounts', body);
  const added = async (body: object) => (await add(body)).body.id as string;
  const valuesOf = (id: string) => `/api/v1/accounts/${id}/values`;
  const set = (id: string, day: string, value: string) => client.put(`${valuesOf(id)}/${day}`, { value });
  const days = async (id: string) =>
    (await client.get(`/api/v1/balances?account_id=${id}&sort=date&per_page=100`)).body.balances as Row[];
  const ends = async (id: string) => (await days(id)).map(({ date, end_balance_cents: end }) => [date, end]);
  const netWorth = async () => {
    const { net_worth: points, warnings } = (await client.get('/api/v1/net_worth')).body;
    return {
      days: points.map((point: Row) => [point.date, point.net_worth_cents]) as [string, number][],
      warnings: (warnings as Row[]).filter(({ kind }) => kind !== 'estimated').map(({ kind }) => kind),
    };
  };
  const later = (hours: number) =>
    tidemark.clock.set(new Date(tidemark.clock.now().getTime() + hours * 3_600_000).toISOString());

  it('a house is added with a value of today, is active without a connection, and counts in net worth', async () => {
    const { status, body, headers } = await add({ ...HOUSE, value: '410000' });
    expect([status, body]).toMatchObject([
      201,
      {
        ...{ name: 'Our house', account_type: 'property', currency: 'USD', institution: null, provider: 'own' },
        ...{ balance: '$410,000.00', balance_cents: 41_000_000, balance_date: '2026-03-15', available: null },
        ...{ status: 'active', connection_id: null, stale_since: null, include_in_net_worth: true, flows_factor: 1 },
      },
    ]);
    expect(headers.get('location')).toMatch(`/api/v1/accounts/${body.id}`);
    expect(await netWorth()).toEqual({ days: [['2026-03-15', 41_000_000]], warnings: [] });
    const [event] = (await client.get('/api/v1/audit_events')).body.audit_events;
    expect(event).toMatchObject({ kind: 'account_added', subject_id: body.id, subject: 'Our house' });
  });

  it('a house moves by its values only, which are set again and taken back', async () => {
    const id = await added({ ...HOUSE, value_cents: 40_000_000, date: '2026-03-12' });
    const before = await days(id);
    const { status, body } = await set(id, '2026-03-14', '410000.00');
    expect([status, body]).toEqual([
      200,
      {
        ...{ date: '2026-03-14', currency: 'USD', value: '$410,000.00', value_cents: 41_000_000 },
        ...{ source: 'person', imported_list_id: null },
      },
    ]);
    await set(id, '2026-03-14', '410000.00');
    await set(id, '2026-03-10', '390000');
    expect(await ends(id)).toEqual([
      ['2026-03-10', 39_000_000],
      ['2026-03-11', 39_000_000],
      ['2026-03-12', 40_000_000],
      ['2026-03-13', 40_000_000],
      ['2026-03-14', 41_000_000],
      ['2026-03-15', 41_000_000],
    ]);
    const { values, pagination } = (await client.get(`${valuesOf(id)}?per_page=2`)).body;
    expect(values.map(({ date }: Row) => date)).toEqual(['2026-03-14', '2026-03-12']);
    expect(pagination).toMatchObject({ total_count: 3, total_pages: 2 });
    const changed = await client.get(`/api/v1/net_worth/changes?account_id=${id}&start_date=2026-03-11`);
    expect(changed.body.currencies).toMatchObject([
      { unexplained_cents: 2_000_000, values_given: '$20,000.00', values_given_cents: 2_000_000 },
    ]);

    later(1);
    for (const day of ['2026-03-14', '2026-03-10'])
      expect((await client.delete(`${valuesOf(id)}/${day}`)).status).toBe(204);
    expect((await client.delete(`${valuesOf(id)}/2026-03-10`)).status).toBe(404);
    const withoutTime = (rows: Row[]) => rows.map((row) => ({ ...row, updated_at: null }));
    expect(withoutTime(await days(id))).toEqual(withoutTime(before));
    const kinds = (await client.get('/api/v1/audit_events')).body.audit_events.map(({ kind }: Row) => kind);
    expect(kinds.slice(0, 3)).toEqual(['value_removed', 'value_removed', 'value_set']);
  });

  it('an account by hand has a balance every day, with or without a bank, until it is closed', async () => {
    const id = await added({ name: 'Cash', account_type: 'depository', currency: 'USD', value: '250.00' });
    later(48);
    expect((await netWorth()).days.at(-1)).toEqual(['2026-03-17', 25_000]);
    await tidemark.app.get(HistoryRebuildService).continueOwn();
    expect((await ends(id)).at(-1)).toEqual(['2026-03-17', 25_000]);
    await client.patch(`/api/v1/accounts/${id}`, { closed_on: '2026-03-16' });
    later(24);
    await tidemark.app.get(HistoryRebuildService).continueOwn();
    expect((await ends(id)).at(-1)).toEqual(['2026-03-16', 25_000]);
    expect((await netWorth()).days.at(-1)![1]).toBe(0);
  });

  it('the value of a debt is the amount owed, and lowers net worth', async () => {
    const id = await added({ name: 'Loan of my sister', account_type: 'loan', currency: 'EUR', value: '612.45' });
    expect((await client.get(`/api/v1/accounts/${id}`)).body).toMatchObject({ balance: '€612.45', flows_factor: -1 });
    expect((await netWorth()).days).toEqual([['2026-03-15', -61_245]]);
    expect((await client.get(valuesOf(id))).body.values).toMatchObject([{ value_cents: 61_245 }]);
  });

  it.each(['loan', 'other_liability'])(
    'a negative value of a %s by hand is refused, and a card may be overpaid',
    async (type) => {
      const debt = { name: 'Debt', account_type: type, currency: 'EUR', value: '-5000' };
      const why = 'value must not be negative: a debt is a positive amount, what is owed';
      expect((await add(debt)).body.errors).toEqual([why]);
      const id = await added({ ...debt, value: '5000' });
      expect((await set(id, '2026-03-01', '-1')).body.errors).toEqual([why]);
      expect((await add({ ...debt, account_type: 'credit_card' })).status).toBe(201);
    },
  );

  it('an account by hand can be added without a value, and left out of net worth', async () => {
    const { body } = await add({ ...HOUSE, include_in_net_worth: false });
    expect(body).toMatchObject({ balance: null, balance_date: null, include_in_net_worth: false, status: 'active' });
    expect(await days(body.id as string)).toEqual([]);
    expect((await client.get(`/api/v1/accounts/${body.id}/reconciliation`)).body.findings).toEqual([]);
    await set(body.id as string, '2026-03-01', '1');
    expect((await netWorth()).warnings).toEqual(['excluded']);
  });

  it.each([
    [{ ...HOUSE, currency: 'XXX' }, 'currency must be an ISO 4217 code such as EUR'],
    [{ ...HOUSE, currency: 'dollars' }, 'currency must be an ISO 4217 code such as EUR'],
    [{ ...HOUSE, name: ' ' }, 'name must have 1 to 200 characters'],
    [{ ...HOUSE, account_type: 'castle' }, expect.stringMatching(/^account_type must be one of: /) as string],
    [{ ...HOUSE, date: '2026-03-01' }, 'date is of a value, which is missing'],
    [{ ...HOUSE, value: '1', date: '2026-03-16' }, 'date must not be in the future'],
    [{ ...HOUSE, currency: 'JPY', value: '1.5' }, 'value must not have more than 0 decimals in JPY'],
  ])('the account %j is refused', async (body, why) => {
    const refused = await add(body);
    expect([refused.status, refused.body.errors]).toEqual([422, [why]]);
    expect((await client.get('/api/v1/accounts')).body.accounts).toEqual([]);
  });

  it('a person with as many accounts as one may have can add no other', async () => {
    await tidemark.em().execute(
      `${UNGUARDED}; insert into accounts (user_id, id, provider, external_id, name)
       select '${client.userId}', gen_random_uuid(), 'own', n::text, 'A' || n from generate_series(1, ${MAX_ACCOUNTS_OF_PERSON}) n`,
    );
    const { status, body } = await add(HOUSE);
    expect([status, body.errors]).toEqual([422, ['name: you have 500 accounts, which is the limit']]);
  });

  it('values are for accounts by hand, of their person, in days that have been, with their scope', async () => {
    const id = await added({ ...HOUSE, value: '1' });
    bank.lists([wireAccount({})]);
    await connected(client, bank.token());
    const [listed] = ((await client.get('/api/v1/accounts')).body.accounts as Row[]).filter(
      ({ provider }) => provider !== 'own',
    );
    const refused = await set(listed!.id as string, '2026-03-10', '1');
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '“Everyday Checking” is not an account by hand: state its balance of a day with POST /api/v1/accounts/{id}/statements.',
    ]);
    expect((await set(id, '2026-03-16', '1')).body.errors).toEqual(['date must not be in the future']);
    expect((await set(id, 'march', '1')).body.errors).toEqual(['date must be a date (YYYY-MM-DD)']);
    const stranger = await createClient(tidemark);
    expect((await stranger.put(`${valuesOf(id)}/2026-03-10`, { value: '1' })).status).toBe(404);
    expect((await stranger.get(valuesOf(id))).status).toBe(404);
    expect((await stranger.delete(`${valuesOf(id)}/2026-03-15`)).status).toBe(404);
    const reader = await createClient(tidemark, { scopes: ['accounts:read'] });
    expect((await reader.post('/api/v1/accounts', HOUSE)).status).toBe(403);
  });

  it('an account by hand that a bank lists later is merged with it: it keeps its values and is synced', async () => {
    const id = await added({
      ...HOUSE,
      name: 'Savings',
      account_type: 'depository',
      value: '70.00',
      date: '2026-03-01',
    });
    await set(id, '2026-03-08', '104.00');
    bank.lists([wireAccount({ name: 'Savings', transactions: [wireTransaction('T-1', '2026-03-12', '-4.00')] })]);
    const connection = await connected(client, bank.token());
    // What a person keeps by hand is not taken for something else because of its name.
    expect((await client.get(`/api/v1/connections/${connection.id}`)).body.merge_suggestions).toEqual([]);
    expect((await netWorth()).days.at(-1)![1]).toBe(20_400);
    const listed = ((await client.get('/api/v1/accounts')).body.accounts as Row[]).find((one) => one.id !== id)!;
    const merged = await client.post(`/api/v1/accounts/${id}/merge`, { account_id: listed.id });
    expect([merged.status, merged.body]).toMatchObject([
      200,
      { id, name: 'Savings', provider: 'us_provider', connection_id: connection.id, status: 'active' },
    ]);
    const all = new Map((await ends(id)) as [string, number][]);
    const wanted = ['2026-03-01', '2026-03-07', '2026-03-08', '2026-03-12', '2026-03-15'];
    expect(wanted.map((day) => all.get(day))).toEqual([7_000, 7_000, 10_400, 10_000, 10_000]);
    const { statements } = (await client.get(`/api/v1/accounts/${id}/statements`)).body;
    // Between a value and the bank's list are days that nobody lists.
    expect(statements.map(({ date, agrees }: Row) => [date, agrees])).toEqual([
      // Nothing says how it came from 70.00 to 104.00.
      ['2026-03-08', null],
      ['2026-03-01', null],
    ]);
    bank.lists([wireAccount({ name: 'Savings', balance: '50.00', 'balance-date': noon('2026-03-16') })]);
    later(24);
    await synced(client, connection.id);
    expect((await ends(id)).at(-1)).toEqual(['2026-03-16', 5_000]);
    expect(new Map((await ends(id)) as [string, number][]).get('2026-03-08')).toBe(10_400);
  });

  it('an account by hand is deleted with its values', async () => {
    const id = await added({ ...HOUSE, value: '1' });
    expect((await client.delete(`/api/v1/accounts/${id}`)).status).toBe(204);
    expect((await client.get(valuesOf(id))).status).toBe(404);
    expect((await netWorth()).days).toEqual([]);
  });
});
