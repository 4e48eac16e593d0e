import { afterThisTest } from '../support/after-this-test.js';
import type { TestApp, TestClient } from '../support/app.js';
import { besideGlobalProvider, connect } from '../support/beside-global-provider.js';
import { gate } from '../support/gate.js';
import {
  API_KEY,
  type FakeAccount,
  globalProviderScript,
  isFor,
  wireAccount,
  wireTransaction,
} from '../support/scripted-global-provider.js';
import type { ScriptedServer } from '../support/scripted-server.js';
import { ended, synced, syncNow, until } from '../support/syncs.js';

function account(id: number, name: string): FakeAccount {
  return { wire: wireAccount({ id, name }), transactions: [wireTransaction(`T-${id}`, '2026-03-12', -54.9)] };
}

const CHECKING = account(1, 'Checking');
const SAVINGS = account(2, 'Savings');

describe('storing accounts one by one during a sync', () => {
  let server: ScriptedServer;
  let tidemark: TestApp;
  let client: TestClient;

  besideGlobalProvider((scene) => ({ server, tidemark, client } = scene));

  const accountNames = async (): Promise<string[]> =>
    (await client.get('/api/v1/accounts')).body.accounts.map(({ name }: { name: string }) => name).sort();
  const countOf = async (list: 'transactions' | 'balances'): Promise<number> =>
    (await client.get(`/api/v1/${list}`)).body.pagination.total_count;

  /** Serves both accounts, the second one not before the gate is open. */
  function holdBackSavings() {
    const { opened, open } = gate();
    afterThisTest(open);
    const answer = globalProviderScript([CHECKING, SAVINGS]);
    server.play(async (request, index) => {
      if (isFor('balance', 2)(request)) await opened;
      return answer(request, index);
    });
    return open;
  }

  const checkingIsStored = () =>
    until(async () => ((await accountNames()).length === 1 ? true : null), 'stored: the first account');

  it('an account is stored while its provider is asked for the others', async () => {
    const open = holdBackSavings();
    const { latest_sync_id } = await connect(client);
    await checkingIsStored();
    const { body: running } = await client.get(`/api/v1/syncs/${latest_sync_id}`);
    expect(running).toMatchObject({
      status: 'running',
      progress: { accounts_done: 1, accounts_total: 2 },
      counts: { transactions_added: 1 },
    });
    expect([await accountNames(), await countOf('transactions')]).toEqual([['Checking'], 1]);
    expect(await countOf('balances')).toBeGreaterThan(0);
    open();
    const run = await ended(client, latest_sync_id);
    expect(run).toMatchObject({
      status: 'succeeded',
      progress: { accounts_done: 2, accounts_total: 2 },
      counts: { transactions_added: 2 },
    });
    expect([await accountNames(), await countOf('transactions')]).toEqual([['Checking', 'Savings'], 2]);
  });

  it('stored accounts stay when the sync is cancelled, and the next sync adds the rest', async () => {
    const open = holdBackSavings();
    const { id, latest_sync_id } = await connect(client);
    await checkingIsStored();
    const { body: cancelled } = await client.delete(`/api/v1/syncs/${latest_sync_id}`);
    expect(cancelled).toMatchObject({ status: 'cancelled', counts: { accounts: 1 } });
    open();
    expect(await accountNames()).toEqual(['Checking']);
    expect(await synced(client, id)).toMatchObject({ status: 'succeeded', counts: { transactions_added: 1 } });
    expect([await accountNames(), await countOf('transactions')]).toEqual([['Checking', 'Savings'], 2]);
  });

  it('a sync stops asking the provider when its connection is removed', async () => {
    const open = holdBackSavings();
    const { id, latest_sync_id } = await connect(client);
    await checkingIsStored();
    expect((await client.delete(`/api/v1/connections/${id}?purge=true`)).status).toBe(204);
    open();
    expect(await ended(client, latest_sync_id)).toMatchObject({ status: 'cancelled', problems: [] });
    expect(await accountNames()).toEqual([]);
  });

  it('the next sync waits as long as the provider asks for, although one account was stored', async () => {
    const answer = globalProviderScript([CHECKING, SAVINGS]);
    const limited = { status: 429, headers: { 'Retry-After': '43200' } };
    server.play((request, index) => (isFor('balance', 2)(request) ? limited : answer(request, index)));
    const { id, latest_sync_id } = await connect(client);
    expect(await ended(client, latest_sync_id)).toMatchObject({ status: 'partial' });
    const { next_sync_at: next } = (await client.get(`/api/v1/connections/${id}`)).body;
    expect(Date.parse(next) - tidemark.clock.now().getTime()).toBe(12 * 3_600_000);
  });

  it('no account is stored until one of them is known to belong to the connection', async () => {
    server.play(globalProviderScript([CHECKING, SAVINGS]));
    const { id, latest_sync_id } = await connect(client);
    await ended(client, latest_sync_id);
    server.play(globalProviderScript([account(77, 'Somebody’s own'), account(78, 'Somebody’s other')]));
    tidemark.clock.set('2026-03-15T13:00:00Z');
    const { status } = await client.put(`/api/v1/connections/${id}/credentials`, { api_key: API_KEY });
    expect(status).toBeLessThan(300);
    const { body } = await syncNow(client, id);
    const run = await ended(client, body.id);
    expect(run).toMatchObject({ status: 'failed', counts: { accounts: 0 } });
    expect([await accountNames(), await countOf('transactions')]).toEqual([['Checking', 'Savings'], 2]);
  });
});
