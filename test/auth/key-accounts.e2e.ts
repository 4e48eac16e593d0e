import { isInstalled } from '../support/installed.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ApiKeysService, MAX_KEY_ACCOUNTS } from '../../src/auth/api-keys.service.js';
import { isAccountScope, type Scope, SCOPES } from '../../src/auth/scopes.js';
import { noteChanges } from '../../src/database/change-log/note-changes.js';
import type { Connection } from '../../src/sync/connections/connection.entity.js';
import { MergeAccountsService } from '../../src/sync/ingest/merge/merge-accounts.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, send, startTestApp, type TestApp, TestClient } from '../support/app.js';
import { guardChanges } from '../support/change-guard.js';
import { Copy, KINDS, listed } from '../support/copy.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../support/factories.js';

const UUIDS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const ACCOUNT_SCOPES = SCOPES.filter(isAccountScope);
const ACCOUNT_KINDS = KINDS.filter((kind) => kind !== 'connections' && kind !== 'syncs');
const HOLDING = {
  ...{ externalId: 'H', symbol: 'VT', name: 'World', quantity: '3', price: '100', valueMinor: 30_000, currency: 'USD' },
  ...{ costBasisMinor: null, cashEquivalent: false },
};
/** Idempotency keys within a day: of one such API key, and of all others of the person. */
const LIMITED_KEYS = 500;
const ALL_KEYS = 5_000;

interface Operation {
  parameters?: { name?: string; in?: string; $ref?: string }[];
}

