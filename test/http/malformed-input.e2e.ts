import type { OpenAPIObject, RequestBodyObject, SchemaObject } from '@nestjs/swagger';
import { openApiDocument } from '../../src/web/openapi/document.js';
import { operationsOf, parametersOf, resolve } from '../../src/web/openapi/document-types.js';
import { createClient, send, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { balance, createConnection, snapshotAccount, writeSnapshot } from '../support/factories.js';
import { sessionWaitsForLock } from '../support/lock-wait.js';
import { Visitor } from '../../src/kit/visitor.js';

const NUL = 'a\0b';
const PASSWORD = 'correct horse';

describe('malformed input', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ ROLE: 'api', SIGN_UP: 'open' });
  });
  afterAll(() => test.stop());

  describe('malformed input of the API', () => {
    let client: TestClient;
    let document: OpenAPIObject;
    let ids: Record<string, string>;

    beforeAll(async () => {
      client = await createClient(test);
      document = openApiDocument(test.app);
      const connection = await createConnection(test, client.userId);
      await writeSnapshot(test, connection, snapshotAccount({ balance: balance(5_000) }));
      const { body } = await client.get('/api/v1/accounts');
      ids = { accounts: body.accounts[0].id, connections: connection.id };
    });

    it('each validation issue is listed once, however many checks find it', async () => {
      const changes = await client.get('/api/v1/changes?limit=1e3');
      expect([changes.status, changes.body.errors]).toEqual([422, [expect.stringContaining('limit')]]);
      const account = await client.patch(`/api/v1/accounts/${ids.accounts}`, { name: null });
      expect(account.status).toBe(422);
      expect(new Set(account.body.errors).size).toBe(account.body.errors.length);
    });

    const apiOperations = () => operationsOf(document).filter(({ path }) => path.startsWith('/api/'));
    const unknown = '00000000-0000-4000-8000-000000000000';
    const fill = (path: string) =>
      path.replace(/(\w+)\/\{id\}/, (_, name: string) => `${name}/${ids[name] ?? unknown}`);
    const ask = (method: string, path: string, body?: string) =>
      send(test.url + path, {
        method: method.toUpperCase(),
        headers: { 'X-Api-Key': client.key, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body }),
      });

    const bodyOperations = () =>
      apiOperations().flatMap(({ path, method, operation }) => {
        const schema = (operation.requestBody as RequestBodyObject | undefined)?.content['application/json']?.schema;
        if (!schema) return [];
        const { properties = {}, required = [] } = resolve<SchemaObject>(schema, document);
        return [{ path, method, members: Object.keys(properties), required }];
      });

    it('every query parameter that contains U+0000 is named in the error', async () => {
      let asked = 0;
      for (const { path, method, operation } of apiOperations()) {
        const parameters = parametersOf(operation, document).filter(({ in: place }) => place === 'query');
        const required = parameters.flatMap(({ name, required }) => (required ? [name] : []));
        for (const { name } of parameters) {
          const { status, body } = await ask(method, `${fill(path)}?${name}=a%00b`);
          const [first, ...others] = body.errors as string[];
          expect([path, name, status, first]).toEqual([path, name, 422, expect.stringMatching(`^${name} must not`)]);
          const isOf = (problem: string) => [name, ...required].some((other) => problem.startsWith(`${other} `));
          expect(others.filter((problem) => !isOf(problem))).toEqual([]);
          asked++;
        }
      }
      expect(asked).toBeGreaterThan(20);
    });

    /** Bodies of routes that take none without these members. */
    const NEEDED: [RegExp, object][] = [
      [/merge|keep_separate/, { account_id: unknown }],
      [/post .*statements/, { date: '2026-03-01', balance: '1' }],
      [/put .*values/, { value: '1' }],
      [/patch .*statements/, { prevails: true }],
    ];

    it('an id that contains U+0000 is 404', async () => {
      for (const { path, method } of apiOperations()) {
        if (!path.includes('{id}')) continue;
        for (const id of ['%00', `${unknown}%00`]) {
          const [, needed = {}] = NEEDED.find(([route]) => route.test(`${method} ${path}`)) ?? [];
          const { status, body } = await ask(
            method,
            path.replace('{id}', id),
            method === 'get' ? undefined : JSON.stringify(needed),
          );
          expect([path, method, status, body.error]).toEqual([path, method, 404, 'record_not_found']);
        }
      }
    });

    it.each([
      ['U+0000', NUL],
      ['half of a surrogate pair', 'a\ud800b'],
    ])('every member of a body that contains %s is named in the error', async (_, text) => {
      const operations = bodyOperations();
      expect(operations.length).toBeGreaterThan(4);
      for (const { path, method, members } of operations) {
        for (const name of members) {
          const { status, body } = await ask(method, fill(path), JSON.stringify({ [name]: text }));
          expect([path, name, status, body.message]).toEqual([
            path,
            name,
            422,
            expect.stringMatching(`^${name} must not`),
          ]);
        }
        expect((await ask(method, fill(path), JSON.stringify({ [text]: 1 }))).status).toBe(422);
      }
    });

    it('a body without its required members gets one error for each of them', async () => {
      const asked = bodyOperations().filter(({ required }) => required.length > 0);
      expect(asked.length).toBeGreaterThan(2);
      for (const { path, method, members, required } of asked) {
        const { status, body } = await ask(method, fill(path), '{}');
        // An amount is one of two members, so that the document requires neither.
        const isAmount = (name: string) => members.includes(`${name}_cents`);
        const named = (body.errors as string[]).map((error) => error.split(' ')[0]!).filter((name) => !isAmount(name));
        expect([path, status, named.sort()]).toEqual([path, 422, required.toSorted()]);
      }
    });

    it('a body whose members all have a wrong type is refused with 422', async () => {
      for (const { path, method, members } of bodyOperations()) {
        const wrong = Object.fromEntries(members.map((name) => [name, { wrong: 'type' }]));
        const { status, body } = await ask(method, fill(path), JSON.stringify(wrong));
        expect([path, status, body.error]).toEqual([path, 422, 'validation_failed']);
      }
    });

    it.each([
      ['lists nested thousands deep', '['.repeat(7_000) + ']'.repeat(7_000), 413],
      ['objects nested thousands deep', '{"a":'.repeat(2_500) + '1' + '}'.repeat(2_500), 413],
      ['thousands of values', `[${'1,'.repeat(7_000)}1]`, 413],
      ['lists nested hundreds deep', '['.repeat(900) + ']'.repeat(900), 400],
      ['objects nested hundreds deep', '{"a":'.repeat(900) + '1' + '}'.repeat(900), 400],
    ])('a body with %s is refused', async (_, deep, status) => {
      for (const { path, method, members } of bodyOperations()) {
        for (const body of [`{${JSON.stringify(members[0])}:${deep}}`, `{"unknown":${deep}}`]) {
          const answer = await ask(method, fill(path), body);
          const error = status === 413 ? 'payload_too_large' : 'bad_request';
          expect([path, answer.status, answer.body.error]).toEqual([path, status, error]);
          if (status === 413) expect(answer.body.message).toBe('The body has more than 1,000 values.');
        }
      }
    });

    it('a malformed request without an API key gets 401', async () => {
      const answer = await send(`${test.url}/api/v1/transactions?search=%00`);
      expect(answer.status).toBe(401);
      const narrow = await createClient(test, { scopes: ['accounts:read'] });
      expect((await narrow.get('/api/v1/transactions?search=%00')).status).toBe(403);
      expect((await narrow.get('/api/v1/accounts?page=%00')).status).toBe(422);
    });

    it('a sync request of a connection that is deleted meanwhile is 404', async () => {
      const { id } = await createConnection(test, client.userId);
      // The two sessions are independent, which `transactional` would not allow.
      const deletion = test.em();
      await deletion.begin();
      await deletion.execute('delete from connections where user_id = ? and id = ?', [client.userId, id]);
      const asking = ask('post', `/api/v1/connections/${id}/sync`);
      try {
        await sessionWaitsForLock(test);
      } finally {
        await deletion.commit();
      }
      const answer = await asking;
      expect([answer.status, answer.body]).toEqual([
        404,
        { error: 'record_not_found', message: 'connection not found' },
      ]);
    });
  });

  describe('malformed input of the pages', () => {
    let visitor: Visitor;
    let token: string;
    let connection: string;
    let account: string;

    beforeAll(async () => {
      visitor = new Visitor(test.url);
      await visitor.signUp();
      token = /name="form_token" value="([^"]+)"/.exec((await visitor.get('/')).html)?.[1] ?? '';
      const [user]: { id: string }[] = await test.em().execute(`select id from users where email = 'anna@example.com'`);
      const created = await createConnection(test, user!.id);
      await writeSnapshot(test, created, snapshotAccount({ balance: balance(5_000) }));
      connection = created.id;
      const [row]: { id: string }[] = await test.em().execute('select id from accounts where user_id = ?', [user!.id]);
      account = row!.id;
    });

    it.each([
      ['/sign-in', { email: 'anna@example.com', password: PASSWORD, next: '/' }],
      ['/sign-up', { email: 'eve@example.com', password: PASSWORD, time_zone: 'UTC', invitation: 'x' }],
    ])('U+0000 in each field of %s is refused without a session', async (path, fields: Record<string, string>) => {
      for (const name of Object.keys(fields)) {
        const { status, text } = await new Visitor(test.url).post(path, { ...fields, [name]: NUL });
        expect([name, status]).toEqual([name, 422]);
        expect(text).toContain(`${name} must not contain U+0000`);
      }
    });

    it.each<[string, Record<string, string>]>([
      ['/settings/time-zone', { time_zone: 'UTC' }],
      ['/settings/password', { password: PASSWORD, new_password: PASSWORD }],
      ['/settings/delete', { delete_password: 'wrong' }],
      ['/keys', { name: 'laptop', preset: 'chosen', scopes: 'balances:read', expiry: '30' }],
      ['/connections/new', { provider: 'us_provider', name: 'Mine', secret: 'x' }],
      ['/connections/:connection', { name: 'Mine', include_pending: 'on' }],
      ['/connections/:connection/credential', { secret: 'x' }],
      ['/connections/:connection/remove', { history: 'keep' }],
      ['/accounts/:account', { name: 'Mine', account_type: 'loan' }],
      ['/accounts/:account/merge', { other: 'x', then: 'connections' }],
      ['/accounts/:account/keep-separate', { other: 'x' }],
      ['/account-merges', { pair: 'x' }],
    ])('U+0000 in each field of the form %s is refused', async (template, fields) => {
      const path = template.replace(':connection', connection).replace(':account', account);
      for (const name of Object.keys(fields)) {
        const { status } = await visitor.post(path, { ...fields, [name]: NUL, form_token: token });
        expect([name, status]).toEqual([name, 422]);
      }
    });

    it.each([
      ...['/?range=', '/sign-up?invitation=', '/sign-in?next=', '/settings?done=', '/accounts/:account?range='],
      ...['/accounts/:account/transactions?search=', '/accounts/:account/day?day=', '/accounts/:account?search='],
    ])('U+0000 in the query of the page %s is refused', async (template) => {
      const { status } = await visitor.get(`${template.replace(':account', account)}a%00b`);
      expect(status).toBe(422);
    });

    it.each([
      '/accounts/%00',
      '/connections/%00',
      '/connections/%00/state',
      '/accounts/%00/reconciliation',
      '/assets/%00',
    ])('a path with U+0000 is 404: %s', async (path) => expect((await visitor.get(path)).status).toBe(404));

    it('a malformed session cookie counts as none', async () => {
      for (const cookie of [
        'tidemark=%00',
        'tidemark=\u0080',
        'tidemark=\ud800'.toWellFormed().replace(/[^ -~]/g, '?'),
      ])
        expect((await new Visitor(test.url).get('/', { cookie })).status).toBe(303);
    });
  });
});
