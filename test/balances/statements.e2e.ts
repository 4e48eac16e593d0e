import { ImportedListsService } from '../../src/balances/own-knowledge/imported-lists.service.js';
import { createClient, type TestApp, type TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { noon, wireAccount, wireTransaction } from '../support/scripted-us-provider.js';
import { synced } from '../support/syncs.js';

type Row = Record<string, unknown>;

describe('/api/v1/accounts/{id}/statements', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));

  const CHECKING = wireAccount({
    transactions: [wireTransaction('T-1', '2026-03-10', '-12.00'), wireTransaction('T-2', '2026-03-12', '-4.00')],
  });
  beforeEach(() => bank.lists([CHECKING]));

  const enter = async () => {
    const connection = await connected(client, bank.token());
    const [account] = (await client.get('/api/v1/accounts')).body.accounts;
    const path = `/api/v1/accounts/${account.id}/statements`;
    return { connection, id: account.id as string, path };
  };
  const list = async (path: string) => (await client.get(path)).body.statements as Row[];
  const days = async (id: string) =>
    (await client.get(`/api/v1/balances?account_id=${id}&sort=date&per_page=100`)).body.balances as Row[];
  /** The end of each day that a query of the list has. */
  const ends = async (id: string, ...wanted: string[]) => {
    const all = await days(id);
    return wanted.map((day) => all.find(({ date }) => date === day)?.end_balance_cents ?? null);
  };
  const reconciliation = async (id: string) => (await client.get(`/api/v1/accounts/${id}/reconciliation`)).body;
  const later = (hours: number) =>
    tidemark.clock.set(new Date(tidemark.clock.now().getTime() + hours * 3_600_000).toISOString());

  it('a statement that agrees makes the days up to the first report of the bank known', async () => {
    const { id, path } = await enter();
    // 100.00 on 15 March, and 4.00 and 12.00 were spent since.
    expect((await reconciliation(id)).certainty[0]).toMatchObject({ start_date: '2026-03-10', level: 'estimated' });
    const { status, body } = await client.post(path, { date: '2026-03-11', balance: '104.00' });
    expect([status, body]).toMatchObject([
      201,
      {
        ...{ date: '2026-03-11', balance: '$104.00', balance_cents: 10_400, currency: 'USD' },
        ...{ source: 'person', imported_list_id: null, counts: true, prevails: false },
        ...{ derived_balance_cents: 10_400, agrees: true },
      },
    ]);
    const { certainty, findings } = await reconciliation(id);
    expect(certainty.find(({ level }: Row) => level === 'known')).toMatchObject({ start_date: '2026-03-11' });
    expect(findings.filter(({ kind }: Row) => kind === 'statement_differs')).toEqual([]);
  });

  it('a statement that differs is met by an adjustment of its day and a finding, and undoing it restores every day', async () => {
    const { id, path } = await enter();
    await client.post(path, { date: '2026-03-10', balance_cents: 10_400 });
    const before = await days(id);
    const { body } = await client.post(path, { date: '2026-03-11', balance: '90.00' });
    expect(body).toMatchObject({ counts: true, agrees: false, derived_balance_cents: 10_400 });
    expect(await ends(id, '2026-03-10', '2026-03-11', '2026-03-15')).toEqual([10_400, 9_000, 10_000]);
    expect((await days(id))[1]).toMatchObject({ cash_adjustments_cents: -1_400 });
    const found = (await reconciliation(id)).findings.filter(({ kind }: Row) => kind === 'statement_differs');
    expect(found).toMatchObject([
      { since: '2026-03-11', text: expect.stringContaining('A statement says $90.00 for 11 March 2026') as string },
    ]);
    const [day] = (await client.get(`/api/v1/balances?account_id=${id}&start_date=2026-03-11&end_date=2026-03-11`)).body
      .balances;
    const { revisions } = (await client.get(`/api/v1/balances/${day.id}/revisions`)).body;
    expect(revisions[0].reasons).toEqual(['stated_balance']);

    later(1);
    expect((await client.delete(`${path}/${body.id}`)).status).toBe(204);
    const withoutTime = (rows: Row[]) => rows.map((row) => ({ ...row, updated_at: null }));
    expect(withoutTime(await days(id))).toEqual(withoutTime(before));
    expect((await client.delete(`${path}/${body.id}`)).status).toBe(404);
    const events = (await client.get('/api/v1/audit_events')).body.audit_events as Row[];
    expect(events.slice(0, 2)).toMatchObject([
      { kind: 'statement_removed', subject_id: id, subject: 'Everyday Checking, 2026-03-11' },
      { kind: 'statement_added' },
    ]);
  });

  it('on a day of the bank its balance counts until the person says that the statement does', async () => {
    const { id, path } = await enter();
    const { body } = await client.post(path, { date: '2026-03-15', balance: '95.00' });
    expect(body).toMatchObject({ counts: false, agrees: false, derived_balance_cents: 10_000 });
    expect(await ends(id, '2026-03-15')).toEqual([10_000]);
    const preferred = await client.patch(`${path}/${body.id}`, { prevails: true });
    expect([preferred.status, preferred.body]).toMatchObject([200, { counts: true, prevails: true, agrees: false }]);
    expect(await ends(id, '2026-03-15')).toEqual([9_500]);
    await client.patch(`${path}/${body.id}`, { prevails: false });
    expect(await ends(id, '2026-03-15')).toEqual([10_000]);
  });

  it('a statement survives the next syncs', async () => {
    const { id, path, connection } = await enter();
    await client.post(path, { date: '2026-03-15', balance: '95.00' });
    bank.lists([{ ...CHECKING, balance: '80.00', 'balance-date': noon('2026-03-16') }]);
    later(24);
    await synced(client, connection.id);
    expect(await list(path)).toMatchObject([{ date: '2026-03-15', counts: false, derived_balance_cents: 10_000 }]);
    expect((await ends(id, '2026-03-16'))[0]).toBe(8_000);
  });

  it('a second statement of a day replaces the first, and the list is paged with the newest first', async () => {
    const { path } = await enter();
    const first = await client.post(path, { date: '2026-03-11', balance: '1' });
    const second = await client.post(path, { date: '2026-03-11', balance: '104.00' });
    expect([second.status, second.body.id]).toEqual([201, first.body.id]);
    await client.post(path, { date: '2026-03-14', balance: '100.00' });
    const { body, headers } = await client.get(`${path}?per_page=1`);
    expect(body.statements.map(({ date }: Row) => date)).toEqual(['2026-03-14']);
    expect(body.pagination).toEqual({ page: 1, per_page: 1, total_count: 2, total_pages: 2 });
    const unchanged = { 'if-none-match': headers.get('etag')! };
    expect((await client.get(`${path}?per_page=1`, unchanged)).status).toBe(304);
    await client.delete(`${path}/${second.body.id}`);
    expect((await client.get(`${path}?per_page=1`, unchanged)).status).toBe(200);
  });

  it('the balance of a debt is stated and shown as the amount owed', async () => {
    bank.lists([wireAccount({ name: 'Blue Credit Card', balance: '-612.45' })]);
    const { id, path } = await enter();
    const { body } = await client.post(path, { date: '2026-03-10', balance: '612.45' });
    expect(body).toMatchObject({ balance: '$612.45', balance_cents: 61_245 });
    expect(await ends(id, '2026-03-10')).toEqual([61_245]);
    expect((await client.get('/api/v1/net_worth')).body.net_worth[0]).toMatchObject({ net_worth_cents: -61_245 });
  });

  it('a balance that a file states is listed beside those of the person, and goes with the file alone', async () => {
    const { id, path } = await enter();
    const imported = await tidemark.app.get(ImportedListsService).add({ userId: client.userId, timeZone: 'UTC' }, id, {
      ...{ name: 'march.csv', currency: 'USD', rows: [], covered: null },
      balances: [{ date: '2026-03-11', balanceMinor: 10_400 }],
    });
    await client.post(path, { date: '2026-03-11', balance: '103.00' });
    const [mine, file] = await list(path);
    expect([mine, file]).toMatchObject([
      { source: 'person', counts: true },
      { source: 'file', imported_list_id: imported, counts: false },
    ]);
    const refused = await client.delete(`${path}/${String(file!.id)}`);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      '“march.csv” states this balance: remove that import to take it back.',
    ]);
    // The person may prefer it all the same, until they state another one.
    expect((await client.patch(`${path}/${String(file!.id)}`, { prevails: true })).body).toMatchObject({
      counts: true,
    });
    await client.post(path, { date: '2026-03-11', balance: '102.00' });
    expect(await list(path)).toMatchObject([
      { source: 'person', balance_cents: 10_200, counts: true, prevails: true },
      { source: 'file', counts: false, prevails: false },
    ]);
  });

  it.each([
    [{ date: '2026-03-16', balance: '1' }, 'date must not be in the future'],
    [{ date: '1969-12-31', balance: '1' }, 'date must not be before 1970-01-01'],
    [{ date: 'today', balance: '1' }, 'date must be a date (YYYY-MM-DD)'],
    [{ date: '2026-03-10' }, 'balance must be given, as decimal text or as balance_cents, and not as both'],
    [
      { date: '2026-03-10', balance: '1', balance_cents: 100 },
      'balance must be given, as decimal text or as balance_cents, and not as both',
    ],
    [{ date: '2026-03-10', balance: '1.005' }, 'balance must not have more than 2 decimals in USD'],
    [{ date: '2026-03-10', balance: '1,50' }, 'balance must be an amount as decimal text, such as "612.45"'],
    [{ date: '2026-03-10', balance: '9'.repeat(14) }, 'balance must not be larger than 100000000000000 minor units'],
  ])('the statement %j is refused', async (body, why) => {
    const { path } = await enter();
    const refused = await client.post(path, body);
    expect([refused.status, refused.body.errors]).toEqual([422, [why]]);
    expect(await list(path)).toEqual([]);
  });

  it('statements are of their person only and need their scopes', async () => {
    const { path, id } = await enter();
    const stated = { date: '2026-03-11', balance: '104.00' };
    const stranger = await createClient(tidemark);
    const reader = await createClient(tidemark, { scopes: ['accounts:read'] });
    expect((await stranger.post(path, stated)).status).toBe(404);
    expect((await stranger.get(path)).status).toBe(404);
    expect((await reader.post(path, stated)).status).toBe(403);
    const first = await client.post(path, stated);
    const own = `${path}/${first.body.id}`;
    expect((await stranger.delete(own)).status).toBe(404);
    expect((await stranger.patch(own, { prevails: true })).status).toBe(404);
    expect((await client.get(`/api/v1/accounts/${id}/values`)).body.message).toMatch(/is not an account by hand/);
  });

  it('an account whose currency has no minor unit takes no statement', async () => {
    bank.lists([wireAccount({ currency: 'https://points.example/miles' })]);
    const { path } = await enter();
    const { status, body } = await client.post(path, { date: '2026-03-10', balance: '1' });
    expect([status, body.message]).toMatchObject([422, expect.stringContaining('is not supported')]);
  });
});
