import type { OpenAPIObject } from '@nestjs/swagger';
import { type DocumentedOperation, operationsOf, type Schema } from '../src/openapi/document-types.js';
import { responsesOf } from './support/responses-of.js';
import { createClient, startTestApp, type TestApp, type TestClient } from './support/app.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from './support/factories.js';
import { noteEverything } from './support/noted.js';

describe('a list that was read before', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let accountId: string;
  const account = snapshotAccount({ balance: balance(5_000), transactions: [transaction('2026-03-10', 1_000)] });

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    const connection = await createConnection(tidemark, client.userId);
    accountId = (await writeSnapshot(tidemark, connection, account)).accountId;
  });
  afterAll(() => tidemark.stop());

  const tagOf = async (path: string) => (await client.get(path)).headers.get('etag') ?? '';
  const again = (path: string, tag: string, headers = {}) => client.get(path, { 'If-None-Match': tag, ...headers });

  it.each(['balances', 'accounts', 'transactions', 'holdings', 'connections', 'syncs'])(
    'of %s is 304 with no body while nothing changed, and whole again after any change',
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

  const LISTS: [string, string, (accountId: string) => string][] = [
    ['balances', 'balances', () => 'balances'],
    ['balances as CSV', 'balances', () => 'balances'],
    ['accounts', 'accounts', () => 'accounts'],
    ['transactions', 'transactions', () => 'transactions'],
    ['holdings', 'holdings', () => 'holdings'],
    ['net worth', 'balances', () => 'net_worth'],
    ['what was reconciled', 'observations', (id) => `accounts/${id}/reconciliation`],
    ['connections', 'connections', () => 'connections'],
    ['syncs', 'sync_runs', () => 'syncs'],
  ];

  it.each(LISTS)('of %s runs no list query to find that out', async (name, table, resource) => {
    const headers = { Accept: name.endsWith('CSV') ? 'text/csv' : 'application/json' };
    const path = `/api/v1/${resource(accountId)}`;
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

  it('is every list there is', async () => {
    const document = (await client.get('/openapi.json')).body as OpenAPIObject;
    const schemaOf = ({ operation }: DocumentedOperation) => {
      const { content = {} } = responsesOf(operation, document)['200']!;
      const { $ref = '' } = (content['application/json']?.schema ?? {}) as { $ref?: string };
      return (document.components!.schemas![$ref.split('/').at(-1)!] ?? {}) as Schema;
    };
    // The change log is about records that clients copy, not about what was done and sent.
    const unlogged = ['/api/v1/audit_events', '/api/v1/webhooks', '/api/v1/webhooks/{id}/deliveries'];
    const paged = operationsOf(document)
      .filter((each) => each.method === 'get' && 'pagination' in (schemaOf(each).properties ?? {}))
      .filter(({ path }) => !unlogged.includes(path));
    const known = LISTS.map(([, , resource]) => `/api/v1/${resource('{id}')}`);
    expect(paged.map(({ path }) => path).filter((path) => !known.includes(path))).toEqual([]);
    for (const { path, operation } of paged) expect([path, '304' in operation.responses]).toEqual([path, true]);
  });

  it('has another tag for another query, another person and another day', async () => {
    const path = '/api/v1/balances';
    const tag = await tagOf(path);
    expect(await tagOf(`${path}?page=1`)).not.toBe(tag);
    const stranger = await createClient(tidemark);
    expect((await stranger.get(path, { 'If-None-Match': tag })).status).toBe(200);
    tidemark.clock.set('2026-03-16T00:00:00Z');
    expect((await again(path, tag)).status).toBe(200);
  });

  it('is 304 for If-None-Match: *, but a bad parameter is still 422 and carries no tag', async () => {
    expect((await again('/api/v1/balances', '*')).status).toBe(304);
    const bad = await again('/api/v1/balances?page[]=1', '*');
    expect([bad.status, bad.headers.get('etag')]).toEqual([422, null]);
  });

  it('as CSV keeps no cursor open for If-None-Match: *', async () => {
    for (let i = 0; i < 8; i++) expect((await again('/api/v1/balances', '*', { Accept: 'text/csv' })).status).toBe(304);
  });
});
