import { SyncRun } from '../../src/sync/sync-run.entity.js';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { accountsOf, type InstantBank, startInstantBank, userOf } from '../support/instant-bank.js';
import { TODAY } from '../support/sync-scene.js';
import { ended, until } from '../support/syncs.js';

const CONCURRENCY = 3;
const CONNECTIONS = 8;

describe('SYNC_CONCURRENCY', () => {
  let bank: InstantBank;
  let api: TestApp;
  let worker: TestApp | undefined;

  beforeEach(async () => {
    bank = await startInstantBank(TODAY);
    api = await startTestApp({ ...LOCAL_PROVIDER, ROLE: 'api' });
  });
  afterEach(async () => {
    bank.play(() => 'reset');
    await worker?.stop();
    await api.stop();
    await bank.server.stop();
  });

  /** The bank lets users wait for its answers, each until it is let go. */
  function waitingRoom() {
    const waiting = new Map<string, () => void>();
    const served = new Set<string>();
    bank.play(async (request) => {
      const user = userOf(request);
      if (!served.has(user)) await new Promise<void>((resolve) => waiting.set(user, resolve));
      return { body: accountsOf(user, TODAY, 1) };
    });
    const letGo = (user: string) => {
      const answer = waiting.get(user)!;
      waiting.delete(user);
      served.add(user);
      answer();
    };
    return { waiting, letGo };
  }

  it('a worker syncs exactly SYNC_CONCURRENCY connections at once', async () => {
    // Of several people, since one alone gets half of the slots.
    const clients = new Map<string, TestClient>();
    const syncs = new Map<string, string>();
    for (let index = 0; index < CONNECTIONS; index++) {
      const user = `user${index}`;
      const client = await createClient(api);
      clients.set(user, client);
      const body = { provider: 'us_provider', setup_token: bank.setupToken(user), history_days: 30 };
      syncs.set(user, (await client.post('/api/v1/connections', body)).body.latest_sync_id);
    }
    const running = () => api.em().count(SyncRun, { status: 'running' });
    const { waiting, letGo } = waitingRoom();
    const environment = { ...LOCAL_PROVIDER, ROLE: 'worker', SYNC_CONCURRENCY: String(CONCURRENCY) };
    worker = await startTestApp(environment, api.clock, api.database);
    for (let left = CONNECTIONS; left > 0; left--) {
      const atOnce = Math.min(CONCURRENCY, left);
      const seen = await until(async () => {
        const runs = await running();
        return Math.min(runs, waiting.size) >= atOnce ? { runs, waiting: waiting.size } : null;
      }, `${atOnce} being asked at the same time`);
      expect(seen).toEqual({ runs: atOnce, waiting: atOnce });
      const [next] = waiting.keys();
      letGo(next!);
      await ended(clients.get(next!)!, syncs.get(next!)!);
    }
  });

  it('one user gets at most half of the sync slots while other users are waiting', async () => {
    const [many, one] = [await createClient(api), await createClient(api)];
    const connect = async (client: TestClient, user: string) => {
      const body = { provider: 'us_provider', setup_token: bank.setupToken(user), history_days: 30 };
      return (await client.post('/api/v1/connections', body)).body.latest_sync_id as string;
    };
    for (let index = 0; index < 4; index++) await connect(many, `many${index}`);
    const { waiting, letGo } = waitingRoom();
    const environment = { ...LOCAL_PROVIDER, ROLE: 'worker', SYNC_CONCURRENCY: '3' };
    worker = await startTestApp(environment, api.clock, api.database);
    await until(() => Promise.resolve(waiting.size === 2 || null), 'two of the one person');
    const syncs = [await connect(one, 'one0'), await connect(one, 'one1')];
    await until(() => Promise.resolve(waiting.has('one0') || null), 'one of the other person');
    expect([...waiting.keys()].filter((user) => user.startsWith('many'))).toHaveLength(2);
    letGo('one0');
    await ended(one, syncs[0]!);
    await until(() => Promise.resolve(waiting.has('one1') || null), 'the other one of the other person');
    expect([...waiting.keys()].filter((user) => user.startsWith('many'))).toHaveLength(2);
    letGo('one1');
    await ended(one, syncs[1]!);
  });
});
