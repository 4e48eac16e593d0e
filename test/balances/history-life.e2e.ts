import { HistoryRebuildService } from '../../src/balances/history/history-rebuild.service.js';
import { createClient, type TestApp, type TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { wireAccount, wireHold, wireTransaction } from '../support/scripted-us-provider.js';
import { synced } from '../support/syncs.js';

type Row = Record<string, unknown> & { id: string; date: string; created_at: string; updated_at: string };

const SALARY = wireTransaction('T-1', '2026-03-10', '1000.00');
const TEA = wireTransaction('T-2', '2026-03-12', '-4.00');

describe('rows of the balance history', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));

  const lists = (balance: string, transactions: object[]) => bank.lists([wireAccount({ balance, transactions })]);
  const rows = async () => (await client.get('/api/v1/balances?per_page=100')).body.balances as Row[];
  const lives = (all: Row[]) => all.map(({ id, date, created_at }) => ({ id, date, created_at }));
  const accountId = async () => (await client.get('/api/v1/accounts')).body.accounts[0].id as string;
  const setType = async (type: string) => client.patch(`/api/v1/accounts/${await accountId()}`, { account_type: type });
  const rebuild = async (account: string | null) => tidemark.app.get(HistoryRebuildService).run(account);
  const execute = (statement: string, ...values: unknown[]) => tidemark.em().getConnection().execute(statement, values);

  describe('syncs that write no balance record', () => {
    it('a sync without changes writes no balance record', async () => {
      lists('996.00', [SALARY, TEA]);
      const connection = await connected(client, bank.token());
      const before = await rows();
      tidemark.clock.set('2026-03-15T18:00:00Z');
      expect((await synced(client, connection.id)).counts.balances_written).toBe(0);
      expect(await rows()).toEqual(before);
    });

    it('a sync that adds a pending transaction writes no balance record', async () => {
      lists('996.00', [SALARY, TEA]);
      const connection = await connected(client, bank.token());
      const before = await rows();
      lists('996.00', [SALARY, TEA, wireHold('H-1', '2026-03-15', '-50.00')]);
      const { counts } = await synced(client, connection.id);
      expect(counts).toMatchObject({ transactions_added: 1, balances_written: 0 });
      expect(await rows()).toEqual(before);
    });

    it('a sync on the next day adds only the balance record of that day', async () => {
      lists('996.00', [SALARY, TEA]);
      const connection = await connected(client, bank.token());
      const before = await rows();
      tidemark.clock.set('2026-03-16T12:00:00Z');
      expect((await synced(client, connection.id)).counts.balances_written).toBe(1);
      const [today, ...earlier] = await rows();
      expect(today).toMatchObject({ date: '2026-03-16', balance_cents: 99_600 });
      expect(earlier).toEqual(before);
    });
  });

  it('a sync writes the balance records of the changed days and none of the days before', async () => {
    lists('1000.00', [SALARY]);
    const connection = await connected(client, bank.token());
    const before = await rows();
    lists('1000.00', [SALARY, TEA]);
    await synced(client, connection.id);
    const after = await rows();
    expect(lives(after)).toEqual(lives(before));
    const changed = after.filter((row, index) => row.updated_at !== before[index]!.updated_at);
    // The tea of the twelfth was in the balance already, so the days before it had 4.00 more.
    expect(changed.map(({ date }) => date)).toEqual(['2026-03-12', '2026-03-11', '2026-03-10']);
  });

  describe('balance records after a change of the account type', () => {
    it('balance records keep id and created_at through every change of the account type and back', async () => {
      lists('996.00', [SALARY, TEA]);
      await connected(client, bank.token());
      const before = await rows();
      for (const type of ['credit_card', 'loan', 'other_liability', 'depository']) {
        await setType(type);
        expect(lives(await rows())).toEqual(lives(before));
      }
      const [now] = await rows();
      expect(now!.updated_at > before[0]!.updated_at).toBe(true);
      expect({ ...now, updated_at: null }).toEqual({ ...before[0], updated_at: null });
    });

    it('a balance record is not written when another account type derives the same content', async () => {
      lists('996.00', [SALARY, TEA]);
      await connected(client, bank.token());
      const before = await rows();
      await setType('depository');
      expect(await rows()).toEqual(before);
    });

    it('balance records of the past are deleted when an account type makes the past unknown', async () => {
      lists('996.00', [SALARY, TEA]);
      await connected(client, bank.token());
      expect((await rows()).map(({ date }) => date).at(-1)).toBe('2026-03-10');
      await setType('investment');
      expect((await rows()).map(({ date }) => date)).toEqual(['2026-03-15']);
    });
  });

  describe('rebuilding the balance history', () => {
    it('a rebuild of a correct history writes nothing', async () => {
      lists('996.00', [SALARY, TEA]);
      await connected(client, bank.token());
      // With cash and without.
      for (const type of ['depository', 'loan']) {
        await setType(type);
        const before = await rows();
        expect(await rebuild(await accountId())).toEqual({ accounts: 1, failed: 0, balancesWritten: 0 });
        expect(await rows()).toEqual(before);
      }
    });

    it('a rebuild repairs damaged balance records, keeps correct ones, and gives a row its own id back', async () => {
      lists('996.00', [SALARY, TEA]);
      await connected(client, bank.token());
      const id = await accountId();
      const before = await rows();
      const where = `where account_id = ? and date = ?`;
      await execute(`update balances set start_cash = 1, end_cash = 1 ${where}`, id, '2026-03-14');
      await execute(`delete from balances ${where}`, id, '2026-03-13');
      expect(await rebuild(id)).toEqual({ accounts: 1, failed: 0, balancesWritten: 2 });
      const after = await rows();
      const content = (row: Row) => ({ ...row, id: null, created_at: null, updated_at: null });
      expect(after.map(content)).toEqual(before.map(content));
      const untouched = (all: Row[]) => all.filter(({ date }) => !['2026-03-13', '2026-03-14'].includes(date));
      expect(untouched(after)).toEqual(untouched(before));
      expect(lives(after)[1]).toEqual(lives(before)[1]);
    });

    it('a rebuild derives every account of every user up to today in the timezone of that user', async () => {
      lists('996.00', [SALARY, TEA]);
      const tokyo = await createClient(tidemark, { timeZone: 'Asia/Tokyo' });
      await connected(client, bank.token());
      await connected(tokyo, bank.token());
      tidemark.clock.set('2026-03-15T18:00:00Z');
      const { accounts } = await rebuild(null);
      expect(accounts).toBeGreaterThanOrEqual(2);
      expect((await rows())[0]!.date).toBe('2026-03-15');
      expect((await tokyo.get('/api/v1/balances')).body.balances[0].date).toBe('2026-03-16');
    });
  });

  it('the balance of a day that the bank does not cover is unknown until the bank lists it', async () => {
    const certainty = async () =>
      (await client.get(`/api/v1/accounts/${await accountId()}/reconciliation`)).body.certainty as object[];
    const UNREAD = { errlist: [{ code: 'act.failed', msg: 'Sign in again.', account_id: 'ACT-1' }] };
    lists('996.00', [SALARY, TEA]);
    const connection = await connected(client, bank.token());
    expect((await certainty()).at(-1)).toMatchObject({ end_date: '2026-03-15', level: 'estimated' });
    tidemark.clock.set('2026-03-17T12:00:00Z');
    bank.lists([wireAccount({ balance: '996.00' })], UNREAD);
    await synced(client, connection.id);
    expect((await certainty()).at(-1)).toEqual({
      ...{ start_date: '2026-03-16', end_date: '2026-03-17', level: 'unknown' },
      ...{ doubt: null, doubt_cents: null },
    });
    lists('', [SALARY, TEA]);
    await synced(client, connection.id);
    expect((await certainty()).at(-1)).toMatchObject({ end_date: '2026-03-17', level: 'estimated' });
    const ofAccount = `from uncertain_days where account_id = ? and level = 'unknown'`;
    expect(await execute(`select 1 ${ofAccount}`, await accountId())).toEqual([]);
  });

  describe('the history of an account that is no longer synced', () => {
    const disconnect = async (connectionId: string) => {
      expect((await client.delete(`/api/v1/connections/${connectionId}`)).status).toBe(204);
    };
    const goMissing = (connectionId: string) =>
      execute(`update accounts set status = 'missing' where connection_id = ?`, connectionId);
    const ENDS = { disconnect, goMissing };

    it.each([
      ['disconnected', 'disconnect'],
      ['no longer listed', 'goMissing'],
    ] as const)('an account that is %s keeps its last balance record when its history is rebuilt', async (_, end) => {
      lists('996.00', [SALARY, TEA]);
      const connection = await connected(client, bank.token());
      const id = await accountId();
      const before = await rows();
      await ENDS[end](connection.id);
      tidemark.clock.set('2026-03-27T12:00:00Z');
      await rebuild(id);
      expect((await client.get(`/api/v1/balances?account_id=${id}&per_page=100`)).body.balances).toEqual(before);
    });

    it('the history of a disconnected account ends on the same day under another type, and net worth excludes it afterwards', async () => {
      lists('996.00', [SALARY, TEA]);
      const connection = await connected(client, bank.token());
      const before = await rows();
      await disconnect(connection.id);
      tidemark.clock.set('2026-03-27T12:00:00Z');
      await setType('credit_card');
      expect((await rows()).map(({ date }) => date)).toEqual(before.map(({ date }) => date));
      const { net_worth: points } = (await client.get('/api/v1/net_worth?start_date=2026-03-15')).body;
      expect(points.slice(0, 2).map((point: Row) => [point.date, point.net_worth_cents])).toEqual([
        ['2026-03-15', 99_600],
        ['2026-03-16', 0],
      ]);
    });

    it('the history of a disconnected account ends on the same day again after it was closed earlier and reopened', async () => {
      lists('996.00', [SALARY, TEA]);
      const connection = await connected(client, bank.token());
      tidemark.clock.set('2026-03-17T12:00:00Z');
      lists('', [SALARY, TEA]);
      await synced(client, connection.id);
      const id = await accountId();
      const before = await rows();
      expect(before[0]!.date).toBe('2026-03-17');
      await disconnect(connection.id);
      for (const day of ['2026-03-12', null]) await client.patch(`/api/v1/accounts/${id}`, { closed_on: day });
      expect((await rows()).map(({ date }) => date)).toEqual(before.map(({ date }) => date));
    });

    it('a rebuild restores the deleted last day of a disconnected account in the timezone of its user', async () => {
      const tokyo = await createClient(tidemark, { timeZone: 'Asia/Tokyo' });
      lists('996.00', [SALARY, TEA]);
      tidemark.clock.set('2026-03-15T18:00:00Z');
      const connection = await connected(tokyo, bank.token());
      await tokyo.delete(`/api/v1/connections/${connection.id}`);
      tidemark.clock.set('2026-03-27T12:00:00Z');
      await execute(`delete from balances where user_id = ? and date > '2026-03-13'`, tokyo.userId);
      await rebuild(null);
      expect((await tokyo.get('/api/v1/balances')).body.balances[0].date).toBe('2026-03-16');
    });
  });

  it('the balance history is correct after concurrent syncs, type changes and rebuilds', async () => {
    lists('996.00', [SALARY, TEA]);
    const connection = await connected(client, bank.token());
    const id = await accountId();
    lists('1012.00', [SALARY, TEA, wireTransaction('T-3', '2026-03-14', '-16.00')]);
    await Promise.all([
      synced(client, connection.id),
      ...['loan', 'credit_card', 'loan'].map(setType),
      rebuild(id),
      rebuild(id),
    ]);
    expect((await setType('credit_card')).body.account_type).toBe('credit_card');
    expect(await rebuild(id)).toEqual({ accounts: 1, failed: 0, balancesWritten: 0 });
    // A purchase has raised it, so it is what is owed.
    expect((await rows())[0]).toMatchObject({ flows_factor: -1, balance_cents: 101_200 });
  });
});
