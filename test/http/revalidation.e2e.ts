import type { OpenAPIObject, SchemaObject } from '@nestjs/swagger';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { type DocumentedOperation, operationsOf } from '../../src/web/openapi/document-types.js';
import { responsesOf } from '../support/responses-of.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { isInstalled } from '../support/installed.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';
import { noteEverything } from '../support/noted.js';

type Change = (test: TestApp, connection: Connection) => Promise<unknown>;

/** Runs SQL with the person and the connection at hand as `given`. */
const sql =
  (text: string): Change =>
  async (test, { userId, id }) => {
    const given = 'with given as (select ?::uuid as user_id, ?::uuid as connection_id)';
    await test.em().execute(`${given} ${text}`, [userId, id]);
    await noteEverything(test, userId);
  };
const clock =
  (text: string): Change =>
  ({ clock }) =>
    Promise.resolve(clock.set(text));
const newAccount: Change = (test, connection) => writeSnapshot(test, connection, snapshotAccount());

const CONNECTION = 'from given where c.user_id = given.user_id and c.id = given.connection_id';
const RUN = `from given where r.user_id = given.user_id and r.status in ('queued', 'running')`;
const queue = `
  insert into sync_runs (user_id, id, connection_id, trigger, status, step, queued_at)
  select user_id, gen_random_uuid(), connection_id, 'person', 'queued', 'waiting', '2026-03-15T12:00:00Z' from given`;
const problem = JSON.stringify([{ kind: 'network', message: 'No answer.', accountId: null, accountExternalId: null }]);

/** In this order, one after the other: what happens, and whose list it changes. */
const CHANGES: [string, Change, ('connections' | 'syncs')[]][] = [
  ['a name', sql(`update connections c set name = 'Mine' ${CONNECTION}`), ['connections']],
  ['pending switched off', sql(`update connections c set include_pending = false ${CONNECTION}`), ['connections']],
  ['fewer days', sql(`update connections c set history_days = 90 ${CONNECTION}`), ['connections']],
  ['a server version', sql(`update connections c set server_versions = '{1.0}' ${CONNECTION}`), ['connections']],
  ['a next sync', sql(`update connections c set next_sync_at = '2026-03-15T18:00Z' ${CONNECTION}`), ['connections']],
  ['a sync queued', sql(queue), ['connections', 'syncs']],
  ['a sync under way', sql(`update sync_runs r set status = 'running', step = 'asking' ${RUN}`), ['syncs']],
  ['its progress', sql(`update sync_runs r set accounts_total = 6, accounts_done = 2 ${RUN}`), ['syncs']],
  [
    'its failure',
    sql(`update sync_runs r set status = 'failed', problems = '${problem}' ${RUN}`),
    ['connections', 'syncs'],
  ],
  ['a request sent', sql(`insert into provider_requests select *, '2026-03-15T12:00Z' from given`), ['connections']],
  ['the hour before it counts no more', clock('2026-03-16T11:59:59Z'), []],
  ['the moment it counts no more', clock('2026-03-16T12:00:01Z'), ['connections']],
  ['data come in', sql(`update connections c set last_synced_at = '2026-03-16T12:00Z' ${CONNECTION}`), ['connections']],
  ['a new account', newAccount, ['connections']],
  ['an account gone', sql(`update accounts set status = 'missing' from given`), ['connections']],
  ['a minute later', clock('2026-03-16T12:01:00Z'), []],
  ['one that looks like it', newAccount, ['connections']],
  [
    'the two kept apart',
    sql(`insert into accounts_kept_apart
      select gone.user_id, gone.id, here.id from accounts gone join accounts here using (user_id)
      where gone.status = 'missing' and here.status = 'active'`),
    ['connections'],
  ],
  ['three days later', clock('2026-03-19T23:59:00Z'), ['connections']],
  ['midnight in Greenwich', clock('2026-03-20T00:01:00Z'), []],
  [
    'a person needed',
    sql(`update connections c set status = 'attention_required', status_reason = 'Look.' ${CONNECTION}`),
    ['connections'],
  ],
  [
    'a connection removed',
    sql(`delete from connections c using given where c.id = connection_id`),
    ['connections', 'syncs'],
  ],
];

