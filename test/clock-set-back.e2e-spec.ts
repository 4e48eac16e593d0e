import { SyncScheduler } from '../src/sync/schedule/sync-scheduler.js';
import { SyncRunsService } from '../src/sync/runs/sync-runs.service.js';
import { accountsOf, userOf } from './instant-bank.js';
import { wireTransaction } from './scripted-us-provider.js';
import { SyncScene, TODAY } from './sync-scene.js';
import { ended } from './syncs.js';

let scene: SyncScene;

beforeAll(async () => {
  scene = await SyncScene.start();
});
afterAll(() => scene.stop());

/** What the bank says from now on: the balance of the only account, and its newest transactions. */
function play(balance: string, ...more: object[]): void {
  scene.bank.play((request) => {
    const body = accountsOf(userOf(request), TODAY, 1, more) as { accounts: { balance: string }[] };
    Object.assign(body.accounts[0]!, { balance });
    return { body };
  });
}

describe.each([
  ['an hour', '2026-03-15T13:00:00Z'],
  ['four hundred days', '2027-04-19T12:00:00Z'],
])('a clock that was %s ahead and is set back', (_, ahead) => {
  const PAID = wireTransaction('paid', TODAY, '20.00');
  const SPENT = wireTransaction('spent', TODAY, '-7.00');

  async function syncedAhead() {
    scene.tidemark.clock.set(`${TODAY}T12:00:00Z`);
    play('100.00');
    const { client, connection } = await scene.connected();
    await ended(client, connection.latest_sync_id);
    scene.tidemark.clock.set(ahead);
    play('120.00', PAID);
    const { id } = await scene.tidemark.app.get(SyncRunsService).request(client.userId, connection.id, 'person');
    await ended(client, id);
    scene.tidemark.clock.set(`${TODAY}T12:10:00Z`);
    play('113.00', PAID, SPENT);
    return { client, connectionId: connection.id as string };
  }

  const connectionOf = async ({ client, connectionId }: Awaited<ReturnType<typeof syncedAhead>>) =>
    (await client.get(`/api/v1/connections/${connectionId}`)).body;

  /** The sync of the schedule, done. @returns its id */
  const scheduled = async ({ client }: Awaited<ReturnType<typeof syncedAhead>>) => {
    const { syncs } = (await client.get('/api/v1/syncs')).body;
    const { id } = syncs.find(({ trigger }: { trigger: string }) => trigger === 'schedule');
    expect(await ended(client, id)).toMatchObject({ status: 'succeeded' });
    return id;
  };

  it('neither stops the syncs nor keeps what it read as the newest', async () => {
    const person = await syncedAhead();
    expect(await scene.tidemark.app.get(SyncScheduler).tick()).toBe(1);
    const latest = await scheduled(person);
    const connection = await connectionOf(person);
    expect(connection).toMatchObject({ latest_sync_id: latest, last_synced_at: '2026-03-15T12:10:00.000Z' });
    const { balances } = (await person.client.get('/api/v1/balances?per_page=2')).body;
    expect(balances).toMatchObject([
      { date: TODAY, end_balance_cents: 11_300, cash_inflows_cents: 2_000, cash_outflows_cents: 700 },
      { date: '2026-03-14', end_balance_cents: 10_000 },
    ]);
    const { accounts } = (await person.client.get('/api/v1/accounts')).body;
    expect(accounts).toMatchObject([{ balance_cents: 11_300 }]);
  });

  it('leaves nothing of the connection in the future', async () => {
    const person = await syncedAhead();
    await scene.tidemark.app.get(SyncScheduler).tick();
    await scheduled(person);
    const tables = { observations: 'observed_at', transactions: 'first_seen_at', provider_requests: 'sent_at' };
    for (const [table, column] of Object.entries({ ...tables, sync_runs: 'finished_at', balances: 'date' })) {
      const late = await scene.execute(`select ${column} from ${table} where user_id = ? and ${column} > ?`, [
        person.client.userId,
        `${TODAY}T12:10:00Z`,
      ]);
      expect([table, late]).toEqual([table, []]);
    }
  });
});
