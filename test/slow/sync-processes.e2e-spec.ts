import { accountsOf, userOf } from '../support/instant-bank.js';
import type { ScriptedAnswer } from '../support/scripted-server.js';
import { WorkerFleet } from '../support/worker-fleet.js';

const ACCOUNTS = 4;
const CONNECTIONS = 200;
/** The fleet itself sees when nothing happens any more. */
const TIMEOUT_MS = 1_200_000;
const EVERY_SECOND = '* * * * * *';

/** In the middle of writing an account, of a connection that is not left undisturbed. */
const STORING = ['insert on accounts', `new.name = 'Account 2' and new.external_id not like 'undisturbed%'`] as const;

describe('worker processes that share one database', () => {
  let fleet: WorkerFleet;

  beforeEach(async () => {
    fleet = await WorkerFleet.create(ACCOUNTS);
  });
  afterEach(() => fleet.stop());

  /** The bank does not answer a user yet. @returns what waits until the user has asked, and what lets the bank answer */
  function muteFor(user: string) {
    let [ask, speak] = [() => {}, () => {}];
    const asked = new Promise<void>((resolve) => (ask = resolve));
    const spoken = new Promise<void>((resolve) => (speak = resolve));
    fleet.bank.play(async (request): Promise<ScriptedAnswer> => {
      if (userOf(request) === user) {
        ask();
        await spoken;
      }
      return { body: accountsOf(userOf(request), fleet.today, ACCOUNTS) };
    });
    return { asked, speak: () => speak() };
  }

  it(
    'several worker processes sync each of 200 connections exactly once per tick',
    async () => {
      const names = Array.from({ length: CONNECTIONS }, (_, index) => `user${index}`);
      fleet.bank.play((request) => ({ body: accountsOf(userOf(request), fleet.today, 1) }));
      await fleet.connect(...names);
      for (let process = 0; process < 3; process++) fleet.startWorker('*/2 * * * * *');
      await fleet.succeeded(CONNECTIONS);
      // By now many ticks have passed. Those that become due again are synced once more, and only those.
      await fleet.execute(`update connections set next_sync_at = null where name like 'user1_'`);
      await fleet.succeeded(CONNECTIONS + 10);
      const kinds = (await fleet.runs()).map(({ status, attempt, trigger }) => `${status} ${attempt} ${trigger}`);
      expect([kinds.length, new Set(kinds)]).toEqual([CONNECTIONS + 10, new Set(['succeeded 1 schedule'])]);
      // A sync asks twice: for balances and for transactions.
      for (const name of names) expect([name, fleet.bank.asked(name)]).toEqual([name, /^user1.$/.test(name) ? 4 : 2]);
      expect([(await fleet.stored()).length, new Set(await fleet.stored()).size]).toEqual([CONNECTIONS, 1]);
    },
    TIMEOUT_MS,
  );

  it(
    'the syncs of a killed and of a frozen worker are resumed without a lost or duplicate row',
    async () => {
      await fleet.connect('undisturbed');
      const killed = fleet.startWorker(EVERY_SECOND, 4);
      await fleet.succeeded(1);
      const [stored] = await fleet.stored();
      const { asked, speak } = muteFor('fetching');
      const connectionOf = (run: string) => `(select name from connections where id = ${run})`;
      const open = await fleet.closeGate(
        ['insert on accounts', `new.external_id in ('storing-2', 'freezing-2')`],
        ['insert on transactions', `new.external_id = 'booking-1-3'`],
        ['update on sync_runs', `new.status = 'succeeded' and ${connectionOf('new.connection_id')} = 'ending'`],
      );
      await fleet.connect('fetching', 'storing', 'booking', 'ending');
      await Promise.all([asked, fleet.heldUp(3)]);
      const frozen = fleet.startWorker(EVERY_SECOND);
      await fleet.connect('freezing');
      await fleet.heldUp(4);
      const heir = fleet.startWorker('off');
      await heir.line(/listening/);

      killed.child.kill('SIGKILL');
      frozen.child.kill('SIGSTOP');
      await killed.finished;
      await open();
      speak();
      await fleet.succeeded(6);
      frozen.child.kill('SIGCONT');
      frozen.child.kill('SIGTERM');
      expect((await frozen.finished).stderr).toMatch(/"Sync stopped: /);

      expect(await fleet.stored()).toEqual(Array(6).fill(stored));
      const runs = await fleet.runs();
      expect(runs.map(({ name, attempt }) => `${name} ${attempt}`)).toEqual([
        ...['booking 2', 'ending 2', 'fetching 2', 'freezing 2', 'storing 2', 'undisturbed 1'],
      ]);
      expect(new Set(runs.map(({ figures }) => figures)).size).toBe(1);
      heir.child.kill('SIGTERM');
      const { code, stderr } = await heir.finished;
      expect(code).toBe(0);
      for (const { id, attempt } of runs.filter(({ attempt }) => attempt > 1)) {
        expect(stderr).toMatch(new RegExp(`"sync":"${id}".*Sync succeeded.*attempt ${attempt}`));
      }
    },
    TIMEOUT_MS,
  );

  it(
    'a worker writes no partial data at SIGTERM under load, and the next start finishes its syncs',
    async () => {
      await fleet.connect('undisturbed');
      const worker = fleet.startWorker(EVERY_SECOND);
      await fleet.succeeded(1);
      const [whole = ''] = await fleet.stored();
      const { asked, speak } = muteFor('fetching');
      const open = await fleet.closeGate(STORING);
      await fleet.connect('fetching', 'a', 'b', 'c');
      await Promise.all([asked, fleet.heldUp(3)]);
      worker.child.kill('SIGTERM');
      await open();
      expect((await worker.finished).code).toBe(0);
      speak();
      const statuses = (await fleet.runs()).map(({ name, status }) => `${name} ${status}`);
      expect(statuses).toEqual(['a queued', 'b queued', 'c queued', 'fetching queued', 'undisturbed succeeded']);
      for (const part of await fleet.stored()) {
        expect(whole.split('; ')).toEqual(expect.arrayContaining(part.split('; ')));
      }
      fleet.startWorker('off');
      await fleet.succeeded(5);
      expect(await fleet.stored()).toEqual(Array(5).fill(whole));
    },
    TIMEOUT_MS,
  );
});
