import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { MODULES } from '../../src/modules.js';
import { readConfig } from '../../src/platform/config/config.js';
import { StartupError } from '../../src/platform/config/startup-error.js';
import { migrate } from '../../src/database/migrate.js';
import { withPlainSession } from '../../src/database/plain-session.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, startTestApp, TestClient } from '../support/app.js';
import { createEmptyDatabase, onServer, type TestDatabase } from '../support/database.js';
import { type InstantBank, startInstantBank } from '../support/instant-bank.js';
import { synced } from '../support/syncs.js';

const TODAY = '2026-03-15';
const { database: settings } = readConfig([], [], {}, {});

/** A database and its user, who owns nothing and may only connect. */
interface Place extends TestDatabase {
  database: string;
  name: string;
  /** Its name as SQL writes it. */
  user: string;
  /** As the superuser, in this database. */
  administer: (statement: string) => Promise<void>;
}

async function createPlace(locale = ''): Promise<Place> {
  const { url, drop } = await createEmptyDatabase(locale);
  const database = pg.escapeIdentifier(new URL(url.replace(/@[^/]*/, '@server')).pathname.slice(1));
  const name = `Person-${randomUUID()}`;
  const user = pg.escapeIdentifier(name);
  await onServer(`create role ${user} login password 'x'`);
  afterThisTest(() => onServer(`drop role ${user}`));
  afterThisTest(drop);
  const own = url.replace(/\/\/[^@/]*@/, `//${name}:x@`);
  return {
    database,
    name,
    user,
    address: { clientUrl: own },
    url: own,
    drop,
    administer: (text) => onServer(text, url),
  };
}

describe('databases with other settings', () => {
  let bank: InstantBank;

  beforeAll(async () => {
    bank = await startInstantBank(TODAY);
  });
  afterAll(() => bank.server.stop());

  it.each<[string, string, (place: Place) => string]>([
    [
      'German dates, and a search path that names another schema',
      '',
      ({ database, user }) => `
        grant create on database ${database} to ${user};
        create schema "Finance-1" authorization ${user};
        alter role ${user} set search_path to "Finance-1";
        alter database ${database} set datestyle to 'German'`,
    ],
    [
      'dates of SQL, the time of Kolkata, and a schema named like the user',
      '',
      ({ database, user }) => `
        alter database ${database} owner to ${user};
        create schema authorization ${user};
        alter database ${database} set datestyle to 'SQL, DMY';
        alter database ${database} set timezone to 'Asia/Kolkata'`,
    ],
    [
      'dates and intervals in other styles, escaped bytes, and a German collation',
      `encoding 'UTF8' locale_provider icu icu_locale 'de-AT' lc_collate 'C' lc_ctype 'C'`,
      ({ database, user }) => `
        alter database ${database} owner to ${user};
        alter role ${user} set datestyle to 'Postgres, MDY';
        alter role ${user} set intervalstyle to 'iso_8601';
        alter role ${user} set bytea_output to 'escape'`,
    ],
    [
      'a user whose strings have escapes, and who waits for no lock and no next statement',
      '',
      ({ database, user }) => `
        alter database ${database} owner to ${user};
        alter role ${user} set standard_conforming_strings to off;
        alter role ${user} set lock_timeout to '1ms';
        alter role ${user} set idle_in_transaction_session_timeout to '1ms'`,
    ],
  ])('a database with %s is migrated, synced, listed and restarted', async (_, locale, setUp) => {
    const place = await createPlace(locale);
    await place.administer(setUp(place));
    await migrate(place.address, settings, { modules: MODULES });
    const first = await startTestApp(LOCAL_PROVIDER, undefined, place);
    afterThisTest(first.stop);
    const { userId, key } = await createClient(first);
    const listed = async (url: string) => {
      const client = new TestClient(url, userId, key);
      const lists = ['connections', 'accounts', 'transactions', 'balances', 'changes', 'syncs'];
      return Promise.all(lists.map(async (list) => (await client.get(`/api/v1/${list}`)).body));
    };
    const client = new TestClient(first.url, userId, key);
    const { body, status } = await client.post('/api/v1/connections', {
      ...{ provider: 'us_provider', setup_token: bank.setupToken('ann'), history_days: 365 },
    });
    expect(status).toBe(201);
    expect(await synced(client, body.id)).toMatchObject({ status: 'succeeded' });
    const before = await listed(first.url);
    expect(before[2].transactions[0].date).toBe('2026-03-14');
    await first.stop();
    await migrate(place.address, settings, { modules: MODULES });
    const second = await startTestApp(LOCAL_PROVIDER, undefined, place);
    afterThisTest(second.stop);
    expect(await listed(second.url)).toEqual(before);
  });
});

