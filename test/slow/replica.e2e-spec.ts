import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Connection } from '../../src/connections/connection.entity.js';
import { readConfig } from '../../src/config/config.js';
import { migrate } from '../../src/database/migrate.js';
import type { Check } from '../../src/doctor/check.js';
import { checkReplica } from '../../src/doctor/check-database.js';
import { MetricsService } from '../../src/observability/metrics/metrics.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp, type TestApp, TestClient } from '../support/app.js';
import { DrillPostgres } from '../drills/harness/postgres.js';
import { RunFolder } from '../drills/harness/run-folder.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { until } from '../support/syncs.js';

const TODAY = '2026-03-15';
const JSON_LISTS = [
  '/api/v1/accounts',
  '/api/v1/transactions',
  '/api/v1/transactions?search=shop&sort=date',
  '/api/v1/transactions?cursor=first',
  '/api/v1/holdings',
  '/api/v1/balances',
  '/api/v1/balances?currency=USD&per_page=3&page=2',
  '/api/v1/balances?cursor=first',
];
const EXPORTS = ['/api/v1/transactions', '/api/v1/balances', '/api/v1/balances?sort=date'];
const RESULTS = ['replica', 'behind', 'busy', 'away', 'failed'] as const;

type Counts = Partial<Record<(typeof RESULTS)[number], number>>;

