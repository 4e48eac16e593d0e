import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { readConfig } from '../../src/platform/config/config.js';
import type { DatabaseAddress } from '../../src/database/address.js';
import { DatabaseListener } from '../../src/database/listener.js';
import { migrate } from '../../src/database/migrate.js';
import { MODULES } from '../../src/modules.js';
import { ormOptions } from '../../src/database/orm-options.js';
import { withCopySession, withPlainSession } from '../../src/database/plain-session.js';
import { PlainPool } from '../../src/database/plain-pool.js';
import { DatabasePools } from '../../src/database/sessions/session-pool.js';
import { ClockCheck } from '../../src/database/clock-check.service.js';
import { JobQueue } from '../../src/sync/jobs/job-queue.js';
import { CorrectedClock, SystemClock } from '../../src/platform/time/clock.js';
import { DrainService } from '../../src/http/drain.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestApp } from '../support/app.js';
import { RunFolder } from '../drills/harness/run-folder.js';
import { createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { run, waitFor } from '../support/run-process.js';
import { startTlsPostgres, type TlsPostgres } from '../support/tls-postgres.js';

const CONFIG = readConfig([], [], {}, {});
const SETTINGS = CONFIG.database;

/** Everything that opens sessions, each by one statement in one. */
const OPENERS: Readonly<Record<string, (address: DatabaseAddress) => Promise<unknown>>> = {
  entities: (address) => inPool(address),
  'plain session': (address) => withPlainSession(address, SETTINGS, (session) => session.query('select 1')),
  'prepared statements': async (address) => {
    const prepared = new PlainPool(address, CONFIG);
    await prepared.query({ name: 'one', text: 'select 1' }, []).finally(() => prepared.onApplicationShutdown());
  },
  'job queue': async (address) => {
    const clock = new ClockCheck(CONFIG, new PlainPool(address, CONFIG), new CorrectedClock(new SystemClock()));
    const queue = new JobQueue(CONFIG, clock, new DrainService(), address, new DatabaseListener(address, CONFIG));
    await queue.addQueue('any', {}).finally(() => queue.beforeApplicationShutdown());
  },
  COPY: (address) => withCopySession(address, SETTINGS, (session) => session.query('select 1')),
  migrations: (address) => migrate(address, SETTINGS, { modules: MODULES }),
};

async function inPool(address: DatabaseAddress): Promise<void> {
  const orm = await MikroORM.init(ormOptions(address, SETTINGS));
  await orm.em.execute('select 1').finally(() => orm.close(true));
}

describe('database server that accepts only TLS', () => {
  const folder = RunFolder.create();
  let tls: TlsPostgres;

  beforeAll(async () => {
    tls = await startTlsPostgres(join(folder.path, 'tls'));
    await migrate({ clientUrl: tls.server.url }, SETTINGS, { modules: MODULES });
  });
  afterAll(async () => {
    await tls.server.close();
    folder.close();
  });

  const verified = () => tls.urlOf(`sslmode=verify-full&sslrootcert=${tls.authority}`);

  describe.each(Object.entries(OPENERS))('%s', (_, open) => {
    const code = async (url: string) => open({ clientUrl: url }).then(() => 'opened', reasonOf);

    it('a session to a server that accepts only TLS opens if its certificate is trusted', async () => {
      expect(await code(verified())).toBe('opened');
      expect(await code(tls.urlOf(`sslmode=require&sslrootcert=${tls.authority}`))).toBe('opened');
      expect(await code(tls.urlOf('sslmode=require&uselibpqcompat=true'))).toBe('opened');
    });

    it('a session to a server with an untrusted certificate is refused in every sslmode', async () => {
      for (const mode of ['require', 'verify-ca', 'verify-full']) {
        const untrusted = await code(tls.urlOf(`sslmode=${mode}`));
        expect([mode, untrusted]).toEqual([mode, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
        const others = await code(tls.urlOf(`sslmode=${mode}&sslrootcert=${tls.stranger}`));
        expect([mode, others]).toEqual([mode, 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
        const renamed = await code(tls.urlOf(`sslmode=${mode}&sslrootcert=${tls.authority}`, '127.0.0.1'));
        expect([mode, renamed]).toEqual([mode, 'ERR_TLS_CERT_ALTNAME_INVALID']);
      }
    });

    it('a session without TLS is refused by a server that accepts only TLS', async () => {
      expect(await code(tls.urlOf(''))).toBe('28000');
      expect(await code(tls.urlOf('sslmode=disable'))).toBe('28000');
    });
  });

  it('a service that syncs, lists and listens opens only TLS sessions', async () => {
    const address = { clientUrl: verified(), directUrl: verified() };
    const app = await startTestApp({}, undefined, { address, url: verified(), drop: () => Promise.resolve() });
    afterThisTest(app.stop);
    const ann = await createClient(app);
    await writeSnapshot(app, await createConnection(app, ann.userId), snapshotAccount());
    for (const list of ['accounts', 'balances', 'transactions']) {
      expect(await ann.get(`/api/v1/${list}`)).toMatchObject({ status: 200 });
    }
    await waitFor(() => app.app.get(DatabaseListener).isListening, 'listening');
    const pools = app.app.get(DatabasePools).usage();
    expect(pools.filter(({ used, idle }) => used + idle > 0).map(({ pool }) => pool)).toEqual(
      expect.arrayContaining(['entities', 'plain']),
    );
    const { rows } = await (
      await tls.server.connect()
    ).query<{ ssl: boolean; sessions: number }>(`
      select ssl, count(*)::integer as sessions from pg_stat_activity join pg_stat_ssl using (pid)
      where client_port <> -1 group by ssl`);
    expect(rows).toEqual([{ ssl: true, sessions: expect.any(Number) }]);
  });

  it('a database that accepts only TLS is used by commands, which name what is wrong', async () => {
    const rotate = (url: string) =>
      run('cli', ['secrets:rotate'], { DATABASE_URL: url, APP_SECRET: 'a root secret for the tests of TLS' });
    expect(await rotate(verified())).toMatchObject({ code: 0 });
    expect(await rotate(tls.urlOf(`sslmode=require&sslrootcert=${tls.authority}`))).toMatchObject({ code: 0 });
    expect(await rotate(tls.urlOf('sslmode=require'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('its certificate is not trusted; name the file of its authority by sslrootcert='),
    });
  });
});

/** The code of the error or of its cause. Those of Node.js are of another realm than Jest's. */
function reasonOf(error: { code?: string; message: string; cause?: never }): string {
  return error.code ?? (error.cause ? reasonOf(error.cause) : error.message);
}
