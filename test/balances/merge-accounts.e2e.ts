import { BalanceReport } from '../../src/balances/accounts/balance-report.entity.js';
import { afterThisTest } from '../support/after-this-test.js';
import { MergeAccountsService } from '../../src/sync/ingest/merge/merge-accounts.service.js';
import { createClient, type TestApp, type TestClient } from '../support/app.js';
import { UNGUARDED } from '../../src/kit/guard-noted-writes.js';
import { createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { gate } from '../support/gate.js';
import { sessionWaitsForLock } from '../support/lock-wait.js';
import { besideScriptedBank, connected, type ScriptedBank } from '../support/scripted-bank.js';
import { noon, wireAccount, wireHold, wireSet, wireTransaction } from '../support/scripted-us-provider.js';
import { ended, synced, syncNow, until } from '../support/syncs.js';

describe('missing, re-added and merged accounts', () => {
  let tidemark: TestApp;
  let bank: ScriptedBank;
  let client: TestClient;
  besideScriptedBank((scene) => ({ tidemark, bank, client } = scene));
  beforeEach(() => bank.lists([CHECKING, SAVINGS]));

  const BOOKED = [wireTransaction('T-1', '2026-03-10', '-12.00'), wireTransaction('T-2', '2026-03-12', '-4.00')];
  const CHECKING = wireAccount({ transactions: BOOKED });
  const SAVINGS = wireAccount({ id: 'ACT-2', name: 'Savings', balance: '900.00' });
  /** The bank was removed at the provider and added again: other ids, a coffee more, the newest row a day later. */
  const AGAIN = wireAccount({
    ...{ id: 'ACT-1-again', balance: '96.00' },
    transactions: [
      wireTransaction('N-1', '2026-03-10', '-12.00'),
      wireTransaction('N-2', '2026-03-13', '-4.00'),
      wireTransaction('N-3', '2026-03-14', '-4.00'),
      wireHold('N-H', '2026-03-15', '-7.00'),
    ],
  });

  const later = (hours: number) =>
    tidemark.clock.set(new Date(tidemark.clock.now().getTime() + hours * 3_600_000).toISOString());
  const show = async ({ id }: { id: string }) => (await client.get(`/api/v1/connections/${id}`)).body;
  const accounts = async () => (await client.get('/api/v1/accounts')).body.accounts;
  const summary = async () =>
    (await accounts()).map((account: { name: string; status: string }) => [account.name, account.status]);
  const idOf = async (name: string, status = 'active') =>
    (await accounts()).find(
      (account: { name: string; status: string }) => account.name === name && account.status === status,
    )?.id as string;
  const transactions = async (account: string) =>
    (await client.get(`/api/v1/transactions?account_id=${account}`)).body.transactions as Record<string, unknown>[];
  const lastBalance = async (account: string) =>
    (await client.get(`/api/v1/balances?account_id=${account}`)).body.balances[0];

  describe('an account that its bank no longer lists', () => {
    it('an account no longer listed is kept with its history and marked as missing, and is active again once listed', async () => {
      const connection = await connected(client, bank.token());
      const savings = await idOf('Savings');
      const history = (await client.get(`/api/v1/balances?account_id=${savings}`)).body;
      bank.lists([CHECKING]);
      later(1);
      expect(await synced(client, connection.id)).toMatchObject({ status: 'succeeded', problems: [] });
      expect(await summary()).toEqual([
        ['Everyday Checking', 'active'],
        ['Savings', 'missing'],
      ]);
      expect((await client.get(`/api/v1/balances?account_id=${savings}`)).body).toEqual(history);
      expect(await show(connection)).toMatchObject({
        accounts_count: 1,
        missing_accounts: [{ account_id: savings, name: 'Savings' }],
      });
      bank.lists([CHECKING, SAVINGS]);
      later(1);
      await synced(client, connection.id);
      expect(await idOf('Savings')).toBe(savings);
      expect((await show(connection)).missing_accounts).toEqual([]);
    });

    it.each([
      ['the list of accounts is empty', [], {}],
      [
        'its bank needs a login',
        [CHECKING],
        { errlist: [{ code: 'con.auth', msg: 'Sign in again.', conn_id: 'CON-1' }] },
      ],
      ['it could not be read', [CHECKING], { errlist: [{ code: 'act.failed', msg: 'Later.', account_id: 'ACT-2' }] }],
      ['the provider reports a general error', [CHECKING], { errlist: [{ code: 'gen.', msg: 'Hm.' }] }],
      ['another account is listed without an id', [CHECKING, { id: null }], {}],
    ])('an account is neither marked as missing nor deleted when %s', async (_, listed, more) => {
      const connection = await connected(client, bank.token());
      const history = (await client.get('/api/v1/balances')).body;
      bank.lists(listed, more);
      later(1);
      expect((await synced(client, connection.id)).status).toBe(listed.length === 0 ? 'failed' : 'partial');
      expect(await summary()).toEqual([
        ['Everyday Checking', 'active'],
        ['Savings', 'active'],
      ]);
      expect((await client.get('/api/v1/balances')).body).toEqual(history);
    });

    it('an account no longer listed is marked as missing although another bank of the connection fails', async () => {
      const other = wireAccount({ id: 'ACT-3', name: 'Card', conn_id: 'CON-2' });
      const connections = [
        { conn_id: 'CON-1', org_name: 'Tidewater Bank' },
        { conn_id: 'CON-2', org_name: 'North Quay' },
      ];
      bank.lists([CHECKING, SAVINGS, other], { connections });
      const connection = await connected(client, bank.token());
      const errlist = [{ code: 'con.auth', msg: 'Sign in again.', conn_id: 'CON-2' }];
      bank.lists([CHECKING, other], { connections, errlist });
      later(1);
      await synced(client, connection.id);
      expect((await show(connection)).missing_accounts).toMatchObject([{ name: 'Savings' }]);
    });

    it('pending transactions of a missing account expire once they were not listed for long enough', async () => {
      bank.lists([
        CHECKING,
        wireAccount({ id: 'ACT-2', name: 'Savings', transactions: [wireHold('H', '2026-03-14', '-1')] }),
      ]);
      const connection = await connected(client, bank.token());
      bank.lists([CHECKING]);
      const savings = await idOf('Savings');
      for (const hours of [1, 71, 1]) {
        later(hours);
        expect(await transactions(savings)).toHaveLength(1);
        await synced(client, connection.id);
      }
      expect(await transactions(savings)).toHaveLength(0);
    });
  });

  describe('merging an account that was re-added under another id', () => {
    async function readded() {
      const connection = await connected(client, bank.token());
      const old = await idOf('Everyday Checking');
      bank.lists([AGAIN, SAVINGS]);
      later(1);
      await synced(client, connection.id);
      return { connection, old, anew: await idOf('Everyday Checking') };
    }

    it('a re-added account under another id is a new account, and a merge of the two is suggested', async () => {
      const { connection, old, anew } = await readded();
      expect(await summary()).toEqual(
        expect.arrayContaining([
          ['Everyday Checking', 'missing'],
          ['Everyday Checking', 'active'],
        ]),
      );
      const { merge_suggestions: offers } = await show(connection);
      expect(offers).toEqual([
        { account_id: old, duplicate_account_id: anew, message: expect.stringMatching(/the same account/) },
      ]);
    });

    it('a merged account continues the old one with its id, rows and history, without duplicates', async () => {
      const { connection, old, anew } = await readded();
      const before = await transactions(old);
      const [, duplicate] = (await transactions(anew)).filter(({ amount_cents }) => amount_cents === -400);
      const firstDay = async () =>
        (await client.get(`/api/v1/balances?account_id=${old}&per_page=100`)).body.balances.at(-1);
      const beginning = await firstDay();
      const { status, body } = await client.post(`/api/v1/accounts/${old}/merge`, { account_id: anew });
      expect([status, body.id, body.status, body.balance_cents]).toEqual([200, old, 'active', 9_600]);
      expect(await summary()).toEqual([
        ['Everyday Checking', 'active'],
        ['Savings', 'active'],
      ]);
      const rows = await transactions(old);
      expect(rows.map(({ amount_cents, pending }) => [amount_cents, pending])).toEqual([
        [-700, true],
        [-400, false],
        [-400, false],
        [-1_200, false],
      ]);
      // The two rows that both listings have are the rows they were.
      expect(rows.slice(2).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
      expect((await client.get(`/api/v1/transactions/${String(duplicate!.id)}`)).body).toMatchObject({
        ...{ status: 'superseded', replaced_by: before[0]!.id, account: { id: old } },
        versions: [{ amount_cents: -400, end_reason: 'merged' }],
      });
      expect((await firstDay()).date).toBe(beginning.date);
      expect(await lastBalance(old)).toMatchObject({ date: '2026-03-15', end_balance_cents: 9_600 });
      expect((await client.get(`/api/v1/accounts/${anew}`)).status).toBe(404);
      expect((await show(connection)).merge_suggestions).toEqual([]);
      const [event] = (await client.get('/api/v1/audit_events')).body.audit_events;
      expect(event).toMatchObject({ kind: 'accounts_merged', subject_id: old, subject: 'Everyday Checking' });

      later(1);
      expect(await synced(client, connection.id)).toMatchObject({
        status: 'succeeded',
        counts: { transactions_added: 0, transactions_removed: 0 },
      });
      expect(await transactions(old)).toHaveLength(4);
    });

    it('a merged account is compared with its merged state when the merge happens during a sync', async () => {
      const { connection, old, anew } = await readded();
      later(1);
      const asked = bank.asked();
      const { opened, open } = gate();
      afterThisTest(open);
      bank.answers(async () => {
        await opened;
        return { body: wireSet([AGAIN, SAVINGS]) };
      });
      const { body: run } = await syncNow(client, connection.id);
      await until(async () => ((await show(connection)) && bank.asked() > asked) || null, 'asked');
      expect((await client.post(`/api/v1/accounts/${old}/merge`, { account_id: anew })).status).toBe(200);
      open();
      expect(await ended(client, run.id)).toMatchObject({ status: 'succeeded', problems: [] });
      const listed = ['2026-03-15', '2026-03-14', '2026-03-13', '2026-03-10'];
      expect((await transactions(old)).map(({ date }) => date)).toEqual(listed);
    });

    it('a merge keeps both reports and their moment if one sync listed the two accounts side by side', async () => {
      const connection = await connected(client, bank.token());
      const kept = await idOf('Everyday Checking');
      const moments = async () =>
        (await tidemark.em().find(BalanceReport, { userId: client.userId }))
          .map(({ observedAt }) => +observedAt)
          .sort();
      bank.lists([CHECKING, AGAIN, SAVINGS]);
      later(24);
      await synced(client, connection.id);
      bank.lists([AGAIN, SAVINGS]);
      later(24);
      await synced(client, connection.id);
      const before = await moments();
      const again = (await accounts()).find(
        ({ id, name }: { id: string; name: string }) => name !== 'Savings' && id !== kept,
      );
      const merged = await client.post(`/api/v1/accounts/${kept}/merge`, { account_id: again.id });
      expect(merged.status).toBe(200);
      expect(await moments()).toEqual(before);
    });

    it('a merged account keeps the name and the type that a user chose', async () => {
      const connection = await connected(client, bank.token());
      const old = await idOf('Everyday Checking');
      await client.patch(`/api/v1/accounts/${old}`, { name: 'Household', account_type: 'other_asset' });
      bank.lists([AGAIN, SAVINGS]);
      later(1);
      await synced(client, connection.id);
      const anew = await idOf('Everyday Checking');
      const { body } = await client.post(`/api/v1/accounts/${old}/merge`, { account_id: anew });
      expect(body).toMatchObject({ name: 'Household', account_type: 'other_asset', status: 'active' });
    });

    it.each([
      ['on the old one', false],
      ['on the new one', true],
    ])('a merge is not suggested again after a user keeps two accounts separate %s', async (_, isOfNew) => {
      const { connection, old, anew } = await readded();
      const [of, other] = isOfNew ? [anew, old] : [old, anew];
      expect((await client.post(`/api/v1/accounts/${of}/keep_separate`, { account_id: other })).status).toBe(204);
      expect((await show(connection)).merge_suggestions).toEqual([]);
      expect(await accounts()).toHaveLength(3);
    });

    it('keeping an account separate from one that is being deleted is refused', async () => {
      const { old, anew } = await readded();
      // The two sessions are independent, which `transactional` would not allow.
      const deletion = tidemark.em();
      await deletion.begin();
      await deletion.execute(UNGUARDED);
      await deletion.execute('delete from accounts where user_id = ? and id = ?', [client.userId, anew]);
      const asking = client.post(`/api/v1/accounts/${old}/keep_separate`, { account_id: anew });
      try {
        await sessionWaitsForLock(tidemark);
      } finally {
        await deletion.commit();
      }
      const { status, body } = await asking;
      const problem = 'account_id must be the id of another account of yours';
      expect([status, body]).toEqual([422, expect.objectContaining({ errors: [problem] })]);
    });

    it('a merge is not suggested if the new account matches two old ones', async () => {
      const connection = await connected(client, bank.token());
      bank.lists([AGAIN, { ...AGAIN, id: 'ACT-1-twin' }, SAVINGS]);
      later(1);
      await synced(client, connection.id);
      expect((await show(connection)).merge_suggestions).toEqual([]);
    });

    it('a merge requested twice, at the same time or later, is done once and then refused with 409', async () => {
      const { old, anew } = await readded();
      const merge = () => client.post(`/api/v1/accounts/${old}/merge`, { account_id: anew });
      const [one, other] = await Promise.all([merge(), merge()]);
      expect([one.status, other.status].sort()).toEqual([200, 409]);
      const { status, body } = await merge();
      expect([status, body.message]).toEqual([409, expect.stringMatching(/is still synced/)]);
    });

    it('a merge in the wrong direction is refused with what to do', async () => {
      const { old, anew } = await readded();
      const { status, body } = await client.post(`/api/v1/accounts/${anew}/merge`, { account_id: old });
      expect([status, body.message]).toEqual([
        409,
        expect.stringMatching(/is still synced, and “.+” is not: swap the two ids\.$/),
      ]);
    });

    it('a merge is refused if the old account is still listed, or the new one is missing, unknown or in another currency', async () => {
      const { old, anew } = await readded();
      const savings = await idOf('Savings');
      const merge = async (id: string, account_id: unknown) => {
        const { status, body } = await client.post(`/api/v1/accounts/${id}/merge`, { account_id });
        return [status, body.error];
      };
      expect(await merge(savings, anew)).toEqual([409, 'conflict']);
      expect(await merge(savings, '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a11')).toEqual([409, 'conflict']);
      expect(await merge(old, old)).toEqual([422, 'validation_failed']);
      expect(await merge(old, 'nonsense')).toEqual([422, 'validation_failed']);
      expect(await merge('nonsense', anew)).toEqual([404, 'record_not_found']);
      const stranger = await createClient(tidemark);
      expect((await stranger.post(`/api/v1/accounts/${old}/merge`, { account_id: anew })).status).toBe(404);
      bank.lists([wireAccount({ id: 'ACT-5', name: 'Reisekasse', currency: 'EUR' })]);
      await connected(client, bank.token());
      expect(await merge(old, await idOf('Reisekasse'))).toEqual([422, 'validation_failed']);
    });
  });

  it('merging two accounts into one and the same account is refused, and nothing changes', async () => {
    const connection = await connected(client, bank.token());
    const first = await idOf('Everyday Checking');
    bank.lists([AGAIN, SAVINGS]);
    later(1);
    await synced(client, connection.id);
    const second = await idOf('Everyday Checking');
    bank.lists([{ ...AGAIN, id: 'ACT-1-third' }, SAVINGS]);
    later(1);
    await synced(client, connection.id);
    const third = await idOf('Everyday Checking');
    const before = await summary();
    const pairs = [first, second].map((disconnectedId) => ({ disconnectedId, replacementId: third }));
    const merged = tidemark.app.get(MergeAccountsService, { strict: false }).merge(client.userId, pairs, '2026-03-15');
    await expect(merged).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await summary()).toEqual(before);
  });

  describe('a second connection to the same accounts', () => {
    it('a second connection leaves shared accounts to the first one and reports it, so nothing is doubled', async () => {
      await connected(client, bank.token(), { name: 'First' });
      later(1);
      const second = await connected(client, bank.token(), { name: 'Second' });
      expect(await accounts()).toHaveLength(2);
      const { problems } = await show(second);
      expect(problems.map(({ message }: { message: string }) => message)).toEqual([
        expect.stringMatching(/^“Everyday Checking” is already synced by the connection “First”/),
        expect.stringMatching(/^“Savings” is already synced by the connection “First”/),
      ]);
    });

    it('a second connection does not add an account that a user deleted until it is restored', async () => {
      const first = await connected(client, bank.token());
      const second = await connected(client, bank.token());
      later(1);
      const savings = await idOf('Savings');
      expect((await client.delete(`/api/v1/accounts/${savings}`)).status).toBe(204);
      later(1);
      await synced(client, second.id);
      expect(await summary()).toEqual([['Everyday Checking', 'active']]);
      await client.delete(`/api/v1/connections/${first.id}/deleted_accounts/${savings}`);
      later(1);
      await synced(client, second.id);
      expect(await accounts()).toHaveLength(2);
    });

    it('a deleted account is not added by a second connection either when its first connection is removed', async () => {
      const first = await connected(client, bank.token());
      const others = [await connected(client, bank.token()), await connected(client, bank.token())];
      later(1);
      const savings = await idOf('Savings');
      await client.delete(`/api/v1/accounts/${savings}`);
      await client.delete(`/api/v1/connections/${first.id}`);
      later(1);
      for (const { id } of others) await synced(client, id);
      expect(await summary()).toEqual([['Everyday Checking', 'active']]);
      const restored = others.map(async (other) => (await show(other)).deleted_accounts);
      const [second, third] = await Promise.all(restored);
      expect([second, third]).toEqual(
        Array(2).fill([expect.objectContaining({ account_id: savings, name: 'Savings' })]),
      );
      const path = `/api/v1/connections/${others[1]!.id}/deleted_accounts/${savings}`;
      expect((await client.delete(path)).status).toBe(204);
      later(1);
      await synced(client, others[0]!.id);
      expect(await accounts()).toHaveLength(2);
    });

    it('a connection adds an account as new if it was deleted before the connection was made', async () => {
      const first = await connected(client, bank.token());
      const savings = await idOf('Savings');
      await client.delete(`/api/v1/accounts/${savings}`);
      later(1);
      const second = await connected(client, bank.token());
      const again = await idOf('Savings');
      expect([again, again === savings]).toEqual([expect.any(String), false]);
      await client.delete(`/api/v1/connections/${first.id}`);
      later(1);
      await synced(client, second.id);
      expect(await idOf('Savings')).toBe(again);
      expect((await show(second)).deleted_accounts).toEqual([]);
    });

    it('a connection adds an account although the user deleted one with the same id at another provider', async () => {
      const first = await connected(client, bank.token());
      const other = await createConnection(tidemark, client.userId, { provider: 'global_provider' });
      later(1);
      await client.delete(`/api/v1/accounts/${await idOf('Savings')}`);
      await writeSnapshot(tidemark, other, snapshotAccount({ externalId: 'ACT-2', name: 'Elsewhere' }));
      expect(await idOf('Elsewhere')).toEqual(expect.any(String));
      await client.delete(`/api/v1/connections/${first.id}`);
      expect((await show(other)).deleted_accounts).toEqual([]);
    });

    it('a second connection adopts the most recently updated account if several match', async () => {
      const disconnected: string[] = [];
      for (const currency of ['USD', 'EUR']) {
        const connection = await createConnection(tidemark, client.userId);
        const { accountId } = await writeSnapshot(
          tidemark,
          connection,
          snapshotAccount({ externalId: 'same', currency }),
        );
        await client.delete(`/api/v1/connections/${connection.id}`);
        disconnected.push(accountId);
      }
      const newest = disconnected.sort()[1]!;
      const touch = `update accounts set updated_at = updated_at + interval '1 hour' where id = ?`;
      await tidemark.em().execute(`${UNGUARDED}; ${touch}`, [newest]);
      const third = await createConnection(tidemark, client.userId);
      const answer = snapshotAccount({ externalId: 'same', currency: null });
      expect((await writeSnapshot(tidemark, third, answer)).accountId).toBe(newest);
    });

    it('a second connection adopts the accounts and their history once the first connection is removed', async () => {
      const first = await connected(client, bank.token());
      const [before, history] = [await accounts(), (await client.get('/api/v1/balances')).body];
      await client.delete(`/api/v1/connections/${first.id}`);
      expect(await summary()).toEqual([
        ['Everyday Checking', 'disconnected'],
        ['Savings', 'disconnected'],
      ]);
      later(1);
      const second = await connected(client, bank.token());
      expect((await show(second)).problems).toEqual([]);
      const moved = before.map((account: object) => ({
        ...account,
        connection_id: second.id,
        updated_at: tidemark.clock.now().toISOString(),
      }));
      expect(await accounts()).toEqual(moved);
      expect((await client.get('/api/v1/balances')).body).toEqual(history);
    });

    it('a second connection adopts an account that the first one no longer lists', async () => {
      const first = await connected(client, bank.token());
      const checking = await idOf('Everyday Checking');
      bank.lists([SAVINGS]);
      later(1);
      await synced(client, first.id);
      bank.lists([CHECKING]);
      const second = await connected(client, bank.token());
      expect((await show(second)).problems).toEqual([]);
      expect((await client.get(`/api/v1/accounts/${checking}`)).body).toMatchObject({
        status: 'active',
        connection_id: second.id,
      });
      expect(await accounts()).toHaveLength(2);
    });

    it('a second connection also fetches the days since the last sync of the accounts it adopts', async () => {
      const first = await connected(client, bank.token());
      await client.delete(`/api/v1/connections/${first.id}`);
      later(70 * 24);
      const second = await connected(client, bank.token());
      const before = bank.server.requests.length;
      await synced(client, second.id);
      const starts = bank.server.requests.slice(before).flatMap(({ query }) => query.get('start-date') ?? []);
      expect(Math.min(...starts.map(Number))).toBeLessThan(noon('2026-03-15'));
    });

    it('a second connection adopts the accounts of a connection that no longer works', async () => {
      const first = await connected(client, bank.token());
      const checking = await idOf('Everyday Checking');
      bank.answers({ status: 402, body: { errors: ['Subscription payment is due.'], accounts: [] } });
      later(1);
      await synced(client, first.id);
      expect((await show(first)).status).toBe('attention_required');
      bank.lists([CHECKING, SAVINGS]);
      later(1);
      const second = await connected(client, bank.token());
      expect(await idOf('Everyday Checking')).toBe(checking);
      expect((await show(second)).accounts_count).toBe(2);
      expect((await show(first)).accounts_count).toBe(0);
    });

    it('a merge is suggested if a new login has given the same accounts other ids', async () => {
      const first = await connected(client, bank.token());
      const old = await idOf('Everyday Checking');
      await client.delete(`/api/v1/connections/${first.id}`);
      bank.lists([AGAIN]);
      later(1);
      const second = await connected(client, bank.token());
      const [offer] = (await show(second)).merge_suggestions;
      expect(offer.account_id).toBe(old);
      const { body } = await client.post(`/api/v1/accounts/${old}/merge`, { account_id: offer.duplicate_account_id });
      expect(body).toMatchObject({ id: old, status: 'active', connection_id: second.id });
    });
  });
});
