import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp } from './app.js';
import { accountsOf, type InstantBank, startInstantBank, userOf } from './instant-bank.js';
import { TODAY } from './sync-scene.js';
import { ended, until } from './syncs.js';

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

  it('is how many connections a worker syncs at once, no more and no fewer', async () => {
    const client = await createClient(api);
    const syncs = new Map<string, string>();
    for (let index = 0; index < CONNECTIONS; index++) {
      const user = `user${index}`;
      const body = { provider: 'us_provider', setup_token: bank.setupToken(user), history_days: 30 };
      syncs.set(user, (await client.post('/api/v1/connections', body)).body.latest_sync_id);
    }
    const running = async () => (await client.get('/api/v1/syncs?status=running')).body.pagination.total_count;
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
      await ended(client, syncs.get(next!)!);
    }
  });
});