describe('a start with a limited database user', () => {
  async function relationsOf({ address }: Place): Promise<string[]> {
    return withPlainSession(address, settings, async (session) => {
      const { rows } = await session.query<{ name: string }>(`
        select n.nspname || '.' || coalesce(relname, '') as name
        from pg_namespace n left join pg_class c on c.relnamespace = n.oid order by 1`);
      return rows.map(({ name }) => name);
    });
  }

  async function expectRefused(place: Place, sentence: string): Promise<void> {
    const before = await relationsOf(place);
    await expect(migrate(place.address, settings, { modules: MODULES })).rejects.toEqual(new StartupError(sentence));
    expect(await relationsOf(place)).toEqual(before);
  }

  it('a start names the missing grants of its database user, changes nothing, and works once they are given', async () => {
    const place = await createPlace();
    const { database, name, user } = place;
    await place.administer('revoke create on schema public from public');
    const grants = `grant create on database ${database} to ${user}; grant create on schema "public" to ${user}`;
    await expectRefused(
      place,
      `The user ${name} may not create tables: run \`${grants}\` as the owner of the database or a superuser.`,
    );
    await place.administer(grants);
    await migrate(place.address, settings, { modules: MODULES });
    const { stop } = await startTestApp({}, undefined, place);
    await stop();
    // What is complete needs no more rights.
    await place.administer(grants.replaceAll('grant', 'revoke').replaceAll(' to ', ' from '));
    await migrate(place.address, settings, { modules: MODULES });
  });

  it('a start without a schema in the search path says how to make one', async () => {
    const place = await createPlace();
    const { database, name, user } = place;
    await place.administer(`alter role ${user} in database ${database} set search_path to finance`);
    const remedy =
      `create schema authorization ${user}; alter role ${user} in database ${database} set search_path to ${user}; ` +
      `grant create on database ${database} to ${user}`;
    await expectRefused(
      place,
      `The search path of the user ${name} leads to no schema: run \`${remedy}\` as the owner of the database or a superuser.`,
    );
    await place.administer(remedy);
    await migrate(place.address, settings, { modules: MODULES });
  });

  it('a start names the defaults of its database user with which it cannot work, and works once they are set', async () => {
    const place = await createPlace();
    const { database, name, user } = place;
    await place.administer(`
      alter database ${database} owner to ${user};
      alter role ${user} set default_transaction_isolation to serializable;
      alter role ${user} set statement_timeout to '50ms'`);
    const set = `alter role ${user} in database ${database} set`;
    const remedy = `${set} default_transaction_isolation to 'read committed'; ${set} statement_timeout to '0'`;
    await expectRefused(
      place,
      `Sessions of the user ${name} begin with default_transaction_isolation = serializable and ` +
        'statement_timeout = 50: ' +
        `run \`${remedy}\` as the owner of the database or a superuser.`,
    );
    await place.administer(remedy);
    await migrate(place.address, settings, { modules: MODULES });
  });

  it('a start is refused if the schema of the job queue belongs to somebody else, and works once it is given over', async () => {
    const place = await createPlace();
    const { database, name, user } = place;
    await place.administer(`alter database ${database} owner to ${user}; create schema pgboss`);
    const remedy = `alter schema "pgboss" owner to ${user}`;
    await expectRefused(
      place,
      `The schema pgboss of the job queue does not belong to the user ${name}: ` +
        `run \`${remedy}\` as the owner of the database or a superuser.`,
    );
    await place.administer(remedy);
    await migrate(place.address, settings, { modules: MODULES });
  });

  it('a start is refused if a schema made later would hide the tables', async () => {
    const place = await createPlace();
    const { database, name, user } = place;
    await place.administer(`alter database ${database} owner to ${user}`);
    await migrate(place.address, settings, { modules: MODULES });
    await place.administer(`create schema authorization ${user}`);
    const remedy = `alter role ${user} in database ${database} set search_path to "public"`;
    await expectRefused(
      place,
      `The tables are in the schema public, and the search path of the user ${name} leads to ${name}: ` +
        `run \`${remedy}\` as the owner of the database or a superuser.`,
    );
    await place.administer(remedy);
    await migrate(place.address, settings, { modules: MODULES });
  });
});
