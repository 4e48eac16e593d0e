import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { ClockCheck } from '../../src/database/clock-check.service.js';
import { addDays, type CalendarDate, DAY_MS } from '../../src/platform/time/calendar-date.js';
import {
  createClient,
  LOCAL_PROVIDER,
  send,
  startTestApp,
  StillClock,
  type TestApp,
  TestClient,
} from '../support/app.js';
import { accountsOf, type InstantBank, startInstantBank, userOf } from '../support/instant-bank.js';
import { run } from '../support/run-process.js';
import { noon, wireAccount, wireSet, wireTransaction } from '../support/scripted-us-provider.js';
import { lostObservations, storedObservations } from '../support/stored-observations.js';
import { ended, synced, syncNow, until } from '../support/syncs.js';
import { Visitor } from '../../src/kit/visitor.js';

const MOVED_CLOCK = pathToFileURL('test/drills/harness/moved-clock.mjs').href;
const FIRST_DAY = '2026-03-15';

/** What happens at the bank before a sync, a day after the one before, and how many days the clocks of instances are ahead. */
interface Step {
  event: 'nothing' | 'spent' | 'corrected' | 'withdrawn' | 'back';
  cents: number;
  /** Of the instance that takes the request; negative: behind. */
  api: number;
  /** Of the instance that syncs. */
  worker: number;
}

const daily = (cents: number, worker = 0): Step => ({ event: 'nothing', cents, api: worker, worker });
/** Five daily syncs, then one by an instance eight days behind. */
const BEHIND = [...Array.from({ length: 5 }, (_, day) => daily(10_000 + day * 100)), daily(11_000, -8), daily(11_000)];
/** Of two instances of which one is a day behind, each reads at the same moment. */
const SAME_MOMENT = [daily(10_000), daily(20_000, -1)];

/** A bank with an account and a depot, where a day passes between two steps. */
function bankOf(bank: InstantBank) {
  let today: CalendarDate = FIRST_DAY;
  let cents = 0;
  let spent = [wireTransaction('0', FIRST_DAY, '-5.00')];
  let withdrawn: object | undefined;
  const change = {
    nothing: () => undefined,
    spent: () => (spent = [...spent, wireTransaction(String(spent.length), today, '-7.00')]),
    corrected: () => (spent = spent.map((row) => ({ ...row, description: `CORRECTED ${today}` }))),
    withdrawn: () => void (withdrawn = spent.pop()),
    back: () => void (spent = [...spent, ...(withdrawn ? [withdrawn] : [])]),
  };
  bank.play(() => {
    const balance = (cents / 100).toFixed(2);
    const lot = { id: 'HOL-1', symbol: 'NQTX', shares: '10', market_value: balance, currency: 'USD' };
    const more = { balance, 'balance-date': noon(today) };
    return {
      body: wireSet([
        wireAccount({ ...more, transactions: spent }),
        wireAccount({ ...more, id: 'ACT-2', name: 'Brokerage', holdings: [lot] }),
      ]),
    };
  });
  return (step: Pick<Step, 'event' | 'cents'>, day: CalendarDate) => {
    today = day;
    cents = step.cents;
    change[step.event]();
  };
}

const apiClock = new StillClock();
let bank: InstantBank;
let api: TestApp;
beforeAll(async () => {
  bank = await startInstantBank(FIRST_DAY);
  api = await startTestApp({ ...LOCAL_PROVIDER, ROLE: 'api', SIGN_UP: 'open' }, apiClock);
});
afterAll(async () => {
  await api.stop();
  await bank.server.stop();
});

describe('instances with wrong clocks and without a clock check', () => {
  const workerClock = new StillClock();
  let worker: TestApp;
  beforeAll(async () => {
    worker = await startTestApp({ ...LOCAL_PROVIDER, ROLE: 'worker' }, workerClock, api.database);
  });
  afterAll(() => worker.stop());

  let people = 0;
  const stored = () => storedObservations((statement) => api.em().execute(statement));
  const setClock = (clock: StillClock, day: CalendarDate, ahead: number) =>
    clock.set(new Date(Date.parse(`${day}T12:00:00Z`) + ahead * DAY_MS).toISOString());

  it('instances with wrong clocks never change or lose a stored observation, in any order of their syncs', async () => {
    const days = fc.integer({ min: -12, max: 12 });
    const step = fc.record<Step>({
      event: fc.constantFrom('nothing', 'nothing', 'spent', 'corrected', 'withdrawn', 'back'),
      cents: fc.constantFrom(10_000, 10_000, 12_500, 9_900),
      api: days,
      worker: days,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
        const happen = bankOf(bank);
        setClock(apiClock, FIRST_DAY, 0);
        const client = await createClient(api);
        let connectionId = '';
        let before = new Set<string>();
        for (const [index, step] of steps.entries()) {
          const day = addDays(FIRST_DAY, index);
          happen(step, day);
          setClock(apiClock, day, step.api);
          setClock(workerClock, day, step.worker);
          if (index === 0) {
            const token = {
              provider: 'us_provider',
              setup_token: bank.setupToken(`user${++people}`),
              history_days: 30,
            };
            const { body } = await client.post('/api/v1/connections', token);
            connectionId = body.id;
            await ended(client, body.latest_sync_id);
          } else expect((await synced(client, connectionId)).status).not.toBe('failed');
          const after = await stored();
          expect(lostObservations(before, after)).toEqual([]);
          before = after;
        }
        expect(before.size).toBeGreaterThan(0);
      }),
      { numRuns: 5, examples: [[BEHIND], [SAME_MOMENT]] },
    );
  });
});

/** Runs, unlike other clocks of tests, because it is compared with the database's. */
class MachineClock extends StillClock {
  aheadMs = 0;