describe('an API key that is limited to accounts', () => {
  let tidemark: TestApp;
  let everything: TestClient;
  let connection: Connection;
  let own: string;
  let foreign: string;
  let limited: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp({ RATE_LIMIT_PER_MINUTE: '0' });
    await guardChanges(tidemark);
  });
  afterAll(() => tidemark.stop());

  /** A person with two accounts that both have every kind of record, and a key that is limited to the first. */
  async function enter(): Promise<void> {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    everything = await createClient(tidemark);
    connection = await createConnection(tidemark, everything.userId);
    for (const name of ['Household', 'Private']) await write(name);
    own = await idOf('Household');
    foreign = await idOf('Private');
    // One that was restated: it has revisions.
    for (const name of ['Household', 'Private']) {
      tidemark.clock.set('2026-03-15T13:00:00Z');
      await write(name, [transaction('2026-03-02', -1_300, { externalId: `late ${name}` })]);
    }
    limited = await clientFor([own]);
  }

  async function write(name: string, more = [] as ReturnType<typeof transaction>[]): Promise<void> {
    const transactions = [
      transaction('2026-03-10', -500, { externalId: `posted ${name}`, description: `Shop of ${name}` }),
      transaction('2026-03-14', -700, { externalId: `hold ${name}`, pending: true, description: `Hold of ${name}` }),
      ...more,
    ];
    const holdings = { status: 'available' as const, items: [HOLDING], total: null };
    const account = { externalId: name, name, balance: balance(99_000) };
    await writeSnapshot(tidemark, connection, snapshotAccount({ ...account, transactions, holdings }));
  }
  async function idOf(name: string): Promise<string> {
    const { body } = await everything.get('/api/v1/accounts');
    return (body.accounts as { id: string; name: string }[]).find((account) => account.name === name)!.id;
  }
  async function clientFor(accountIds: string[], scopes: Scope[] = ACCOUNT_SCOPES): Promise<TestClient> {
    const wanted = { name: 'limited', scopes, accountIds, expiresAt: null };
    const { key } = await tidemark.app.get(ApiKeysService).create(everything.userId, wanted);
    return new TestClient(tidemark.url, everything.userId, key);
  }
  /** Every id that a record of an account has, and the account's own. */
  async function idsOf(accountId: string): Promise<string[]> {
    const ids = [accountId];
    for (const kind of ['balances', 'transactions', 'holdings']) {
      const { body } = await everything.get(`/api/v1/${kind}?per_page=100&account_id=${accountId}`);
      ids.push(...(body[kind] as { id?: string }[]).flatMap(({ id }) => id ?? []));
    }
    return ids;
  }
  const everyRecord = async () =>
    Object.fromEntries(await Promise.all(KINDS.map(async (kind) => [kind, await listed(everything, kind)])));

  describe('that reads', () => {
    beforeAll(enter);

    it('a key limited to accounts learns of no other account by any route of the document, and changes none', async () => {
      const secrets = [...(await idsOf(foreign)), 'Private'];
      const before = await everyRecord();
      // The account, a balance, and of transactions and holdings the last.
      const someOf = (ids: string[]) => [...ids.slice(0, 2), ...ids.slice(-2)];
      const ids = [...someOf(await idsOf(own)), ...someOf(await idsOf(foreign)), connection.id];
      const types = ['application/json', 'text/csv', 'application/x-ndjson'];
      const { body } = await send(`${tidemark.url}/openapi.json`);
      // Another member would be refused for itself.
      const bodyOf = (path: string) => (/merge|keep_separate/.test(path) ? { account_id: foreign } : { name: 'Taken' });
      const tellsOwn = new Set<string>();
      const found: unknown[] = [];
      for (const [path, operations] of Object.entries(body.paths as Record<string, Record<string, Operation>>)) {
        for (const [method, { parameters = [] }] of Object.entries(operations)) {
          if (path.endsWith('rotate_key')) continue;
          const isFiltered = parameters.some(({ name, $ref }) => `${name ?? $ref}`.endsWith('account_id'));
          const queries = isFiltered ? ['', `?account_id=${foreign}`, `?account_id=${foreign},${own}`] : [''];
          for (const id of path.includes('{') ? ids : ['']) {
            for (const query of path.includes('{') ? [''] : queries) {
              for (const accept of method === 'get' ? (id === '' ? types : types.slice(0, 1)) : ['*/*']) {
                // What is changed is in the path, or in the body; of both, one is another's.
                const isWrite = method !== 'get';
                if (isWrite && !secrets.includes(id) && id !== '') continue;
                const address = path.replace(/\{\w+\}/g, id) + query;
                const answer = await fetch(tidemark.url + address, {
                  method: method.toUpperCase(),
                  headers: { 'X-Api-Key': limited.key, 'Content-Type': 'application/json', Accept: accept },
                  ...(isWrite && method !== 'delete' && { body: JSON.stringify(bodyOf(path)) }),
                });
                const text = await answer.text();
                const told = secrets.filter((secret) => text.includes(secret) && !address.includes(secret));
                const isDone = isWrite && answer.status < 400;
                if (told.length > 0 || isDone) found.push({ method, address, accept, status: answer.status, told });
                if (answer.status === 200 && text.includes(own)) tellsOwn.add(path);
              }
            }
          }
        }
      }
      expect(found).toEqual([]);
      expect(await everyRecord()).toEqual(before);
      expect([...tellsOwn].sort()).toEqual([
        ...['/api/v1/accounts', '/api/v1/accounts/{id}', '/api/v1/accounts/{id}/reconciliation', '/api/v1/balances'],
        ...['/api/v1/balances/{id}', '/api/v1/changes', '/api/v1/holdings', '/api/v1/me', '/api/v1/net_worth'],
        ...['/api/v1/net_worth/changes', '/api/v1/transactions', '/api/v1/transactions/{id}'],
      ]);
    });

    it('a key limited to accounts lists as if it had asked for its accounts only', async () => {
      const queries = [
        ...['balances', 'transactions', 'holdings', 'accounts'].map((list) => `${list}?per_page=100`),
        ...['balances?per_page=2&page=2', 'balances?as_of=2026-03-15T12:30:00Z', 'net_worth?granularity=week'],
        ...['net_worth/changes', 'net_worth/changes?start_date=2026-03-01'],
        ...['balances?cursor=first', 'transactions?cursor=first&per_page=1', 'holdings?date=2026-03-15'],
      ];
      for (const query of queries) {
        const asked = `/api/v1/${query}${query.includes('?') ? '&' : '?'}account_id=${own}`;
        const expected = (await everything.get(asked)).body;
        expect([query, (await limited.get(`/api/v1/${query}`)).body]).toEqual([query, expected]);
        expect([query, (await limited.get(asked.replace(own, `${foreign},${own.toUpperCase()}`))).body]).not.toEqual(
          [],
        );
      }
      const worth = (await limited.get('/api/v1/net_worth')).body;
      const both = (await everything.get('/api/v1/net_worth')).body;
      expect(worth.net_worth.at(-1).net_worth_cents * 2).toBe(both.net_worth.at(-1).net_worth_cents);
      const none = (await limited.get(`/api/v1/balances?account_id=${foreign}`)).body;
      expect(none).toMatchObject({ balances: [], pagination: { total_count: 0 } });
    });

    it('a key limited to accounts reads its lists by cursor', async () => {
      const days: string[] = [];
      for (let cursor: string | null = 'first'; cursor;) {
        const { body }: { body: { balances: { date: string }[]; next_cursor: string | null } } = await limited.get(
          `/api/v1/balances?per_page=3&cursor=${cursor}`,
        );
        days.push(...body.balances.map(({ date }) => date));
        cursor = body.next_cursor;
      }
      const { body } = await everything.get(`/api/v1/balances?per_page=100&account_id=${own}`);
      expect(days).toEqual(body.balances.map(({ date }: { date: string }) => date));
    });

    it.each(['account_id=x', 'account_id[]=x', `account_id[0]=${'0'.repeat(8)}`, 'account_id=a&account_id=b'])(
      'is refused %s as every key is',
      async (query) => {
        for (const client of [everything, limited]) {
          expect((await client.get(`/api/v1/transactions?${query}`)).status).toBe(422);
        }
      },
    );

    it('a key limited to accounts reads single records of its accounts only', async () => {
      for (const [accountId, status] of [
        [own, 200],
        [own.toUpperCase(), 200],
        [foreign, 404],
      ] as const) {
        const records = await idsOf(accountId.toLowerCase());
        expect((await limited.get(`/api/v1/accounts/${accountId}`)).status).toBe(status);
        expect((await limited.get(`/api/v1/accounts/${accountId}/reconciliation`)).status).toBe(status);
        for (const id of records.slice(1, 3)) {
          expect((await limited.get(`/api/v1/balances/${id}`)).status).toBe(status);
          expect((await limited.get(`/api/v1/balances/${id}/revisions`)).status).toBe(status);
        }
        const { body } = await everything.get(`/api/v1/transactions?account_id=${accountId}`);
        expect((await limited.get(`/api/v1/transactions/${body.transactions[0].id}`)).status).toBe(status);
      }
    });

    it('a key limited to accounts gets other entity tags than a key of everything', async () => {
      const path = '/api/v1/accounts';
      const [one, other] = [await everything.get(path), await limited.get(path)];
      expect(one.headers.get('etag')).not.toBe(other.headers.get('etag'));
      const again = await limited.get(path, { 'If-None-Match': other.headers.get('etag')! });
      expect(again.status).toBe(304);
      expect((await limited.get(path, { 'If-None-Match': one.headers.get('etag')! })).status).toBe(200);
    });

    (isInstalled('mcp') ? it : it.skip)('a key limited to accounts gives an assistant its accounts only', async () => {
      const mcp = new Client({ name: 'test', version: '1' });
      const requestInit = { headers: { 'X-Api-Key': limited.key } };
      await mcp.connect(new StreamableHTTPClientTransport(new URL(`${tidemark.url}/mcp`), { requestInit }));
      afterThisTest(() => mcp.close());
      const { tools } = await mcp.listTools();
      expect(tools.map(({ name }) => name)).not.toContain('list_connections');
      for (const { name } of tools) {
        for (const given of [{}, { account_id: `${own},${foreign}` }]) {
          const { content, isError } = await mcp.callTool({ name, arguments: given });
          const text = JSON.stringify(content);
          expect([name, isError ?? false, text.includes(foreign), text.includes('Private')]).toEqual([
            ...[name, false, false, false],
          ]);
        }
      }
    });

    it('a key limited to accounts must have scopes of accounts only, and at least one account', async () => {
      for (const scope of SCOPES.filter((scope) => !isAccountScope(scope))) {
        await expect(clientFor([own], ['balances:read', scope])).rejects.toThrow();
      }
      await expect(clientFor([])).rejects.toThrow();
      await expect(clientFor(Array.from({ length: MAX_KEY_ACCOUNTS + 1 }, () => own))).rejects.toThrow();
    });
  });

  describe('whose accounts or keys change', () => {
    beforeEach(enter);

    it('a key limited to accounts edits its accounts, and no other', async () => {
      expect((await limited.patch(`/api/v1/accounts/${own}`, { name: 'Ours' })).body.name).toBe('Ours');
      expect((await limited.patch(`/api/v1/accounts/${foreign}`, { name: 'Ours' })).status).toBe(404);
      expect((await limited.delete(`/api/v1/accounts/${foreign}`)).status).toBe(404);
      for (const route of ['merge', 'keep_separate']) {
        expect((await limited.post(`/api/v1/accounts/${own}/${route}`, { account_id: foreign })).status).toBe(404);
        expect((await limited.post(`/api/v1/accounts/${foreign}/${route}`, { account_id: own })).status).toBe(404);
        expect((await limited.post(`/api/v1/accounts/${own}/${route}`, { account_id: 7 })).status).toBe(422);
      }
      expect((await limited.delete(`/api/v1/accounts/${own}`)).status).toBe(204);
    });

    it('a key limited to accounts follows them by the change feed, whatever happens to the others', async () => {
      const types = `&types=${ACCOUNT_KINDS.join(',')}`;
      const copy = new Copy(limited, types);
      const isTheLists = async () => {
        await copy.catchUp(() => 2);
        for (const kind of ACCOUNT_KINDS) {
          expect([kind, copy.sorted(kind)]).toEqual([kind, await listed(limited, kind)]);
        }
      };
      await isTheLists();
      tidemark.clock.set('2026-03-16T12:00:00Z');
      await write('Private', [transaction('2026-03-15', -77)]);
      await isTheLists();
      await write('Household', [transaction('2026-03-15', -78)]);
      await isTheLists();
      const { body: patched } = await everything.patch(`/api/v1/connections/${connection.id}`, {
        include_pending: false,
      });
      expect(patched.include_pending).toBe(false);
      const { body } = await limited.get(`/api/v1/changes?cursor=${copy.cursor}`);
      const shown = [...(await idsOf(own)), ...copy.sorted('transactions').join().match(UUIDS)!];
      expect(
        JSON.stringify(body.changes)
          .match(UUIDS)!
          .filter((id) => !shown.includes(id) && id !== connection.id),
      ).toEqual([]);
      await isTheLists();
      expect(copy.sorted('transactions').join()).not.toContain('Hold of');
      expect((await everything.delete(`/api/v1/accounts/${foreign}`)).status).toBe(204);
      await isTheLists();
      expect((await everything.delete(`/api/v1/accounts/${own}`)).status).toBe(204);
      await isTheLists();
      expect(ACCOUNT_KINDS.flatMap((kind) => copy.records[kind])).toEqual([]);
    });

    it('a key whose accounts are deleted sees nothing, also of later accounts', async () => {
      await everything.delete(`/api/v1/accounts/${own}`);
      await write('Third');
      for (const list of ['accounts', 'balances', 'transactions', 'holdings'] as const) {
        expect((await limited.get(`/api/v1/${list}`)).body[list]).toEqual([]);
      }
      expect((await limited.get('/api/v1/net_worth')).body).toMatchObject({ net_worth: [], warnings: [] });
      expect((await limited.get('/api/v1/me')).body.key.account_ids).toEqual([own]);
    });

    it('a key keeps an account that another is merged into, and does not follow one that is merged away', async () => {
      await tidemark.em().transactional((em) => {
        noteChanges(everything.userId, { kind: 'accounts', ids: [own] }, { kind: 'connections' });
        return em.execute(`update accounts set status = 'missing' where user_id = ? and id = ?`, [
          everything.userId,
          own,
        ]);
      });
      const ofOther = await clientFor([foreign]);
      const copies = [new Copy(limited), new Copy(ofOther)];
      for (const copy of copies) await copy.catchUp();
      // The log has it by its id, under the account that is merged away.
      await write('Private', [transaction('2026-03-13', -77)]);
      const pair = { disconnectedId: own, replacementId: foreign };
      await tidemark.app.get(MergeAccountsService).merge(everything.userId, [pair], '2026-03-15');
      for (const copy of copies) await copy.catchUp();
      for (const kind of ACCOUNT_KINDS) {
        expect([kind, copies[0]!.sorted(kind)]).toEqual([kind, await listed(everything, kind)]);
        expect([kind, copies[1]!.sorted(kind)]).toEqual([kind, []]);
      }
      expect((await ofOther.get('/api/v1/accounts')).body.accounts).toEqual([]);
    });

    it('a key limited to accounts stays limited when it is rotated, and is none to versions that do not know such keys', async () => {
      expect(limited.key).toMatch(/^tma_/);
      const { status, body } = await limited.post('/api/v1/me/rotate_key', { overlap_hours: 1 });
      expect([status, body.key.account_ids]).toEqual([201, [own]]);
      expect(body.secret).toMatch(/^tma_/);
      for (const key of [limited.key, body.secret]) {
        const { body } = await new TestClient(tidemark.url, everything.userId, key).get('/api/v1/accounts');
        expect(body.accounts.map(({ id }: { id: string }) => id)).toEqual([own]);
      }
    });

    const rotate = (client: TestClient, hours: number, text: string) =>
      send(`${tidemark.url}/api/v1/me/rotate_key`, {
        method: 'POST',
        headers: { 'X-Api-Key': client.key, 'Content-Type': 'application/json', 'Idempotency-Key': text },
        body: JSON.stringify({ overlap_hours: hours }),
      });

    it('a key limited to accounts shares no Idempotency-Key with other keys', async () => {
      const another = await clientFor([own]);
      expect((await rotate(everything, 5, 'same')).status).toBe(201);
      expect((await rotate(limited, 5, 'same')).status).toBe(201);
      const again = await rotate(limited, 5, 'same');
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect((await rotate(another, 5, 'taken')).status).toBe(201);
      expect((await rotate(everything, 6, 'taken')).status).not.toBe(422);
    });

    it('a key limited to accounts may use 500 Idempotency-Keys a day, which leave the room of other keys', async () => {
      const [key] = (await tidemark.app.get(ApiKeysService).list(everything.userId)).filter(
        ({ accountIds }) => accountIds,
      );
      const use = (count: number, before: string) =>
        tidemark.em().execute(
          `insert into idempotency_keys (user_id, key, fingerprint, holder, leased_until, expires_at)
           select ?, ? || 'key-' || n, '', gen_random_uuid(), ?, ? from generate_series(1, ?) n`,
          [everything.userId, before, tidemark.clock.now(), new Date(tidemark.clock.now().getTime() + 90_000), count],
        );
      await use(LIMITED_KEYS, `${key!.id} `);
      const refused = await rotate(limited, 5, 'one-more');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '90']);
      // More than it can have, for what an earlier version has let it store.
      await use(ALL_KEYS, `${key!.id} earlier-`);
      expect((await rotate(everything, 5, 'one-more')).status).toBe(201);
      await use(ALL_KEYS, '');
      expect((await rotate(await clientFor([own]), 5, 'one-more')).status).toBe(201);
    });
  });
});
