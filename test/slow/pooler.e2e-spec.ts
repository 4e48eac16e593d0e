import pg from 'pg';
import { ApiKeysService } from '../../src/auth/api-keys.service.js';
import type { DatabaseAddress } from '../../src/database/address.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp } from '../support/app.js';
import { createEmptyDatabase, createTestDatabase, onServer, type TestDatabase } from '../support/database.js';
import { type InstantBank, startInstantBank } from '../support/instant-bank.js';
import { OF_THIS_DATABASE } from '../support/lock-wait.js';
import { HAS_PGBOUNCER, startPgBouncer } from '../support/pgbouncer.js';
import { run, start } from '../support/run-process.js';
import { synced, until } from '../support/syncs.js';

const TODAY = '2026-03-15';
const APP_SECRET = 'a root secret for the tests of poolers';

if (!HAS_PGBOUNCER) console.warn('PgBouncer is not installed (apt-get install pgbouncer): poolers are not tested.');
const describeWithPooler = HAS_PGBOUNCER ? describe : describe.skip;

describeWithPooler('service behind PgBouncer', () => {
  let bank: InstantBank;

  beforeAll(async () => {
    bank = await startInstantBank(TODAY);
  });
  afterAll(() => bank.server.stop());

  /** @returns the variables that lead through it */
  async function through(database: TestDatabase, mode: 'session' | 'transaction') {
    // In session mode each session of an instance is one of the server.
    const pooler = await startPgBouncer(database, mode, mode === 'session' ? 60 : 3);
    afterThisTest(() => pooler.stop());
    return mode === 'session'
      ? { DATABASE_URL: pooler.url }
      : { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url };
  }

  async function startBehind(database: TestDatabase, mode: 'session' | 'transaction'): Promise<TestApp> {
    const environment = await through(database, mode);
    const address: DatabaseAddress = {
      clientUrl: environment.DATABASE_URL,
      ...(environment.DATABASE_DIRECT_URL && { directUrl: environment.DATABASE_DIRECT_URL }),
    };
    const more = { ...environment, ...LOCAL_PROVIDER, APP_SECRET };
    const app = await startTestApp(more, undefined, { ...database, address });
    afterThisTest(() => app.stop());
    return app;
  }

  async function testDatabase(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    afterThisTest(database.drop);
    return database;
  }

  describe.each(['session', 'transaction'] as const)('in %s mode', (mode) => {
    it('several instances migrate an empty database through PgBouncer at once and leave no lock', async () => {
      const database = await createEmptyDatabase();
      afterThisTest(database.drop);
      const environment = { ...(await through(database, mode)), APP_SECRET, PORT: '0', SYNC_CRON: 'off' };
      const instances = [1, 2, 3].map(() => start('main', [], environment));
      afterThisTest(async () => {
        for (const { child } of instances) child.kill('SIGTERM');
        await Promise.all(instances.map(({ finished }) => finished));
      });
      await Promise.all(instances.map((instance) => instance.line(/listening on/)));
      const server = new pg.Client(database.url);
      await server.connect();
      afterThisTest(() => server.end());
      const { rows } = await server.query(
        `select count(*)::integer as count from pg_locks where locktype = 'advisory' and objid = 7302771 and ${OF_THIS_DATABASE}`,
      );
      expect(rows).toEqual([{ count: 0 }]);
      const create = ['user:create', '--email', 'ann@example.com', '--password', 'correct horse'];
      expect(await run('cli', create, environment)).toMatchObject({ code: 0 });
    });

    it('two instances behind PgBouncer sync, list, export and notify each other in a database with German dates', async () => {
      const database = await testDatabase();
      await onServer(
        `do $$ begin execute format('alter database %I set datestyle to ''German''', current_database()); end $$`,
        database.url,
      );
      const first = await startBehind(database, mode);
      const second = await startBehind(database, mode);
      const client = await createClient(first);
      const { body } = await client.post('/api/v1/connections', {
        ...{ provider: 'us_provider', setup_token: bank.setupToken('ann'), history_days: 365 },
      });
      expect(await synced(client, body.id)).toMatchObject({ status: 'succeeded' });
      const lists = ['/api/v1/balances', '/api/v1/accounts', '/api/v1/transactions', '/api/v1/net_worth?currency=USD'];
      const answers = await Promise.all(Array.from({ length: 60 }, (_, index) => client.get(lists[index % 4]!)));
      expect([...new Set(answers.map(({ status }) => status))]).toEqual([200]);
      const csv = await client.get('/api/v1/balances', { Accept: 'text/csv' });
      expect(csv.body.trim().split('\n')).toHaveLength(answers[0]!.body.pagination.total_count + 1);
      // The other instance remembers the key, and forgets it when it hears that it is revoked.
      const onSecond = () => fetch(`${second.url}/api/v1/me`, { headers: { 'X-Api-Key': client.key } });
      expect((await onSecond()).status).toBe(200);
      const keys = first.app.get(ApiKeysService);
      const [key] = await keys.list(client.userId);
      await keys.revoke(key!.id, client.userId);
      await until(async () => ((await onSecond()).status === 401 ? true : null), 'revoked on the other instance');
    });

    it('the timeout of a statement in a transaction applies through PgBouncer and not to other users', async () => {
      const database = await testDatabase();
      const { em } = await startBehind(database, mode);
      const limit = async (query: (text: string) => Promise<{ limit: string }[]>) =>
        (await query(`select current_setting('statement_timeout') as "limit"`))[0]!.limit;
      await em().transactional(async (em) => {
        expect(await limit((text) => em.execute(text))).not.toBe('0');
      });
      const client = new pg.Client(database.url);
      await client.connect();
      afterThisTest(() => client.end());
      const { rows } = await client.query<{ limit: string }>(`select current_setting('statement_timeout') as "limit"`);
      if (mode === 'transaction') expect(await limit((text) => em().execute(text))).toBe(rows[0]!.limit);
    });
  });

  it.each(['transaction', 'statement'] as const)(
    'a start behind a pooler in %s mode without DATABASE_DIRECT_URL is refused with a sentence',
    async (mode) => {
      const database = await testDatabase();
      const pooler = await startPgBouncer(database, mode, 3);
      afterThisTest(() => pooler.stop());
      const environment = { DATABASE_URL: pooler.url, APP_SECRET, PORT: '0', SYNC_CRON: 'off' };
      const { code, stderr } = await run('main', [], environment);
      expect([code, stderr.trim()]).toEqual([
        78,
        'DATABASE_URL leads to a pooler that shares sessions between transactions: ' +
          'set DATABASE_DIRECT_URL to the server itself, too.',
      ]);
    },
  );
});
