import { randomUUID } from 'node:crypto';
import { Migration } from '@mikro-orm/migrations';
import { EntityManager } from '@mikro-orm/postgresql';
import { noteChanges } from '../../src/database/change-log/note-changes.js';
import { pruneChangeLog } from '../../src/database/change-log/prune-change-log.js';
import { Id, Text } from '../../src/http/members.js';
import { readConfig } from '../../src/platform/config/config.js';
import { withPlainSession } from '../../src/database/plain-session.js';
import { checkModuleEvents } from '../../src/operate/doctor/check-database.js';
import { defineModule, type ModuleEvent, type EventHandler } from '../../src/platform/module.js';
import { ModuleEvents } from '../../src/sync/events/module-events.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, startTestAppWith, type TestApp, type TestClient } from '../support/app.js';
import { createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { gate } from '../support/gate.js';
import { until } from '../support/syncs.js';

const heard: Omit<ModuleEvent, 'at'>[] = [];
let refusals = 0;
let onHeard: () => void = () => undefined;

/** Notes each event in a table, and refuses as often as a test wants. */
const hear: EventHandler = async ({ type, userId, accountIds, subjectId }, get) => {
  const event = { type, userId, accountIds, subjectId };
  await get(EntityManager).execute(`insert into heard (user_id, type) values (?, ?)`, [event.userId, event.type]);
  if (refusals > 0) {
    refusals -= 1;
    throw new Error('not now');
  }
  heard.push(event);
  onHeard();
};

class NoteResponse {
  @Id()
  id: string;

  @Text()
  text: string;
}

class Migration20261201000000Listening extends Migration {
  override up(): void {
    this.addSql(`create table heard (user_id uuid not null, type text not null)`);
    this.addSql(`create table notes (user_id uuid not null, id uuid primary key, text text not null)`);
  }
}

const listening = defineModule({
  name: 'listening',
  needs: '^1.0',
  migrations: [Migration20261201000000Listening],
  notExported: ['heard', 'notes'],
  scopes: { 'notes:read': 'See notes.' },
  changes: [
    {
      kind: 'notes',
      scope: 'notes:read',
      table: 'notes',
      response: NoteResponse,
      read: ({ userId }, ids, get) =>
        get(EntityManager).execute(`select id, text from notes where user_id = ? and id::text in (?)`, [
          userId,
          [...ids],
        ]),
    },
  ],
  on: { 'balances.changed': hear, 'account.deleted': hear, 'sync.finished': hear },
});

describe('the version of the kit', () => {
  it('a module for another version of the kit keeps the service from starting', async () => {
    const message =
      'The module listening needs the kit ^2.0, and this is 1.0.0: install a version of the module for it.';
    await expect(startTestAppWith([{ ...listening, needs: '^2.0' }])).rejects.toMatchObject({ message, exitCode: 78 });
  });
});

describe('events of modules', () => {
  let tidemark: TestApp;
  let client: TestClient;
  const settle = () => tidemark.app.get(ModuleEvents, { strict: false }).settle();
  const rowsOf = (userId: string) => tidemark.em().execute(`select type from heard where user_id = ?`, [userId]);
  const write = async () => {
    const connection = await createConnection(tidemark, client.userId);
    const snapshot = snapshotAccount({ transactions: [transaction('2026-03-10', -5_00)] });
    return (await writeSnapshot(tidemark, connection, snapshot)).accountId;
  };

  beforeAll(async () => {
    tidemark = await startTestAppWith([listening], { ROLE: 'api' });
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    client = await createClient(tidemark);
    await settle();
    heard.length = 0;
  });

  it('a module hears of changed balances and of a deleted account in their order, and of nothing twice', async () => {
    const { userId } = client;
    const accountId = await write();
    await settle();
    expect(heard).toEqual([{ type: 'balances.changed', userId, accountIds: [accountId], subjectId: null }]);
    expect((await client.delete(`/api/v1/accounts/${accountId}`)).status).toBe(204);
    await settle();
    await settle();
    expect(heard.slice(1)).toEqual([
      { type: 'account.deleted', userId, accountIds: null, subjectId: accountId },
      { type: 'balances.changed', userId, accountIds: [accountId], subjectId: null },
    ]);
  });

  it('a module hears of the accounts that a connection takes along', async () => {
    const accountId = await write();
    await settle();
    const { connections } = (await client.get('/api/v1/connections')).body;
    expect((await client.delete(`/api/v1/connections/${connections[0].id}?purge=true`)).status).toBe(204);
    await settle();
    expect(heard).toContainEqual({
      type: 'account.deleted',
      userId: client.userId,
      accountIds: null,
      subjectId: accountId,
    });
  });

  it('an event that a module refuses is told again, and what its handler wrote the first time is rolled back', async () => {
    await write();
    refusals = 1;
    await expect(settle()).rejects.toThrow('not now');
    expect(await rowsOf(client.userId)).toEqual([]);
    await settle();
    expect(await rowsOf(client.userId)).toEqual([{ type: 'balances.changed' }]);
  });

  it('a module that was away for longer than the change log reaches back hears once that any balance may differ', async () => {
    await write();
    await pruneChangeLog(tidemark.em(), client.userId, new Date('2100-01-01'));
    await settle();
    expect(heard).toEqual([{ type: 'balances.changed', userId: client.userId, accountIds: null, subjectId: null }]);
  });

  it('a worker tells events by itself, and doctor names a module whose handler fails', async () => {
    const told = gate();
    onHeard = () => told.open();
    const worker = await startTestAppWith([listening], {}, tidemark.database);
    afterThisTest(() => worker.stop());
    const { userId } = client;
    const change = () =>
      worker.em().transactional(() => {
        noteChanges(userId, { kind: 'balances', accountId: userId });
        return Promise.resolve();
      });
    const examine = () =>
      withPlainSession(tidemark.database.address, readConfig([], [], {}, {}).database, checkModuleEvents);
    await change();
    await told.opened;
    expect(heard.map((event) => event.userId)).toEqual([userId]);
    expect(await examine()).toMatchObject([{ ok: true }]);
    refusals = 1;
    await change();
    const problem = await until(async () => (await examine()).find(({ ok }) => !ok) ?? null, 'named by doctor');
    expect(problem.message).toBe('The module listening could not take in what changed for 1 person: not now');
  });

  describe('records of modules in the change feed', () => {
    const note = async (text: string, id = randomUUID()) => {
      await tidemark.em().transactional(async (em) => {
        const put = `insert into notes values (?, ?, ?) on conflict (id) do update set text = excluded.text`;
        await em.execute(put, [client.userId, id, text]);
        noteChanges(client.userId, { kind: 'notes', ids: [id] });
      });
      return id;
    };
    const changes = async (cursor?: string) =>
      (await client.get(`/api/v1/changes?types=notes${cursor ? `&cursor=${cursor}` : ''}`)).body;

    it('the change feed lists what a module has written, changed and deleted', async () => {
      const id = await note('milk');
      const first = await changes();
      expect(first.changes).toEqual([{ type: 'notes', ids: [id], records: [{ id, text: 'milk' }] }]);
      await note('bread', id);
      const second = await changes(first.cursor);
      expect(second.changes).toEqual([{ type: 'notes', ids: [id], records: [{ id, text: 'bread' }] }]);
      await tidemark.em().transactional(async (em) => {
        await em.execute(`delete from notes where id = ?`, [id]);
        noteChanges(client.userId, { kind: 'notes', ids: [id] });
      });
      expect((await changes(second.cursor)).changes).toEqual([{ type: 'notes', ids: [id], records: [] }]);
      expect((await changes()).changes).toEqual([]);
    });

    it('the change feed gives records of a module to keys with its scope only', async () => {
      await note('secret');
      const other = await createClient(tidemark, { scopes: ['accounts:read'] });
      expect((await other.get('/api/v1/changes?types=notes')).status).toBe(403);
      expect((await other.get('/api/v1/changes')).body.changes).toEqual([]);
    });

    it('a change of records of a module gives lists a new ETag', async () => {
      await note('one');
      const tag = async () => (await client.get('/api/v1/accounts')).headers.get('etag');
      const before = await tag();
      await note('two');
      expect(await tag()).not.toBe(before);
    });

    it('a transaction that changes records of a module without noting it fails in the tests of the module', async () => {
      const id = await note('milk');
      const forget = tidemark.em().execute(`update notes set text = 'bread' where id = ?`, [id]);
      await expect(forget).rejects.toThrow('not noted: UPDATE of notes');
    });

    it('a transaction that notes a kind which no descriptor has is refused', async () => {
      const forget = tidemark.em().transactional(() => {
        noteChanges(client.userId, { kind: 'nots', ids: [] });
        return Promise.resolve();
      });
      await expect(forget).rejects.toThrow('No descriptor has the kind nots among its changes.');
    });
  });
});
