import { Logger } from '@nestjs/common';
import { AppLogger } from '../../src/platform/logging/logger.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import type { ScriptedReply } from '../support/scripted-server.js';
import { wireAccount, wireHold, wireSet, wireTransaction } from '../support/scripted-us-provider.js';
import { synced } from '../support/syncs.js';

const PAGE = '<!DOCTYPE html><html><title>Attention required</title></html>';
const REVOKED = { errlist: [{ code: 'gen.auth', msg: 'Forbidden' }], accounts: [], connections: [] };
const LAPSED = { errors: ['Subscription payment is due.'], accounts: [] };

describe('US provider from the response to the database', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));
  beforeEach(() => bank.lists([wireAccount({ transactions: [wireTransaction('T-1', '2026-03-12', '-12.00')] })]));

  const later = (hours: number) =>
    tidemark.clock.set(new Date(tidemark.clock.now().getTime() + hours * 3_600_000).toISOString());
  const show = async ({ id }: { id: string }) => (await client.get(`/api/v1/connections/${id}`)).body;
  const rowsOf = async (name: string) => {
    const { body } = await client.get('/api/v1/accounts');
    const { id } = body.accounts.find((account: { name: string }) => account.name === name);
    const list = await client.get(`/api/v1/transactions?account_id=${id}`);
    return list.body.transactions as { id: string; amount_cents: number; pending: boolean; date: string }[];
  };

  describe('pending transactions of the US provider', () => {
    const holding = (...transactions: object[]) => bank.lists([wireAccount({ transactions })]);

    it.each([
      ['its own id', 'H-1'],
      ['a new id', 'T-9'],
    ])('a pending transaction posted under %s keeps its row and is no longer pending', async (_, bookedId) => {
      holding(wireHold('H-1', '2026-03-14', '-42.00'));
      const connection = await connected(client, bank.token());
      const [before] = await rowsOf('Everyday Checking');
      expect(before).toMatchObject({ pending: true, date: '2026-03-14' });
      holding(wireTransaction(bookedId, '2026-03-15', '-42.00'));
      later(1);
      await synced(client, connection.id);
      const after = await rowsOf('Everyday Checking');
      expect(after).toMatchObject([{ id: before!.id, pending: false, date: '2026-03-15', amount_cents: -4_200 }]);
    });

    it('a pending transaction is replaced at once by its posted one with a higher amount, as with a tip', async () => {
      holding(wireHold('H-1', '2026-03-14', '-42.00'));
      const connection = await connected(client, bank.token());
      holding(wireTransaction('T-9', '2026-03-15', '-50.40'));
      await synced(client, connection.id);
      expect(await rowsOf('Everyday Checking')).toMatchObject([{ pending: false, amount_cents: -5_040 }]);
    });

    it('a pending transaction missing from an answer that may be incomplete is kept', async () => {
      holding(wireHold('H-1', '2026-03-14', '-42.00'));
      const connection = await connected(client, bank.token());
      const errlist = [{ code: 'act.missingdata', msg: 'Incomplete.', account_id: 'ACT-1' }];
      bank.lists([wireAccount()], { errlist });
      for (let sync = 0; sync < 3; sync++) {
        later(48);
        await synced(client, connection.id);
      }
      expect(await rowsOf('Everyday Checking')).toMatchObject([{ pending: true }]);
    });

    it('a transaction belongs to its account: the same id in another account is another transaction', async () => {
      const coffee = () => [wireTransaction('1', '2026-03-12', '-4.00'), wireHold('2', '2026-03-14', '-4.00')];
      bank.lists([
        wireAccount({ transactions: coffee() }),
        wireAccount({ id: 'ACT-2', name: 'Card', transactions: coffee() }),
      ]);
      const connection = await connected(client, bank.token());
      bank.lists([
        wireAccount({ transactions: [wireTransaction('2', '2026-03-15', '-4.00')] }),
        wireAccount({ id: 'ACT-2', name: 'Card', transactions: coffee() }),
      ]);
      later(1);
      await synced(client, connection.id);
      expect((await rowsOf('Everyday Checking')).map(({ pending }) => pending)).toEqual([false, false]);
      expect((await rowsOf('Card')).map(({ pending }) => pending)).toEqual([true, false]);
    });
  });

  describe('refusals of the US provider', () => {
    it.each([
      ['403 in the protocol’s own words', { status: 403, body: REVOKED }, 'access_revoked', 'attention_required'],
      ['402', { status: 402, body: LAPSED }, 'payment_required', 'attention_required'],
      ['403 with a page of a front end', { status: 403, body: PAGE }, 'rate_limited', 'active'],
    ] as [string, ScriptedReply, string, string][])('%s', async (_, answer, kind, status) => {
      const connection = await connected(client, bank.token());
      const before = [(await client.get('/api/v1/accounts')).body, (await client.get('/api/v1/balances')).body];
      bank.answers(answer);
      later(1);
      expect(await synced(client, connection.id)).toMatchObject({ status: 'failed', problems: [{ kind }] });
      const shown = await show(connection);
      expect(shown.status).toBe(status);
      // For hours, not for seconds; or until a person has acted.
      const hours = (Date.parse(shown.next_sync_at) - tidemark.clock.now().getTime()) / 3_600_000;
      expect(status === 'active' ? hours >= 4 : shown.next_sync_at === null).toBe(true);
      expect([(await client.get('/api/v1/accounts')).body, (await client.get('/api/v1/balances')).body]).toEqual(
        before,
      );

      // The credential was kept: once the provider relents, it works again.
      bank.lists([wireAccount()]);
      later(5);
      expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
      expect((await show(connection)).status).toBe('active');
    });
  });

  describe('partial answers of the US provider', () => {
    const since = () =>
      Number(
        bank.server.requests
          .filter(({ path }) => path.endsWith('/accounts'))
          .at(-1)
          ?.query.get('start-date'),
      );

    async function completeUntil(): Promise<string> {
      const [account] = await tidemark
        .em()
        .execute<{ day: string }[]>('select upper(covered)::text as day from accounts where user_id = ?', [
          client.userId,
        ]);
      return account!.day;
    }

    it.each([
      ['misses transactions', { errlist: [{ code: 'act.missingdata', msg: 'Incomplete.', account_id: 'ACT-1' }] }],
      ['lists nothing', { accounts: [] }],
    ])('an answer that %s moves no watermark, so missing transactions are fetched again', async (_, more) => {
      const connection = await connected(client, bank.token());
      expect(await completeUntil()).toBe('2026-03-15');
      later(24 * 10);
      bank.lists([wireAccount()], more);
      await synced(client, connection.id);
      expect(await completeUntil()).toBe('2026-03-15');
      later(24);
      bank.lists([wireAccount()]);
      await synced(client, connection.id);
      expect(await completeUntil()).toBe('2026-03-26');
    });

    it('an answer that lacks most transactions removes none and warns, and one that lacks a few removes them', async () => {
      const rows = ['03', '04', '05', '06', '09', '10'].map((day) =>
        wireTransaction(`T-${day}`, `2026-03-${day}`, '-1'),
      );
      const count = async () => (await client.get('/api/v1/transactions')).body.pagination.total_count;
      bank.lists([wireAccount({ transactions: rows })]);
      const connection = await connected(client, bank.token());
      bank.lists([wireAccount({ transactions: rows.slice(0, 2) })]);
      later(1);
      const accountId = (await client.get('/api/v1/accounts')).body.accounts[0].id;
      const run = await synced(client, connection.id);
      expect(run).toMatchObject({
        status: 'partial',
        counts: { transactions_removed: 0 },
        problems: [{ kind: 'data_incomplete', account_id: accountId }],
      });
      expect(run.problems[0].message).toContain('lacks at least 4 of 6 transactions');
      expect(await count()).toBe(6);
      bank.lists([wireAccount({ transactions: rows.slice(0, 4) })]);
      later(1);
      expect(await synced(client, connection.id)).toMatchObject({
        status: 'succeeded',
        counts: { transactions_removed: 2 },
      });
      expect(await count()).toBe(4);
    });

    it('a complete answer with a warning about the number of requests keeps the warning', async () => {
      const errors = ['You are above your quota of 24 requests per day.'];
      const connection = await connected(client, bank.token());
      bank.lists([wireAccount()], { errors });
      later(1);
      expect(await synced(client, connection.id)).toMatchObject({
        status: 'partial',
        problems: [{ kind: 'rate_limited', message: expect.stringContaining('above your quota'), account_id: null }],
      });
    });

    it.each([
      ['a character that no database stores', 'ACT-\u0000'],
      ['half a surrogate pair', 'ACT-\ud83d'],
      ['megabytes of text', 'A'.repeat(2_000_000)],
    ])('a sync stores the accounts although an error names others with %s', async (_, name) => {
      const errlist = [
        { code: 'act.failed', msg: 'Later.', account_id: name },
        { code: 'con.auth', msg: 'Sign in.', conn_id: name },
      ];
      bank.lists([wireAccount(), wireAccount({ id: 'ACT-2', conn_id: name })], { errlist });
      const connection = await connected(client, bank.token());
      const { body: sync } = await client.get(`/api/v1/syncs/${connection.latest_sync_id}`);
      expect(sync).toMatchObject({ status: 'partial', counts: { accounts: 2 } });
      expect(JSON.stringify(sync).length).toBeLessThan(10_000);
      // The login is part of their ids when two have one id.
      bank.lists([wireAccount({ id: '1' }), wireAccount({ id: '1', conn_id: name })], { errlist });
      later(24);
      expect(await synced(client, connection.id)).toMatchObject({ status: 'partial', counts: { accounts: 2 } });
    });

    it('an answer that only advises fewer requests is complete', async () => {
      const connection = await connected(client, bank.token());
      const asked = since();
      later(24 * 10);
      const msg = 'Range exceeds the recommended range of 45 days and may be capped.';
      bank.lists([wireAccount()], { errlist: [{ code: 'gen.api', msg }] });
      expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded' });
      later(24);
      await synced(client, connection.id);
      expect(since()).toBeGreaterThan(asked);
    });
  });

  describe('two logins with the same id', () => {
    const connections = [
      { conn_id: 'CON-1', name: 'Tidewater Bank - Rowan', org_name: 'Tidewater Bank' },
      { conn_id: 'CON-2', name: 'Meridian Bank - Rowan', org_name: 'Meridian Bank' },
    ];
    const FIRST = wireAccount({ id: '1', transactions: [wireTransaction('T-1', '2026-03-12', '-12.00')] });
    const SECOND = wireAccount({
      ...{ id: '1', conn_id: 'CON-2', name: 'Card' },
      transactions: [wireTransaction('T-1', '2026-03-12', '-4.00')],
    });
    const shown = async () =>
      (await client.get('/api/v1/accounts')).body.accounts
        .map(({ id, name, status }: Record<string, string>) => [name, id, status])
        .sort();
    const amounts = async () =>
      (await Promise.all(['Everyday Checking', 'Card'].map(rowsOf))).map((rows) =>
        rows.map(({ amount_cents }) => amount_cents),
      );

    it.each([
      ['needs a sign-in', [{ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' }]],
      ['has an account that failed', [{ code: 'act.failed', msg: 'Later.', account_id: '1' }]],
      [
        'has an account that failed, which names the login',
        [{ code: 'act.failed', account_id: '1', conn_id: 'CON-1' }],
      ],
    ])('accounts of two logins with one id stay apart while an unlisted login %s', async (_, errlist) => {
      bank.lists([FIRST, SECOND], { connections });
      const connection = await connected(client, bank.token());
      const before = await shown();
      expect(before).toMatchObject([
        ['Card', expect.any(String), 'active'],
        ['Everyday Checking', expect.any(String), 'active'],
      ]);
      bank.lists([SECOND], { connections, errlist });
      later(24);
      await synced(client, connection.id);
      expect(await shown()).toEqual(before);
      bank.lists([FIRST, SECOND], { connections });
      later(24);
      await synced(client, connection.id);
      expect(await shown()).toEqual(before);
      expect(await amounts()).toEqual([[-1_200], [-400]]);
    });

    it('accounts of two logins with one id stay apart when the second login is linked later', async () => {
      bank.lists([FIRST], { connections: connections.slice(0, 1) });
      const connection = await connected(client, bank.token());
      const [first] = await shown();
      const errlist = connections.map(({ conn_id }) => ({ code: 'con.auth', msg: 'Sign in.', conn_id }));
      let second = expect.any(String) as string;
      for (const listed of [[SECOND, FIRST], [SECOND], [FIRST], [FIRST, SECOND]]) {
        bank.lists(listed, { connections, errlist });
        later(24);
        await synced(client, connection.id);
        expect(await shown()).toEqual([['Card', second, 'active'], first]);
        [[, second]] = await shown();
      }
      expect(await amounts()).toEqual([[-1_200], [-400]]);
    });
  });

  it('holdings are dated by the day of the request, not by the day the provider first saw them', async () => {
    const lot = { id: 'HOL-1', created: 1_500_000_000, symbol: 'NQTX', shares: '2', market_value: '50.00' };
    bank.lists([wireAccount({ name: 'Brokerage', holdings: [lot] })]);
    await connected(client, bank.token());
    const { body } = await client.get('/api/v1/holdings');
    expect(body.holdings).toMatchObject([{ symbol: 'NQTX', price: '25', date: '2026-03-15' }]);
  });

  it.each(['-12000.00', '12000.00'])(
    'a loan balance of %s is the amount owed, whichever sign the bank uses',
    async (balance) => {
      bank.lists([wireAccount({ name: 'Student Loan', balance, 'available-balance': undefined })]);
      await connected(client, bank.token());
      const { body } = await client.get('/api/v1/accounts');
      expect(body.accounts).toMatchObject([{ account_type: 'loan', balance_cents: 1_200_000 }]);
      const { body: days } = await client.get('/api/v1/balances?per_page=1');
      expect(days.balances).toMatchObject([{ end_balance_cents: 1_200_000, flows_factor: -1 }]);
    },
  );

  it('a provider is not asked for longer than a whole sync may take, however long each request may take', async () => {
    const hasty = await startTestApp({ ...LOCAL_PROVIDER, SYNC_DEADLINE_MS: '300' }, tidemark.clock);
    afterThisTest(hasty.stop);
    client = await createClient(hasty);
    bank.answers('silence');
    const connection = await connected(client, bank.token());
    const { body: sync } = await client.get(`/api/v1/syncs/${connection.latest_sync_id}`);
    expect(sync).toMatchObject({
      status: 'failed',
      problems: [{ kind: 'network', message: expect.stringMatching(/within 1 minute, the limit of a sync/) }],
    });
    expect((await show(connection)).status).toBe('active');
  });

  it('no log line contains a secret, whatever fails', async () => {
    const lines: string[] = [];
    Logger.overrideLogger(new AppLogger('trace', { destination: { write: (line: string) => void lines.push(line) } }));
    afterThisTest(() => Logger.overrideLogger(['fatal']));
    const token = bank.token('l0gged-user');
    const connection = await connected(client, token);
    await client.post('/api/v1/connections', { provider: 'us_provider', setup_token: token });
    const wrong = [
      { status: 403, body: { errlist: [{ code: 'gen.auth', msg: bank.accessUrl('l0gged-user') }], accounts: [] } },
      { status: 402, body: { errors: [`Pay at ${bank.accessUrl('l0gged-user')}`], accounts: [] } },
      { body: `{"accounts": "${bank.accessUrl('l0gged-user')}"` },
      { body: wireSet([wireAccount({ name: bank.accessUrl('l0gged-user') })]) },
    ];
    for (const answer of wrong) {
      bank.answers(answer);
      later(1);
      await synced(client, connection.id);
    }
    const log = lines.join('');
    expect(log).toMatch(/access_revoked[^]*payment_required/);
    expect(log).not.toMatch(/l0gged-user|password/);
    expect(log).not.toContain(token);
  });
});
