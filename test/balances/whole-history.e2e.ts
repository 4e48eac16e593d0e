import { SyncScheduler } from '../../src/sync/schedule/sync-scheduler.js';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { accountsOf, type InstantBank, startInstantBank, userOf } from '../support/instant-bank.js';
import type { ScriptedRequest } from '../support/scripted-server.js';
import { noon, wireHold, wireTransaction } from '../support/scripted-us-provider.js';
import { ended, synced } from '../support/syncs.js';

const TODAY = '2026-03-15';
/** Balances, and the newest window. */
const NEWS = 2;
/** A year is more windows than one, and two without anything are the end of what the bank has. */
const WHOLE = NEWS + 2;

describe('backfill of the whole history', () => {
  let tidemark: TestApp;
  let bank: InstantBank;
  let client: TestClient;
  let connectionId: string;
  let users = 0;

  beforeAll(async () => {
    bank = await startInstantBank(TODAY, 1);
    tidemark = await startTestApp(LOCAL_PROVIDER);
  });
  beforeEach(async () => {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    client = await createClient(tidemark);
  });
  afterEach(() => bank.play(null));
  afterAll(async () => {
    await tidemark.stop();
    await bank.server.stop();
  });

  /** @returns how many requests came since one last asked */
  async function connect(historyDays = 365) {
    const user = `user${++users}`;
    const answer = await client.post('/api/v1/connections', {
      ...{ provider: 'us_provider', setup_token: bank.setupToken(user), history_days: historyDays },
    });
    connectionId = answer.body.id;
    await ended(client, answer.body.latest_sync_id);
    let seen = 0;
    const asked = () => {
      const before = seen;
      seen = bank.asked(user);
      return seen - before;
    };
    return { asked, user };
  }

  async function completeUntil() {
    const rows = `select case when lower_inf(covered) then upper(covered)::text end as day from accounts where connection_id = ?`;
    return (await tidemark.em().getConnection().execute<{ day: string }[]>(rows, [connectionId]))[0]!.day;
  }

  async function byPerson(): Promise<void> {
    await synced(client, connectionId);
  }

  async function bySchedule(at: string): Promise<void> {
    tidemark.clock.set(at);
    await tidemark
      .em()
      .getConnection()
      .execute(`update connections set next_sync_at = ? where id = ?`, [at, connectionId]);
    await tidemark.app.get(SyncScheduler).tick();
    const { body } = await client.get('/api/v1/syncs?per_page=1');
    await ended(client, body.syncs[0].id);
  }

  const stored = async () => (await client.get('/api/v1/transactions')).body.pagination.total_count;

  it('the whole history is fetched again daily in the first days, since banks deliver old transactions late', async () => {
    const { asked, user } = await connect();
    expect(asked()).toBe(WHOLE);
    const old = wireTransaction('late', '2025-12-20', '-7.00');
    bank.play(({ query }) => {
      const isCovered = Number(query.get('start-date')) < noon('2025-12-20');
      return { body: accountsOf(user, TODAY, 1, isCovered ? [old] : []) };
    });
    await byPerson();
    expect([asked(), await stored()]).toEqual([NEWS, 5]);
    await bySchedule('2026-03-16T13:00:00Z');
    // The old one has put the end of what the bank has further back.
    expect([asked(), await stored()]).toEqual([WHOLE + 1, 6]);
    await bySchedule('2026-03-16T18:00:00Z');
    expect(asked()).toBe(NEWS);
    await bySchedule('2026-03-19T12:00:00Z');
    expect(asked()).toBe(NEWS);
  });

  it('the whole history is fetched again at least weekly for two months, since some banks take weeks', async () => {
    const { asked } = await connect();
    const requests = [asked()];
    for (const day of ['03-19', '03-26', '03-28', '04-02', '05-12', '05-17', '06-01']) {
      await bySchedule(`2026-${day}T12:00:00Z`);
      requests.push(asked());
    }
    expect(requests).toEqual([WHOLE, NEWS, WHOLE, NEWS, WHOLE, WHOLE, NEWS, NEWS]);
  });

  /** Of a bank that lists some newest rows in every answer, and one on the first of every month of ten years. */
  function tenYears(request: ScriptedRequest) {
    const asked = (name: string) => request.query.get(name);
    const [start, end] = [Number(asked('start-date')), Number(asked('end-date') ?? Infinity)];
    const rows = Array.from({ length: 120 }, (_, month) =>
      new Date(Date.UTC(2016, 3 + month)).toISOString().slice(0, 10),
    )
      .filter((day) => noon(day) >= start && noon(day) < end)
      .map((day) => wireTransaction(`T-${day}`, day, '-1.00'));
    return { body: accountsOf(userOf(request), TODAY, 1, rows) };
  }

  it('a history of ten years is backfilled over some days, each part once, and not fetched again', async () => {
    bank.play(tenYears);
    const { asked } = await connect(3_650);
    const requests = [asked()];
    for (let day = 16; (await completeUntil()) === null; day++) {
      await bySchedule(`2026-03-${day}T13:00:00Z`);
      requests.push(asked());
    }
    // 83 windows: a person's first sync has 24 requests, balances and news included, a sync of the schedule 18.
    expect(requests).toEqual([24, 18, 18, 18, 14]);
    expect(await stored()).toBe(5 + 120);
    await bySchedule('2026-03-21T14:00:00Z');
    expect(asked()).toBe(NEWS);
  });

  it('the whole history is not fetched again if the bank delivered all of it at once', async () => {
    bank.play(tenYears);
    const { asked } = await connect();
    asked();
    await bySchedule('2026-03-16T13:00:00Z');
    expect([asked(), await completeUntil()]).toEqual([NEWS, '2026-03-16']);
  });

  it.each(['1971-01-01', '2025-05-01'])('no history is fetched for a pending transaction dated %s', async (date) => {
    const { asked, user } = await connect();
    const body = accountsOf(user, TODAY, 1, [wireHold('old', date, '-1.00')]);
    bank.play(() => ({ body }));
    await byPerson();
    asked();
    await byPerson();
    expect(asked()).toBe(NEWS);
  });

  it('a sync fetches back to the oldest pending transaction, however short the wanted history is', async () => {
    const { user } = await connect(1);
    const body = accountsOf(user, TODAY, 1, [wireHold('open', '2026-03-10', '-77.00')]);
    const starts: number[] = [];
    bank.play(({ query }) => {
      starts.push(Number(query.get('start-date') ?? Infinity));
      return { body };
    });
    await byPerson();
    starts.length = 0;
    await byPerson();
    expect(Math.min(...starts)).toBeLessThan(noon('2026-03-10'));
  });

  it('an incomplete history is fetched once a day and at every manual sync', async () => {
    const errlist = [{ code: 'act.missingdata', msg: 'Some transactions are missing', account_id: 'lame-0' }];
    bank.play(() => ({ body: { ...accountsOf('lame', TODAY, 1), errlist } }));
    const { asked } = await connect();
    expect(asked()).toBe(WHOLE);
    await bySchedule('2026-03-15T17:00:00Z');
    expect(asked()).toBe(NEWS);
    bank.play(() => ({ body: accountsOf('lame', TODAY, 1) }));
    await bySchedule('2026-03-15T22:00:00Z');
    expect([asked(), await completeUntil()]).toEqual([NEWS, null]);
    await byPerson();
    expect([asked(), await completeUntil()]).toEqual([WHOLE, TODAY]);
  });
});
