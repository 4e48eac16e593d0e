import { Connection } from '../../src/sync/connections/connection.entity.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, type TestAnswer, type TestApp, type TestClient } from '../support/app.js';
import { besideGlobalProvider, connect, startAppBeside } from '../support/beside-global-provider.js';
import { UNGUARDED } from '../../src/kit/guard-noted-writes.js';
import { snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import {
  type FakeAccount,
  globalProviderScript,
  wireAccount,
  wireHold,
  wireTransaction,
} from '../support/scripted-global-provider.js';
import type { ScriptedServer } from '../support/scripted-server.js';
import { ended, synced } from '../support/syncs.js';

describe('pending transactions of the global provider', () => {
  let server: ScriptedServer;
  let tidemark: TestApp;
  let client: TestClient;

  besideGlobalProvider((scene) => ({ server, tidemark, client } = scene), { GLOBALPROVIDER_INCLUDE_PENDING: '1' });

  const serve = (account: Partial<FakeAccount>) =>
    server.play(globalProviderScript([{ wire: wireAccount(), ...account }]));

  async function connected(): Promise<TestAnswer['body']> {
    const connection = await connect(client);
    await ended(client, connection.latest_sync_id);
    return connection;
  }

  async function syncAgain({ id }: { id: string }) {
    return synced(client, id);
  }

  const transactions = async (query = '') => (await client.get(`/api/v1/transactions${query}`)).body.transactions;
  const hold = wireHold('2026-03-14', -42);
  const listed = async () =>
    (await transactions()).map((row: TestAnswer['body']) => [row.id, row.pending, row.amount_cents]);

  /** What becomes of a hold when the account is listed so, day after day. */
  async function lives(first: object, ...days: object[][]) {
    serve({ transactions: [first] });
    const connection = await connected();
    const [before] = await listed();
    expect(before).toEqual([expect.any(String), true, -4_200]);
    for (const [index, rows] of days.entries()) {
      tidemark.clock.set(`2026-03-${16 + index}T12:00:00Z`);
      serve({ transactions: rows });
      expect((await syncAgain(connection)).status).toBe('succeeded');
    }
    return { id: before![0], rows: await listed() };
  }

  it('a pending transaction posted under a new id keeps its row and is no longer pending', async () => {
    const { id, rows } = await lives(hold, [wireTransaction('T-1', '2026-03-16', -42)]);
    expect(rows).toEqual([[id, false, -4_200]]);
  });

  it('a pending transaction posted under the same id keeps its row and is no longer pending', async () => {
    const { id, rows } = await lives({ ...hold, id: 'T-1' }, [wireTransaction('T-1', '2026-03-16', -42)]);
    expect(rows).toEqual([[id, false, -4_200]]);
  });

  it('a pending transaction posted with another amount is deleted once it was missing for long enough', async () => {
    const booked = [wireTransaction('T-1', '2026-03-16', -50.4)];
    const { id, rows } = await lives(hold, booked, booked, booked, booked);
    expect(rows).toEqual([[expect.not.stringContaining(id), false, -5_040]]);
  });

  it('a pending transaction that vanishes is deleted once it was missing for long enough, and not before', async () => {
    expect((await lives(hold, [], [], [])).rows).toMatchObject([[expect.any(String), true, -4_200]]);
    client = await createClient(tidemark);
    tidemark.clock.set('2026-03-15T12:00:00Z');
    expect((await lives(hold, [], [], [], [])).rows).toEqual([]);
  });

  it('a pending transaction listed beside its posted one is one row', async () => {
    const booked = wireTransaction('T-1', '2026-03-16', -42, { merchant: 'METRO VILLE 12' });
    const { id, rows } = await lives(hold, [hold, booked], [hold, booked], [booked]);
    expect(rows).toEqual([[id, false, -4_200]]);
  });

  it('two equal pending transactions stay two rows until both are posted', async () => {
    const booked = [wireTransaction('T-1', '2026-03-16', -42), wireTransaction('T-2', '2026-03-16', -42)];
    const { rows } = await lives(hold, [hold, hold], booked);
    expect(rows.map(([, pending]: unknown[]) => pending)).toEqual([false, false]);
  });

  it('pending transactions are neither fetched nor kept once they are switched off', async () => {
    const off = await startAppBeside(server);
    afterThisTest(off.stop);
    client = await createClient(off);
    serve({ transactions: [hold, wireTransaction('T-1', '2026-03-12', -54.9)] });
    const connection = await connected();
    expect(connection.include_pending).toBe(false);
    expect(await transactions('?pending=true')).toEqual([]);
    // As a run with the switch on would have left it.
    await off.em().execute(`${UNGUARDED}; update connections set include_pending = true where id = '${connection.id}'`);
    const stored = await off.em().findOneOrFail(Connection, { id: connection.id });
    const held = {
      externalId: '20417',
      currency: 'EUR',
      transactions: [transaction('2026-03-14', -230, { pending: true })],
    };
    await writeSnapshot(off, stored, snapshotAccount(held));
    expect(await transactions('?pending=true')).toHaveLength(1);
    await syncAgain(connection);
    expect(await transactions('?pending=true')).toEqual([]);
    expect((await client.get(`/api/v1/connections/${connection.id}`)).body.include_pending).toBe(false);
  });
});
