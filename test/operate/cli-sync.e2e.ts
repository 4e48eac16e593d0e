import { afterThisTest } from '../support/after-this-test.js';
import {
  createClient,
  LOCAL_PROVIDER,
  startTestApp,
  StillClock,
  type TestApp,
  type TestClient,
} from '../support/app.js';
import { accountsOf, type InstantBank, startInstantBank, userOf } from '../support/instant-bank.js';
import { middayZone } from '../support/midday.js';
import { start } from '../support/run-process.js';
import { ended } from '../support/syncs.js';

const NOW = new Date();
const TODAY = NOW.toISOString().slice(0, 10);

/** `sync:run` beside a service on the same database. */
describe('the sync command', () => {
  let tidemark: TestApp;
  let bank: InstantBank;
  let client: TestClient;
  let connectionId: string;

  beforeAll(async () => {
    bank = await startInstantBank(TODAY);
    tidemark = await startTestApp(LOCAL_PROVIDER, new StillClock(NOW));
    client = await createClient(tidemark, { timeZone: middayZone(NOW) });
    const token = bank.setupToken('ann');
    const { body } = await client.post('/api/v1/connections', { provider: 'us_provider', setup_token: token });
    connectionId = body.id;
    await ended(client, body.latest_sync_id);
  });
  afterEach(() => bank.play(null));
  afterAll(async () => {
    await tidemark.stop();
    await bank.server.stop();
  });

  const syncRun = (...args: string[]) =>
    start('cli', ['sync:run', ...args], {
      ...{ DATABASE_URL: tidemark.database.url, APP_SECRET: 'the root secret of the tests', ...LOCAL_PROVIDER },
    });

  it('the sync command shows progress while the bank answers, and prints the result', async () => {
    const command = syncRun();
    const shown = new Promise<void>((resolve) =>
      command.child.stderr!.on('data', (lines) => /accounts {2}balances/.test(lines) && resolve()),
    );
    bank.play(async (request) => {
      await shown;
      return { body: accountsOf(userOf(request), TODAY, 3) };
    });
    const { code, stdout, stderr } = await command.finished;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ syncs: [{ connection_id: connectionId, status: 'succeeded' }] });
    expect(stderr).toMatch(/█{24} 3\/3 accounts {2}succeeded: 0 transactions added, 0 balances written\n$/);
  });

  it('the sync command exits with 1 when a sync fails', async () => {
    const token = bank.setupToken('bob');
    const { body } = await client.post('/api/v1/connections', { provider: 'us_provider', setup_token: token });
    afterThisTest(() => client.delete(`/api/v1/connections/${body.id}`));
    await ended(client, body.latest_sync_id);
    bank.play(() => ({ status: 403 }));
    const { code, stdout } = await syncRun('--connection', body.id).finished;
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { syncs: [{ connection_id: body.id, status: 'failed' }] }]);
  });

  it('the sync command reports a connection whose request budget is used up and syncs the others', async () => {
    await tidemark
      .em()
      .getConnection()
      .execute(
        `insert into provider_requests (user_id, connection_id, sent_at)
         select user_id, id, ?::timestamptz - interval '1 minute' * number
         from connections, generate_series(1, 24) as number`,
        [NOW],
      );
    const everything = await syncRun().finished;
    const message = expect.stringMatching(/allows 24 requests a day.* possible on \d+ \w+ 20/);
    const answer = { syncs: [], left_out: [{ connection_id: connectionId, message }] };
    expect([everything.code, JSON.parse(everything.stdout), everything.stderr]).toEqual([1, answer, message]);
    const one = await syncRun('--connection', connectionId).finished;
    expect([one.code, one.stdout]).toEqual([1, '']);
    expect(one.stderr).toBe(everything.stderr);
  });
});
