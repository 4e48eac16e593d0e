import { HistoryRebuildService } from '../../src/balances/history/history-rebuild.service.js';
import { ImportedListsService, type NewList } from '../../src/balances/own-knowledge/imported-lists.service.js';
import type { SnapshotAccount, SnapshotTransaction } from '../../src/providers/bank-provider.js';
import { Connection } from '../../src/sync/connections/connection.entity.js';
import { MergeAccountsService } from '../../src/sync/ingest/merge/merge-accounts.service.js';
import { addDays, type CalendarDate } from '../../src/platform/time/calendar-date.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { Copy, listed } from '../support/copy.js';
import {
  balance,
  coveredSince,
  createConnection,
  snapshotAccount,
  transaction,
  writeSnapshot,
} from '../support/factories.js';

const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

describe('corrections of transactions', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let connection: Connection;
  let account: SnapshotAccount;
  let accountId: string;

  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    tidemark.clock.set('2026-03-16T12:00:00Z');
    client = await createClient(tidemark);
    connection = await createConnection(tidemark, client.userId);
    account = snapshotAccount({ balance: balance(100_000), covered: coveredSince('2026-02-01') });
  });

  async function answer(transactions: SnapshotTransaction[], more: Partial<SnapshotAccount> = {}): Promise<void> {
    ({ accountId } = await writeSnapshot(tidemark, connection, { ...account, transactions, ...more }));
  }

  const path = (id: string) => `/api/v1/transactions/${id}`;
  const list = async (query = '') =>
    (await client.get(`/api/v1/transactions?account_id=${accountId}${query}`)).body.transactions as Listed[];
  const show = async (id: string) => (await client.get(path(id))).body;
  const idOf = async (amount: number) => (await list()).find(({ amount_cents }) => amount_cents === amount)!.id;
  const correct = async (id: string, said: object) => {
    const { status, body } = await client.patch(path(id), said);
    expect([status, body.errors]).toEqual([200, undefined]);
    return body;
  };
  const add = async (row: object) => {
    const { status, body } = await client.post('/api/v1/transactions', { account_id: accountId, ...row });
    expect([status, body.errors]).toEqual([201, undefined]);
    return body as Listed;
  };
  /** Balances and transactions, but when they were last written. */
  const everything = async () => {
    const { body } = await client.get(`/api/v1/balances?account_id=${accountId}&per_page=100`);
    return JSON.parse(
      JSON.stringify({ balances: body.balances as unknown[], transactions: await list() }, (name, value: unknown) =>
        name === 'updated_at' ? undefined : value,
      ),
    ) as { balances: Record<string, unknown>[]; transactions: Listed[] };
  };
  const day = async (date: string) =>
    (await client.get(`/api/v1/balances?account_id=${accountId}&start_date=${date}&end_date=${date}`)).body.balances[0];
  const adjustments = async () =>
    (await everything()).balances.flatMap(({ date, cash_adjustments_cents: minor }) => (minor === 0 ? [] : [date]));
  const importFile = (list: Partial<NewList>) =>
    tidemark.app
      .get(ImportedListsService, { strict: false })
      .add({ userId: client.userId, timeZone: 'UTC' }, accountId, { ...FILE, ...list });

  interface Listed {
    id: string;
    date: string;
    amount_cents: number;
    reported_amount_cents: number;
    source: string;
    status: string;
  }

  const FILE: NewList = { name: 'file.csv', currency: 'USD', rows: [], balances: [], covered: null };
  const fileRow = (date: CalendarDate, amountMinor: number) => ({
    date,
    amountMinor,
    description: 'File',
    merchant: null,
  });
  const rent = transaction('2026-03-02', -90_000, { description: 'Rent' });
  const dinner = transaction('2026-03-10', -2_100, { description: 'Dinner' });
  const salary = transaction('2026-03-13', 250_000, { description: 'Salary' });

  describe('PATCH /api/v1/transactions/{id}', () => {
    it('a corrected transaction counts as its person says, and what the bank lists stands beside it', async () => {
      await answer([rent, dinner, salary]);
      const id = await idOf(-2_100);
      const body = await correct(id, { date: '2026-03-09', amount: '-12.00', note: ' Too much at first ' });
      expect(body).toMatchObject({
        ...{ id, date: '2026-03-09', amount: '-$12.00', amount_cents: -1_200, corrected: true, excluded: false },
        ...{ reported_date: '2026-03-10', reported_amount_cents: -2_100, note: 'Too much at first', source: 'bank' },
        correction: {
          ...{ date: '2026-03-09', amount: '-$12.00', amount_cents: -1_200, excluded: null, note: 'Too much at first' },
          state: 'applied',
        },
        versions: [{ date: '2026-03-10', amount_cents: -2_100, listed_until: null }],
      });
      expect(await list('&end_date=2026-03-09')).toMatchObject([
        { id, amount_cents: -1_200 },
        { amount_cents: -90_000 },
      ]);
      expect(await day('2026-03-09')).toMatchObject({ cash_outflows_cents: 1_200, end_balance_cents: -150_000 });
      expect(await day('2026-03-10')).toMatchObject({ cash_outflows_cents: 0 });
      const csv = await client.get(`/api/v1/transactions?account_id=${accountId}`, { Accept: 'text/csv' });
      const [head = '', , corrected = ''] = String(csv.body).split('\r\n');
      expect(head).toMatch(/,reported_amount,reported_amount_cents,reported_date,source,excluded,corrected,note$/);
      expect(corrected).toMatch(
        /^[^,]*,2026-03-09,-\$12\.00,-1200,.*,-\$21\.00,-2100,2026-03-10,bank,false,true,Too much at/,
      );
    });

    it('a correction shows in the restated balances, in the change feed and in the audit trail', async () => {
      await answer([rent, dinner, salary]);
      const copy = new Copy(client);
      await copy.catchUp();
      const id = await idOf(-2_100);
      await correct(id, { amount_cents: -1_200 });
      const { id: balanceId } = await day('2026-03-05');
      const { body } = await client.get(`/api/v1/balances/${balanceId}/revisions`);
      expect(body.revisions).toMatchObject([{ reasons: ['corrected'] }]);
      await copy.catchUp();
      for (const kind of ['transactions', 'balances', 'accounts'] as const)
        expect(copy.sorted(kind)).toEqual(await listed(client, kind));
      await client.delete(`${path(id)}/correction`);
      await copy.catchUp();
      expect(copy.sorted('transactions')).toEqual(await listed(client, 'transactions'));
      const { body: audit } = await client.get('/api/v1/audit_events');
      expect(audit.audit_events.slice(0, 2)).toMatchObject([
        { kind: 'correction_undone', subject_id: id, subject: 'Dinner' },
        { kind: 'transaction_corrected', subject_id: id, subject: 'Dinner' },
      ]);
    });

    it('null takes one member of a correction back, and its deletion all of it', async () => {
      await answer([rent, dinner, salary]);
      const before = await everything();
      const id = await idOf(-2_100);
      await correct(id, { date: '2026-03-09', amount_cents: -1_200, excluded: true, note: 'x' });
      expect(await correct(id, { excluded: null, date: null })).toMatchObject({
        ...{ date: '2026-03-10', amount_cents: -1_200, excluded: false, note: 'x' },
        correction: { date: null, amount_cents: -1_200, excluded: null, note: 'x' },
      });
      expect((await client.delete(`${path(id)}/correction`)).status).toBe(204);
      expect(await everything()).toEqual(before);
      expect((await show(id)).correction).toBeNull();
      expect((await client.delete(`${path(id)}/correction`)).status).toBe(404);
      await correct(id, { amount_cents: -1_200 });
      expect(await correct(id, { amount_cents: null })).toMatchObject({ correction: null, corrected: false });
      expect(await everything()).toEqual(before);
    });

    it('nothing of a transaction that its person has added is taken back: it is deleted', async () => {
      await answer([rent, dinner, salary]);
      const { id } = await add({ date: '2026-03-12', amount_cents: -100, description: 'Kiosk', note: 'Cash' });
      await correct(id, { amount_cents: -200 });
      const refused = await client.delete(`${path(id)}/correction`);
      expect([refused.status, refused.body.message]).toEqual([
        409,
        `You have added this transaction, so nothing is listed to go back to. Delete it: DELETE /api/v1/transactions/${id}.`,
      ]);
      expect(await show(id)).toMatchObject({ amount_cents: -200, note: 'Cash' });
    });

    it('a transaction that its person leaves out is shown, marked, and counted nowhere', async () => {
      const twice = transaction('2026-03-10', -2_100, { description: 'Dinner' });
      const hold = transaction('2026-03-15', -500, { pending: true });
      await answer([rent, dinner, salary], { balance: balance(100_000) });
      const without = await everything();
      await answer([rent, dinner, twice, salary, hold], { balance: balance(100_000) });
      const [copyId, holdId] = [
        (await list()).filter(({ amount_cents }) => amount_cents === -2_100)[1]!.id,
        await idOf(-500),
      ];
      for (const id of [copyId, holdId]) await correct(id, { excluded: true });
      expect(await list('&excluded=true')).toMatchObject([
        { id: holdId, excluded: true, corrected: true },
        { id: copyId },
      ]);
      expect(await list('&excluded=false')).toHaveLength(3);
      expect((await everything()).balances.map(({ end_balance_cents: minor }) => minor)).toEqual(
        without.balances.map(({ end_balance_cents: minor }) => minor),
      );
    });

    it('a pending transaction keeps its correction and its note once it is posted', async () => {
      const hold = transaction('2026-03-15', -500, { pending: true, description: 'Cafe' });
      await answer([rent, hold]);
      const id = await idOf(-500);
      await correct(id, { note: 'With Ann', amount_cents: -700 });
      tidemark.clock.set('2026-03-17T12:00:00Z');
      await answer([rent, { ...hold, externalId: 'posted', pending: false }]);
      expect(await show(id)).toMatchObject({ status: 'posted', amount_cents: -700, note: 'With Ann' });
    });

    it('a correction is no longer needed once the bank lists what its person said, and waits while the bank lists nothing', async () => {
      await answer([rent, dinner, salary]);
      const id = await idOf(-2_100);
      await correct(id, { amount_cents: -1_200 });
      tidemark.clock.set('2026-03-17T12:00:00Z');
      await answer([rent, { ...dinner, amountMinor: -1_200 }, salary]);
      expect(await show(id)).toMatchObject({ corrected: false, correction: { state: 'no_longer_needed' } });
      tidemark.clock.set('2026-03-18T12:00:00Z');
      await answer([rent, salary]);
      expect(await show(id)).toMatchObject({ status: 'withdrawn', correction: { state: 'waiting' } });
      const refused = await client.patch(path(id), { amount_cents: 1 });
      expect([refused.status, refused.body.message]).toEqual([409, 'The bank no longer lists this transaction.']);
      tidemark.clock.set('2026-03-19T12:00:00Z');
      await answer([rent, dinner, salary]);
      expect(await show(id)).toMatchObject({ amount_cents: -1_200, reported_amount_cents: -2_100, corrected: true });
    });

    it('a correction follows a transaction that the bank replaces by another', async () => {
      await answer([rent, dinner, salary]);
      const id = await idOf(-2_100);
      await correct(id, { note: 'Ours' });
      tidemark.clock.set('2026-03-17T12:00:00Z');
      await answer([rent, transaction('2026-03-11', -2_350, { description: 'Dinner' }), salary]);
      const { replaced_by: by } = await show(id);
      expect(await show(by)).toMatchObject({ note: 'Ours', correction: { note: 'Ours' } });
      await correct(by, { note: 'Theirs' });
      expect((await client.delete(`${path(by)}/correction`)).status).toBe(204);
      expect(await show(by)).toMatchObject({ note: null, correction: null });
    });

    it('the balance needs no adjustment if the bank adds a tip to a transaction whose date was corrected', async () => {
      await answer([rent, dinner, salary]);
      await correct(await idOf(-2_100), { date: '2026-03-09' });
      tidemark.clock.set('2026-03-17T12:00:00Z');
      await answer([rent, { ...dinner, amountMinor: -2_500 }, salary], { balance: balance(99_600) });
      expect(await list('&end_date=2026-03-09')).toMatchObject([{ amount_cents: -2_500 }, { amount_cents: -90_000 }]);
      expect(await adjustments()).toEqual([]);
    });

    it('corrections keep the sign of their person where the bank lists money out as positive', async () => {
      const rows = [transaction('2026-03-02', 4_000, { description: 'Market' })];
      await answer(rows);
      const id = await idOf(4_000);
      await correct(id, { amount_cents: -4_500 });
      const days: [row: SnapshotTransaction, balance: number][] = [
        [transaction('2026-03-17', 6_215), 93_785],
        [transaction('2026-03-18', -210_000), 303_785],
        [transaction('2026-03-19', 3_320), 300_465],
        [transaction('2026-03-20', 7_500), 292_965],
      ];
      for (const [row, amount] of days) {
        tidemark.clock.set(`${row.date}T12:00:00Z`);
        rows.push(row);
        await answer(rows, { balance: balance(amount) });
      }
      expect(await show(id)).toMatchObject({ amount_cents: -4_500, reported_amount_cents: 4_000, corrected: true });
      expect(await correct(await idOf(-7_500), { amount_cents: -7_600 })).toMatchObject({ amount_cents: -7_600 });
      await add({ date: '2026-03-12', amount_cents: -100, description: 'Kiosk' });
      await importFile({ rows: [fileRow('2026-01-10', -800)], covered: { first: '2026-01-01', last: '2026-01-30' } });
      expect((await list()).map(({ amount_cents }) => amount_cents)).toEqual([
        ...[-7_600, -3_320, 210_000, -6_215, -100, -4_500, -800],
      ]);
      expect(await day('2026-03-02')).toMatchObject({ cash_outflows_cents: 4_500 });
      expect(await day('2026-03-12')).toMatchObject({ cash_outflows_cents: 100, cash_inflows_cents: 0 });
      expect(await day('2026-01-10')).toMatchObject({ cash_outflows_cents: 800, cash_inflows_cents: 0 });
    });

    it('rows of a file are paired as soon as the balances show that the bank lists the opposite sign', async () => {
      const rows = [transaction('2026-03-01', 4_000, { description: 'Market' })];
      await answer(rows, { covered: coveredSince('2026-03-01') });
      await importFile({ rows: [fileRow('2026-03-01', -4_000)], covered: { first: '2026-02-01', last: '2026-03-01' } });
      const days: [row: SnapshotTransaction, balance: number][] = [
        [transaction('2026-03-17', 6_215), 93_785],
        [transaction('2026-03-18', -210_000), 303_785],
        [transaction('2026-03-19', 3_320), 300_465],
        [transaction('2026-03-20', 7_500), 292_965],
      ];
      for (const [row, amount] of days) {
        tidemark.clock.set(`${row.date}T12:00:00Z`);
        rows.push(row);
        await answer(rows, { balance: balance(amount), covered: coveredSince('2026-03-01') });
        const before = await everything();
        await tidemark.app.get(HistoryRebuildService).run(accountId);
        expect([row.date, await everything()]).toEqual([row.date, before]);
      }
      expect(await list('&end_date=2026-03-01')).toMatchObject([{ amount_cents: -4_000, source: 'bank' }]);
    });

    it('a row that a file has and the bank does not counts once its person says so', async () => {
      await answer([rent, dinner, salary]);
      const listId = await importFile({
        rows: [fileRow('2026-03-02', -90_000), fileRow('2026-03-05', -333)],
        covered: { first: '2026-03-01', last: '2026-03-10' },
      });
      const before = await everything();
      const rows = await tidemark
        .em()
        .getConnection()
        .execute<{ id: string }[]>(`select id from own_rows where list_id = ? and standing = 'left_out'`, [listId]);
      const id = rows[0]!.id;
      expect(await show(id)).toMatchObject({ status: 'left_out', amount_cents: -333, source: 'file', versions: [] });
      expect(await correct(id, { excluded: false, note: 'Cash' })).toMatchObject({ status: 'posted', note: 'Cash' });
      expect(await list('&source=file')).toMatchObject([{ id, amount_cents: -333 }]);
      expect(await day('2026-03-05')).toMatchObject({ cash_outflows_cents: 333 });
      await client.delete(`${path(id)}/correction`);
      expect(await everything()).toEqual(before);
    });

    it.each<[string, object, RegExp]>([
      ['a date that is none', { date: '2026-02-30' }, /^date must be a date/],
      ['a day to come', { date: '2026-03-17' }, /^date must not be in the future/],
      ['a day before all lists', { date: '1969-12-31' }, /^date must not be before 1970-01-01/],
      ['a text as the amount in minor units', { amount_cents: '-12.00' }, /^amount_cents must be a whole number/],
      [
        'an amount of more decimals than its currency has',
        { amount: '-12.005' },
        /^amount must not have more than 2 dec/,
      ],
      ['two amounts', { amount: '-12.00', amount_cents: -1_200 }, /^amount must be given, .* and not as both/],
      ['an amount that is too large', { amount_cents: 10 ** 15 }, /^amount_cents must be a whole number/],
      ['a long note', { note: 'x'.repeat(501) }, /^note must not be longer than 500 characters/],
      ['a number as the amount', { amount: -12 }, /^amount must be an amount as decimal text/],
    ])('a correction with %s is refused and changes nothing', async (_, said, problem) => {
      await answer([dinner]);
      const before = await everything();
      const id = await idOf(-2_100);
      const { status, body } = await client.patch(path(id), said);
      expect([status, body.errors]).toEqual([422, [expect.stringMatching(problem)]]);
      expect(await everything()).toEqual(before);
    });

    it('transactions of other people can neither be corrected nor deleted', async () => {
      await answer([dinner]);
      const id = await idOf(-2_100);
      const stranger = await createClient(tidemark);
      for (const one of [id, UNKNOWN_ID, 'nonsense']) {
        expect((await stranger.patch(path(one), { note: 'x' })).status).toBe(404);
        expect((await stranger.delete(`${path(one)}/correction`)).status).toBe(404);
        expect((await stranger.delete(path(one))).status).toBe(404);
      }
      const row = { account_id: accountId, date: '2026-03-01', amount_cents: 1, description: 'x' };
      const added = await stranger.post('/api/v1/transactions', row);
      expect([added.status, added.body.errors]).toEqual([422, ['account_id must be the id of an account of yours']]);
      const reading = await createClient(tidemark, { scopes: ['transactions:read'] });
      expect((await reading.patch(path(id), { note: 'x' })).status).toBe(403);
    });
  });

  it('a correction and an added transaction outlive new ids, changes, a withdrawal, a merge and a rebuild, and can be taken back', async () => {
    const [speaking, silent] = [await person(), await person()];
    for (let sync = 1; sync <= 20; sync++) {
      const today = addDays('2026-03-16', sync);
      for (const one of [speaking, silent]) await one.sync(today, sync);
      if (sync === 2) await speaking.say();
      if (sync === 17) for (const one of [speaking, silent]) await one.rebuild();
      if (sync < 2) continue;
      const rows = await speaking.rows();
      const said = rows.filter(({ description }) => ['Dinner', 'Kiosk'].includes(description));
      const isListed = !WITHDRAWN.includes(sync);
      expect([sync, said]).toMatchObject([
        sync,
        [
          { description: 'Kiosk', date: '2026-03-12', amount_cents: -350, source: 'person', note: 'Cash' },
          ...(isListed
            ? [{ date: '2026-03-09', amount_cents: -1_200, source: 'bank', note: 'Too much at first' }]
            : []),
        ],
      ]);
      expect(rows).toHaveLength((await silent.rows()).length + 1);
      // While the bank has not withdrawn it, what is said explains all balances.
      if (sync <= 10) expect(await speaking.adjustments()).toEqual([]);
    }
    await speaking.takeBack();
    expect(await speaking.shown()).toEqual(await silent.shown());
  });

  /** Syncs whose answer lacks the dinner. */
  const WITHDRAWN = [11, 12];

  /** Somebody whose bank lists a dinner with a wrong amount and day, and a kiosk not at all. */
  async function person() {
    const person = await createClient(tidemark);
    const { userId } = person;
    let externalId = 'first';
    let of = await createConnection(tidemark, userId);
    let account = '';
    const get = async (list: string) =>
      (await person.get(`/api/v1/${list}?per_page=100&account_id=${account}`)).body[list] as Shown[];
    const find = async (text: string) =>
      (await get('transactions')).find(({ description }) => description === text)!.id;
    return {
      rows: () => get('transactions'),
      adjustments: async () => (await get('balances')).filter(({ cash_adjustments_cents: minor }) => minor !== 0),
      /** All but ids and moments. */
      shown: async () =>
        JSON.parse(
          JSON.stringify([await get('balances'), await get('transactions')], (name, value: unknown) =>
            ['id', 'account', 'created_at', 'updated_at'].includes(name) ? undefined : value,
          ),
        ) as unknown,
      /** New ids each time. After the 15th the bank is connected anew, and the two accounts are merged. */
      sync: async (today: CalendarDate, sync: number) => {
        tidemark.clock.set(`${today}T12:00:00Z`);
        const coffees = Array.from({ length: sync }, (_, day) => transaction(addDays('2026-03-17', day), -100 - day));
        const dinnerNow = { ...dinner, amountMinor: sync >= 8 && sync < 11 ? -2_200 : -2_100 };
        const rows = [rent, ...(WITHDRAWN.includes(sync) ? [] : [dinnerNow]), salary, ...coffees];
        const transactions = rows.map((row, index) => ({ ...row, externalId: `${sync} ${index}` }));
        const coffee = coffees.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
        if (sync === 15) {
          await tidemark.em().nativeUpdate(Connection, { userId, id: of.id }, { status: 'attention_required' });
          of = await createConnection(tidemark, userId);
          externalId = 'second';
        }
        const snapshot = snapshotAccount({
          ...{ externalId, transactions, covered: coveredSince('2026-02-01') },
          balance: balance(500_000 - 90_000 - 1_200 - 350 + 250_000 + coffee),
        });
        const written = await writeSnapshot(tidemark, of, snapshot);
        account ||= written.accountId;
        const pair = { disconnectedId: account, replacementId: written.accountId };
        if (sync === 15) await tidemark.app.get(MergeAccountsService).merge(userId, [pair], today);
      },
      rebuild: () => tidemark.app.get(HistoryRebuildService).run(account),
      say: async () => {
        const dinnerSaid = { date: '2026-03-09', amount_cents: -1_200, note: 'Too much at first' };
        expect((await person.patch(path(await find('Dinner')), dinnerSaid)).status).toBe(200);
        const kiosk = { date: '2026-03-12', amount_cents: -350, description: 'Kiosk', note: 'Cash' };
        expect((await person.post('/api/v1/transactions', { account_id: account, ...kiosk })).status).toBe(201);
      },
      takeBack: async () => {
        expect((await person.delete(`${path(await find('Dinner'))}/correction`)).status).toBe(204);
        expect((await person.delete(path(await find('Kiosk')))).status).toBe(204);
      },
    };
  }

  interface Shown {
    id: string;
    description: string;
    cash_adjustments_cents: number;
  }

  describe('POST /api/v1/transactions', () => {
    const KIOSK = { date: '2026-03-12', amount_cents: -350, description: 'Kiosk', note: 'Cash' };
    const kiosk = transaction('2026-03-13', -350, { description: 'KIOSK 12' });

    it('an added transaction counts and can be changed and deleted by its person', async () => {
      await answer([rent, dinner, salary]);
      const before = await everything();
      const added = await add(KIOSK);
      expect(added).toMatchObject({
        ...{ status: 'posted', source: 'person', amount: '-$3.50', corrected: false, currency: 'USD', note: 'Cash' },
        ...{ date: '2026-03-12', description: 'Kiosk', merchant: null, replaced_by: null },
      });
      expect(await day('2026-03-12')).toMatchObject({ cash_outflows_cents: 350, end_balance_cents: -150_000 });
      expect(await correct(added.id, { date: '2026-03-11', amount_cents: -360 })).toMatchObject({
        ...{ date: '2026-03-11', amount_cents: -360, reported_amount_cents: -360, corrected: false, note: 'Cash' },
      });
      expect(await day('2026-03-11')).toMatchObject({ cash_outflows_cents: 360 });
      const { status, body } = await client.patch(path(added.id), { date: null });
      const problem = 'date is of your own transaction, so there is nothing listed to go back to';
      expect([status, body.errors]).toEqual([422, [problem]]);
      expect((await client.delete(path(added.id))).status).toBe(204);
      expect((await client.get(path(added.id))).status).toBe(404);
      expect(await everything()).toEqual(before);
      const { body: audit } = await client.get('/api/v1/audit_events');
      expect(audit.audit_events.map(({ kind }: { kind: string }) => kind).slice(0, 3)).toEqual([
        ...['transaction_removed', 'transaction_corrected', 'transaction_added'],
      ]);
    });

    it('an added transaction gives way to the one that the bank lists later, with its note', async () => {
      await answer([rent, dinner, salary]);
      const { id } = await add(KIOSK);
      tidemark.clock.set('2026-03-17T12:00:00Z');
      await answer([rent, dinner, kiosk, salary], { balance: balance(99_650) });
      const listedId = await idOf(-350);
      expect(await list()).toHaveLength(4);
      expect(await show(id)).toMatchObject({ status: 'superseded', replaced_by: listedId, source: 'person' });
      expect(await show(listedId)).toMatchObject({ source: 'bank', note: 'Cash', date: '2026-03-13' });
      expect(await adjustments()).toEqual([]);
      const { status, body } = await client.patch(path(id), { amount_cents: 1 });
      expect([status, body.message]).toEqual([409, expect.stringContaining(listedId)]);
      tidemark.clock.set('2026-03-18T12:00:00Z');
      await answer([rent, dinner, salary]);
      expect(await show(id)).toMatchObject({ status: 'posted', replaced_by: null, note: 'Cash' });
    });

    it('an added transaction counts beside an equal one that was listed before', async () => {
      await answer([rent, dinner, kiosk, salary]);
      const { id } = await add(KIOSK);
      expect((await list()).filter(({ amount_cents }) => amount_cents === -350)).toHaveLength(2);
      tidemark.clock.set('2026-03-17T12:00:00Z');
      await answer([rent, dinner, { ...kiosk, description: 'KIOSK 12 BERLIN' }, salary]);
      expect(await show(id)).toMatchObject({ status: 'posted' });
    });

    it('an added transaction gives way to one that the bank had withdrawn before and lists again', async () => {
      await answer([rent, dinner, kiosk, salary]);
      tidemark.clock.set('2026-03-17T12:00:00Z');
      await answer([rent, dinner, salary]);
      expect(await list()).toHaveLength(3);
      const { id } = await add(KIOSK);
      tidemark.clock.set('2026-03-18T12:00:00Z');
      await answer([rent, dinner, kiosk, salary]);
      expect(await show(id)).toMatchObject({ status: 'superseded' });
      expect((await list()).filter(({ amount_cents }) => amount_cents === -350)).toHaveLength(1);
    });

    it('only an added transaction can be deleted', async () => {
      await answer([dinner]);
      const { status, body } = await client.delete(path(await idOf(-2_100)));
      const message =
        'Only a transaction that you have added can be deleted. Leave this one out: set excluded to true.';
      expect([status, body.error, body.message]).toEqual([409, 'conflict', message]);
    });

    it('a transaction is added once for each idempotency key', async () => {
      await answer([dinner]);
      const init = {
        ...{ method: 'POST', body: JSON.stringify({ account_id: accountId, ...KIOSK }) },
        headers: { 'X-Api-Key': client.key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
      };
      const answers = [
        await fetch(`${tidemark.url}/api/v1/transactions`, init),
        await fetch(`${tidemark.url}/api/v1/transactions`, init),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect(await list('&source=person')).toHaveLength(1);
    });

    it.each<[string, object, RegExp]>([
      ['without a description', { description: ' ' }, /^description must have 1 to 200 characters/],
      ['on a day to come', { date: addDays('2026-03-16', 1) }, /^date must not be in the future/],
      [
        'with an amount that is too large',
        { amount_cents: undefined, amount: '9'.repeat(21) },
        /^amount must not be larger/,
      ],
    ])('a transaction %s is not added', async (_, more, problem) => {
      await answer([dinner]);
      const { status, body } = await client.post('/api/v1/transactions', { account_id: accountId, ...KIOSK, ...more });
      expect([status, body.errors]).toEqual([422, [expect.stringMatching(problem)]]);
      expect(await list()).toHaveLength(1);
    });

    it('a transaction without an amount, a description and a date is refused with all problems', async () => {
      const { status, body } = await client.post('/api/v1/transactions', { account_id: accountId });
      expect([status, body.errors]).toEqual([
        422,
        [
          'date must be a date (YYYY-MM-DD)',
          expect.stringMatching(/^amount must be given/),
          'description must be a string',
        ],
      ]);
    });
  });
});