describe('revalidated answers', () => {
  let tidemark: TestApp;

  beforeAll(async () => {
    tidemark = await startTestApp();
  });
  afterAll(() => tidemark.stop());

  describe('a list that was read before', () => {
    let client: TestClient;
    let accountId: string;
    let houseId: string;
    const account = snapshotAccount({ balance: balance(5_000), transactions: [transaction('2026-03-10', 1_000)] });

    beforeAll(async () => {
      client = await createClient(tidemark);
      const connection = await createConnection(tidemark, client.userId);
      accountId = (await writeSnapshot(tidemark, connection, account)).accountId;
      const house = { name: 'House', account_type: 'property', currency: 'USD' };
      houseId = (await client.post('/api/v1/accounts', house)).body.id;
    });

    const tagOf = async (path: string) => (await client.get(path)).headers.get('etag') ?? '';
    const again = (path: string, tag: string, headers = {}) => client.get(path, { 'If-None-Match': tag, ...headers });

    it.each(['balances', 'accounts', 'transactions', 'holdings', 'connections', 'syncs'])(
      'a conditional GET of %s is 304 without a body while nothing changed, and 200 after any change',
      async (resource) => {
        const path = `/api/v1/${resource}?per_page=2`;
        const tag = await tagOf(path);
        expect(tag).toMatch(/^W\/"/);
        const unchanged = await again(path, `"other", ${tag}`);
        expect([unchanged.status, unchanged.body]).toEqual([304, '']);
        expect(unchanged.headers.get('etag')).toBe(tag);
        expect(unchanged.headers.get('cache-control')).toBe('private, no-cache');
        await noteEverything(tidemark, client.userId);
        const changed = await again(path, tag);
        expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false]);
      },
    );

    const LISTS: [string, string, (accountId: string, houseId: string) => string][] = [
      ['balances', 'balances', () => 'balances'],
      ['balances as CSV', 'balances', () => 'balances'],
      ['accounts', 'accounts', () => 'accounts'],
      ['transactions', 'transactions', () => 'transactions'],
      ['holdings', 'holdings', () => 'holdings'],
      ['net worth', 'balances', () => 'net_worth'],
      ['what was reconciled', 'observations', (id) => `accounts/${id}/reconciliation`],
      ['stated balances', 'stated_balances', (id) => `accounts/${id}/statements`],
      ['values', 'stated_balances', (_, id) => `accounts/${id}/values`],
      ['connections', 'connections', () => 'connections'],
      ['syncs', 'sync_runs', () => 'syncs'],
      ...(isInstalled('imports') ? [['imports', 'imports', () => 'imports'] as [string, string, () => string]] : []),
    ];

    it.each(LISTS)('a conditional GET of %s runs no list query', async (name, table, resource) => {
      const headers = { Accept: name.endsWith('CSV') ? 'text/csv' : 'application/json' };
      const path = `/api/v1/${resource(accountId, houseId)}`;
      const tag = (await client.get(path, headers)).headers.get('etag') ?? '';
      const connection = tidemark.em().getConnection();
      await connection.execute(`alter table ${table} rename to hidden`);
      try {
        expect((await again(path, tag, headers)).status).toBe(304);
        expect((await client.get(path, headers)).status).toBe(500);
      } finally {
        await connection.execute(`alter table hidden rename to ${table}`);
      }
    });

    it('every list supports conditional GET', async () => {
      const document = (await client.get('/openapi.json')).body as OpenAPIObject;
      const schemaOf = ({ operation }: DocumentedOperation) => {
        const { content = {} } = responsesOf(operation, document)['200']!;
        const { $ref = '' } = (content['application/json']?.schema ?? {}) as { $ref?: string };
        return (document.components!.schemas![$ref.split('/').at(-1)!] ?? {}) as SchemaObject;
      };
      // The change log is about records that clients copy, not about what was done and sent.
      const unlogged = ['/api/v1/audit_events', '/api/v1/webhooks', '/api/v1/webhooks/{id}/deliveries'];
      const paged = operationsOf(document)
        .filter((each) => each.method === 'get' && 'pagination' in (schemaOf(each).properties ?? {}))
        .filter(({ path }) => !unlogged.includes(path));
      // There is no import whose rows could be read.
      const known = [
        ...LISTS.map(([, , resource]) => `/api/v1/${resource('{id}', '{id}')}`),
        '/api/v1/imports/{id}/rows',
      ];
      expect(paged.map(({ path }) => path).filter((path) => !known.includes(path))).toEqual([]);
      for (const { path, operation } of paged) expect([path, '304' in operation.responses]).toEqual([path, true]);
    });

    it('the entity tag of a list differs by query, user and, where the list moves with it, by day', async () => {
      const path = '/api/v1/balances';
      const [tag, tagOfDay] = [await tagOf(path), await tagOf('/api/v1/accounts')];
      expect(await tagOf(`${path}?page=1`)).not.toBe(tag);
      const stranger = await createClient(tidemark);
      expect((await stranger.get(path, { 'If-None-Match': tag })).status).toBe(200);
      tidemark.clock.set('2026-03-16T00:00:00Z');
      expect((await again(path, tag)).status).toBe(304);
      expect((await again('/api/v1/accounts', tagOfDay)).status).toBe(200);
    });

    it('If-None-Match: * gets 304, but an invalid parameter still gets 422 without an entity tag', async () => {
      expect((await again('/api/v1/balances', '*')).status).toBe(304);
      const bad = await again('/api/v1/balances?page[]=1', '*');
      expect([bad.status, bad.headers.get('etag')]).toEqual([422, null]);
    });

    it('a CSV export with If-None-Match: * keeps no cursor open', async () => {
      for (let i = 0; i < 8; i++)
        expect((await again('/api/v1/balances', '*', { Accept: 'text/csv' })).status).toBe(304);
    });
  });

  describe('the lists of connections and syncs', () => {
    let client: TestClient;
    let connection: Connection;

    beforeAll(async () => {
      tidemark.clock.set('2026-03-15T12:00:00Z');
      // Its days are not those of UTC, in which staleness is counted.
      client = await createClient(tidemark, { timeZone: 'Asia/Tokyo' });
      connection = await createConnection(tidemark, client.userId);
    });

    const LISTS = ['connections', 'syncs'] as const;
    const read = async (list: string) => {
      const { headers, body } = await client.get(`/api/v1/${list}`);
      return { tag: headers.get('etag') ?? '', text: JSON.stringify(body) };
    };

    it('have a new tag whenever they have changed, whatever changed them', async () => {
      for (const [what, change, changed] of CHANGES) {
        const before = await Promise.all(LISTS.map(read));
        await change(tidemark, connection);
        for (const [index, list] of LISTS.entries()) {
          const { status } = await client.get(`/api/v1/${list}`, { 'If-None-Match': before[index]!.tag });
          const hasChanged = (await read(list)).text !== before[index]!.text;
          expect([what, list, hasChanged]).toEqual([what, list, changed.includes(list)]);
          if (hasChanged) expect([what, list, status]).toEqual([what, list, 200]);
        }
      }
    });

    it('keep their tag while nothing happens, also when the clock goes on', async () => {
      for (const list of LISTS) {
        tidemark.clock.set('2026-03-20T10:00:00Z');
        const { tag } = await read(list);
        tidemark.clock.set('2026-03-20T14:59:59Z');
        expect((await client.get(`/api/v1/${list}`, { 'If-None-Match': tag })).status).toBe(304);
      }
    });
  });
});