// They look at processes by way of /proc.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('with a replica', () => {
  const folder = RunFolder.create();
  let primary: DrillPostgres;
  let standby: DrillPostgres;
  let tidemark: TestApp;
  let ann: TestClient;
  let bank: Connection;

  beforeAll(async () => {
    primary = await DrillPostgres.start(join(folder.path, 'primary'), 200);
    await migrate({ clientUrl: primary.url }, readConfig([], {}, {}).database);
    standby = await primary.startStandby(join(folder.path, 'standby'));
    tidemark = await startWith(standby);
    ann = await createClient(tidemark);
    bank = await createConnection(tidemark, ann.userId);
    await write('Everyday');
  });
  afterAll(async () => {
    await tidemark.stop();
    await primary.close();
    await standby.close();
    folder.close();
  });

  function startWith(replica: DrillPostgres | null, environment: NodeJS.ProcessEnv = {}): Promise<TestApp> {
    const address = { clientUrl: primary.url, ...(replica && { replicaUrl: replica.url }) };
    return startTestApp(environment, undefined, { address, url: primary.url, drop: () => Promise.resolve() });
  }

  /** One more instance, until the end of the test. */
  async function instance(replica: DrillPostgres | null, environment: NodeJS.ProcessEnv = {}): Promise<TestApp> {
    const app = await startWith(replica, environment);
    afterThisTest(app.stop);
    return app;
  }

  /** The same person there. */
  const at = ({ url }: TestApp) => new TestClient(url, ann.userId, ann.key);

  async function write(name: string): Promise<void> {
    const security = { symbol: 'ABC', name: 'ABC Fund', currency: 'USD', cashEquivalent: false };
    const position = {
      externalId: randomUUID(),
      quantity: '2',
      price: '5.00',
      valueMinor: 1_000,
      costBasisMinor: null,
    };
    const account = snapshotAccount({
      name,
      balance: balance(123_456),
      transactions: [transaction('2026-03-02', -1_234), transaction(TODAY, -50, { pending: true })],
      holdings: { status: 'available', items: [{ ...security, ...position }], total: null },
    });
    await writeSnapshot(tidemark, bank, account);
  }

  /** What became of the reads since the last call. */
  async function countsOf({ app }: TestApp): Promise<Record<(typeof RESULTS)[number], number>> {
    const { text } = await app.get(MetricsService).read();
    const count = (result: string) =>
      Number(new RegExp(`^tidemark_replica_reads_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(text)![1]);
    return Object.fromEntries(RESULTS.map((result) => [result, count(result)])) as Record<
      (typeof RESULTS)[number],
      number
    >;
  }

  /** What became of the reads of some work. */
  async function counted(app: TestApp, work: () => Promise<unknown>): Promise<Counts> {
    const before = await countsOf(app);
    await work();
    const after = await countsOf(app);
    return Object.fromEntries(
      RESULTS.flatMap((result) => (after[result] > before[result] ? [[result, after[result] - before[result]]] : [])),
    );
  }

  const nameOf = async (client: TestClient) => (await client.get('/api/v1/accounts')).body.accounts.at(0).name;

  async function rename(client: TestClient, name: string): Promise<void> {
    const { body } = await client.get('/api/v1/accounts');
    expect(await client.patch(`/api/v1/accounts/${body.accounts[0].id}`, { name })).toMatchObject({ status: 200 });
  }

  it('lists and exports are read from it once it has caught up, and say the same as without one', async () => {
    await primary.followedBy(standby);
    const plain = at(await instance(null));
    for (const path of JSON_LISTS) {
      const expected = await plain.get(path);
      expect(expected.body.pagination.total_count).toBeGreaterThan(0);
      let answer;
      expect([path, await counted(tidemark, async () => (answer = await ann.get(path)))]).toEqual([
        path,
        { replica: 1 },
      ]);
      expect(answer).toMatchObject({ status: 200, body: expected.body });
    }
    for (const path of EXPORTS) {
      for (const Accept of ['text/csv', 'application/x-ndjson']) {
        const { body } = await plain.get(path, { Accept });
        let answer;
        const counts = await counted(tidemark, async () => (answer = await ann.get(path, { Accept })));
        expect([path, counts]).toEqual([path, { replica: 1 }]);
        expect(answer).toMatchObject({ status: 200, body });
      }
    }
  });

  it('a list that has not changed is read nowhere', async () => {
    await primary.followedBy(standby);
    const { headers } = await ann.get('/api/v1/transactions');
    const again = () => ann.get('/api/v1/transactions', { 'If-None-Match': headers.get('etag')! });
    expect(await counted(tidemark, async () => expect((await again()).status).toBe(304))).toEqual({});
  });

  it('a person sees their own change at once while it lags, at every instance; who changed nothing is read there', async () => {
    const other = await createClient(tidemark);
    await writeSnapshot(tidemark, await createConnection(tidemark, other.userId), snapshotAccount());
    await primary.followedBy(standby);
    const second = await instance(standby);
    await standby.pauseReplay();
    try {
      await rename(ann, 'Renamed');
      expect(await counted(tidemark, async () => expect(await nameOf(ann)).toBe('Renamed'))).toEqual({ behind: 1 });
      expect(await counted(second, async () => expect(await nameOf(at(second))).toBe('Renamed'))).toEqual({
        behind: 1,
      });
      const csv = () => at(second).get('/api/v1/transactions', { Accept: 'text/csv' });
      expect(await counted(second, async () => expect((await csv()).body).toMatch('Renamed'))).toEqual({ behind: 1 });
      expect(await counted(second, () => at(second).get('/api/v1/balances'))).toEqual({ behind: 1 });
      expect(await counted(tidemark, () => other.get('/api/v1/accounts'))).toEqual({ replica: 1 });
    } finally {
      await standby.resumeReplay();
    }
    await primary.followedBy(standby);
    expect(await counted(second, async () => expect(await nameOf(at(second))).toBe('Renamed'))).toEqual({ replica: 1 });
  });

  it('a read that it cancels is read from the primary, and the next one from it again', async () => {
    const impatient = await instance(standby, { DATABASE_LOCK_TIMEOUT_MS: '200' });
    await primary.followedBy(standby);
    const { holdings } = (await ann.get('/api/v1/holdings')).body;
    const client = await primary.connect();
    await client.query('begin');
    await client.query('lock table holdings in access exclusive mode');
    await primary.followedBy(standby);
    await standby.pauseReplay();
    try {
      // The standby still has the lock.
      await client.query('rollback');
      const read = async () => expect((await at(impatient).get('/api/v1/holdings')).body.holdings).toEqual(holdings);
      expect(await counted(impatient, read)).toEqual({ failed: 1 });
      expect(await counted(impatient, () => at(impatient).get('/api/v1/accounts'))).toEqual({ replica: 1 });
    } finally {
      await standby.resumeReplay();
    }
  });

  it('one person takes half of its sessions at most, and reads from the primary beyond that', async () => {
    const small = await instance(standby, { DATABASE_REPLICA_POOL_MAX: '4', DATABASE_LOCK_TIMEOUT_MS: '60000' });
    const other = await createClient(small);
    await primary.followedBy(standby);
    const client = await primary.connect();
    await client.query('begin');
    await client.query('lock table holdings in access exclusive mode');
    await primary.followedBy(standby);
    await standby.pauseReplay();
    // The standby still has the lock.
    await client.query('rollback');
    const waiting = [at(small).get('/api/v1/holdings'), at(small).get('/api/v1/holdings')];
    try {
      const watch = await standby.connect();
      const areBlocked = async () =>
        (await watch.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'holdings'`))
          .rowCount === 2;
      await until(async () => ((await areBlocked()) ? true : null), 'two lists wait there');
      expect(await counted(small, () => at(small).get('/api/v1/accounts'))).toEqual({ busy: 1 });
      expect(await counted(small, () => at(small).get('/api/v1/transactions', { Accept: 'text/csv' }))).toEqual({
        busy: 1,
      });
      expect(await counted(small, () => other.get('/api/v1/accounts'))).toEqual({ replica: 1 });
    } finally {
      await standby.resumeReplay();
    }
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    await primary.followedBy(standby);
    expect(await counted(small, () => at(small).get('/api/v1/accounts'))).toEqual({ replica: 1 });
  });

  it('when it is killed nobody notices, and when it is back it is used again', async () => {
    await primary.followedBy(standby);
    await ann.get('/api/v1/accounts');
    await standby.stop('SIGKILL');
    const answers = await Promise.all(JSON_LISTS.map((path) => ann.get(path)));
    expect(answers.map(({ status }) => status)).toEqual(JSON_LISTS.map(() => 200));
    expect(await counted(tidemark, () => ann.get('/api/v1/transactions', { Accept: 'text/csv' }))).toEqual({ away: 1 });
    await standby.startAgain();
    await usedAgain(tidemark);
  });

  it('one that hangs delays a list by no more than the limit for a session, once', async () => {
    const impatient = await instance(standby, { DATABASE_CONNECT_TIMEOUT_MS: '5000' });
    await primary.followedBy(standby);
    expect(await counted(impatient, () => at(impatient).get('/api/v1/accounts'))).toEqual({ replica: 1 });
    standby.freeze();
    try {
      const read = async () => expect((await at(impatient).get('/api/v1/accounts')).status).toBe(200);
      expect(await counted(impatient, read)).toEqual({ away: 1 });
      expect(await counted(impatient, read)).toEqual({ away: 1 });
    } finally {
      standby.thaw();
    }
  });

  it('an instance starts and serves while it is away', async () => {
    await standby.stop('SIGINT');
    const app = await instance(standby);
    expect(await counted(app, async () => expect((await at(app).get('/api/v1/balances')).status).toBe(200))).toEqual({
      away: 1,
    });
    await standby.startAgain();
  });

  it('one that has another database is not read, which nobody notices', async () => {
    const app = await startTestApp({}, undefined, {
      address: { clientUrl: primary.url, replicaUrl: standby.urlOf('postgres') },
      ...{ url: primary.url, drop: () => Promise.resolve() },
    });
    afterThisTest(app.stop);
    expect(await counted(app, async () => expect((await at(app).get('/api/v1/balances')).status).toBe(200))).toEqual({
      away: 1,
    });
  });

  it('a list that its schema is too old for is read from the primary, and the others from it', async () => {
    const app = await instance(standby);
    const client = await primary.connect();
    await client.query('alter table holdings rename column quantity to units');
    await primary.followedBy(standby);
    await standby.pauseReplay();
    try {
      await client.query('alter table holdings rename column units to quantity');
      const read = async () => expect((await at(app).get('/api/v1/holdings')).status).toBe(200);
      expect(await counted(app, read)).toEqual({ failed: 1 });
      expect(await counted(app, () => at(app).get('/api/v1/accounts'))).toEqual({ replica: 1 });
    } finally {
      await standby.resumeReplay();
    }
    await primary.followedBy(standby);
    expect(await counted(app, () => at(app).get('/api/v1/holdings'))).toEqual({ replica: 1 });
  });

  /** What the doctor says of a server as the replica. */
  async function doctor(url: string): Promise<Check> {
    return checkReplica(await primary.connect(), url, readConfig([], {}, {}));
  }

  it('the doctor says that it follows, and what is no replica', async () => {
    expect(await doctor(standby.url)).toMatchObject({
      ...{
        name: 'replica',
        ok: true,
        message: expect.stringMatching(/^It follows the primary, \d+ \w+ behind\.$/),
      },
    });
    const none = { ok: false, message: expect.stringContaining('no replica') };
    expect(await doctor(primary.url)).toMatchObject(none);
    const unusable = { ok: false, message: expect.stringContaining('3D000') };
    expect(await doctor(standby.urlOf('none'))).toMatchObject(unusable);
  });

  // The last one: nothing follows the primary any more.
  it('one that was promoted is not read, nor one that follows another primary and has as many revisions', async () => {
    await primary.followedBy(standby);
    const before = await instance(standby);
    await standby.promote();
    const promoted = await startTestApp({}, undefined, {
      ...{ address: { clientUrl: standby.url }, url: standby.url, drop: () => Promise.resolve() },
    });
    await rename(at(promoted), 'Written there');
    await promoted.stop();
    await rename(ann, 'Written here');
    // Its timeline is another one, so its revisions are far ahead of those that it may have lost.
    expect(Number(await revisionIn(standby))).toBeGreaterThan(1_000_000_000);
    expect(await counted(before, async () => expect(await nameOf(at(before))).toBe('Written here'))).toEqual({
      away: 1,
    });
    const asMany = 'update user_revisions set revision = $1, records_revision = $1, floor = 0 where user_id = $2';
    await (await standby.connect()).query(asMany, [await revisionIn(primary), ann.userId]);
    const follower = await standby.startStandby(join(folder.path, 'follower'));
    await standby.followedBy(follower);
    const misled = await instance(follower);
    expect(await revisionIn(follower)).toBe(await revisionIn(primary));
    expect(await counted(misled, async () => expect(await nameOf(at(misled))).toBe('Written here'))).toEqual({
      behind: 1,
    });
    const stray = { ok: false, message: expect.stringContaining('follows another server') };
    expect(await doctor(follower.url)).toMatchObject(stray);
    await follower.close();
  });

  async function revisionIn(server: DrillPostgres): Promise<string> {
    const text = 'select revision from user_revisions where user_id = $1';
    return (await (await server.connect()).query<{ revision: string }>(text, [ann.userId])).rows[0]!.revision;
  }

  function usedAgain(app: TestApp): Promise<true> {
    return until(async () => {
      const { replica } = await counted(app, () => at(app).get('/api/v1/accounts'));
      return replica === 1 ? true : null;
    }, 'read from the replica again');
  }
});