  override now(): Date {
    return new Date(Date.now() + this.aheadMs);
  }
}

describe('an instance whose clock differs from the database clock', () => {
  const clock = new MachineClock();
  const today = new Date().toISOString().slice(0, 10);
  const playWell = () => bank.play((request) => ({ body: accountsOf(userOf(request), today, 1) }));
  let instance: TestApp;
  beforeAll(async () => {
    playWell();
    apiClock.set(new Date().toISOString());
    clock.aheadMs = -8_000;
    instance = await startTestApp({ ...LOCAL_PROVIDER, CLOCK_CHECK: 'on' }, clock, api.database);
  });
  afterAll(() => instance.stop());

  const ready = () => send(`${instance.url}/health/ready`);
  const heal = async () => {
    clock.aheadMs = 0;
    await instance.app.get(ClockCheck).check();
  };
  const connect = async (user: string) => {
    const client = await createClient(api);
    const wish = { provider: 'us_provider', setup_token: bank.setupToken(user), history_days: 30 };
    const { body } = await client.post('/api/v1/connections', wish);
    return { client, connection: body.id as string, sync: body.latest_sync_id as string };
  };

  it('an instance with a wrong clock is not ready, refuses writes and starts no sync, but serves reads and sign-ins', async () => {
    const sentence = "The clock of this machine is 8 s behind the database's: set the time with NTP.";
    const { client, connection, sync } = await connect('queued');
    const account = { email: 'anna@example.com', password: 'correct horse' };
    await new Visitor(api.url).signUp(account.email, account.password);

    const here = new TestClient(instance.url, client.userId, client.key);
    for (const { status, headers, body } of [await ready(), await syncNow(here, connection)]) {
      expect([status, headers.get('retry-after'), body.error, body.message]).toEqual([
        503,
        '10',
        'unavailable',
        sentence,
      ]);
    }
    const visitor = new Visitor(instance.url);
    expect(await visitor.signUp('ben@example.com')).toMatchObject({
      status: 503,
      text: expect.stringContaining(sentence),
    });
    expect((await visitor.submit('/sign-in', account)).headers.get('location')).toBe('/');
    expect((await visitor.get('/')).status).toBe(200);
    expect((await here.get(`/api/v1/syncs/${sync}`)).body).toMatchObject({ status: 'queued', attempts: 0 });

    await heal();
    expect((await ready()).status).toBe(200);
    expect(await ended(here, sync)).toMatchObject({ status: 'succeeded' });
  });

  it('an instance whose clock is 100 days ahead ends no session, locks nobody out for longer and uses keys at the right time', async () => {
    await heal();
    const account = { email: 'cora@example.com', password: 'correct horse' };
    const elsewhere = new Visitor(api.url);
    await elsewhere.signUp(account.email, account.password);
    const client = await createClient(api);
    clock.aheadMs = 100 * DAY_MS;
    await instance.app.get(ClockCheck).check();

    const visitor = new Visitor(instance.url);
    expect((await visitor.submit('/sign-in', account)).headers.get('location')).toBe('/');
    for (const each of [elsewhere, visitor]) expect((await each.get('/')).status).toBe(200);

    for (let attempt = 0; attempt < 10; attempt++) await visitor.post('/sign-in', { ...account, password: 'wrong' });
    const locked = await new Visitor(api.url).submit('/sign-in', account);
    expect(locked.status).toBe(429);
    expect(Number(locked.headers.get('retry-after'))).toBeLessThan(1_000);

    await new TestClient(instance.url, client.userId, client.key).get('/api/v1/me');
    const [times] = await api.em().execute(
      `select
         (select count(*)::integer from api_keys where last_used_at > now() + interval '5 seconds') as keys,
         (select count(*)::integer from sessions where greatest(last_seen_at, created_at) > now() + interval '5 seconds') as sessions`,
    );
    expect(times).toEqual({ keys: 0, sessions: 0 });
  });

  it('a command on a machine with a wrong clock is refused before it writes', async () => {
    const environment = {
      ...{ DATABASE_URL: api.database.url, APP_SECRET: 'the root secret of the tests', LOG_LEVEL: 'silent' },
      ...{ CLOCK_AHEAD_MS: String(DAY_MS), NODE_OPTIONS: `--import=${MOVED_CLOCK}` },
    };
    const create = ['user:create', '--email', 'late@example.com', '--password', 'correct horse'];
    const both = await Promise.all([create, ['secrets:rotate']].map((args) => run('cli', args, environment)));
    const sentence =
      "The clock of this machine is 86400 s ahead of the database's: set the time with NTP. Until then nothing is written.\n";
    for (const { code, stdout, stderr } of both) {
      expect([code, stdout, stderr.slice(-sentence.length)]).toEqual([1, '', sentence]);
    }
    expect(await api.em().execute(`select id from users where email = 'late@example.com'`)).toEqual([]);
  });

  it('a running sync writes nothing more once the clock is wrong, and is retried when the clock is right', async () => {
    await heal();
    let isAsked: () => void;
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    bank.play(async () => {
      clock.aheadMs = 60_000;
      await instance.app.get(ClockCheck).check();
      isAsked();
      return { body: accountsOf('running', today, 1) };
    });
    const { client, sync } = await connect('running');
    await asked;
    await until(async () => {
      const [job] = await api.em().execute(`select state from pgboss.job where data ->> 'runId' = ?`, [sync]);
      return job?.state === 'retry' || null;
    }, 'the sync has stopped');
    expect((await client.get('/api/v1/accounts')).body.accounts).toEqual([]);
    playWell();
    await heal();
    expect(await ended(client, sync)).toMatchObject({ status: 'succeeded' });
  });
});
