import { jest } from '@jest/globals';
import { IdempotencyKeysRepository } from '../../src/http/idempotency/idempotency-keys.repository.js';
import { openApiDocument } from '../../src/web/openapi/document.js';
import { operationsOf } from '../../src/web/openapi/document-types.js';
import { PROVIDERS } from '../../src/providers/installed.js';
import { RetentionService } from '../../src/operate/retention/retention.service.js';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, send, startTestApp, StillClock } from '../support/app.js';
import type { TestAnswer, TestApp, TestClient } from '../support/app.js';
import { gate } from '../support/gate.js';
import { emptyBodyOf } from '../support/responses-of.js';
import { start } from '../support/run-process.js';
import { type ScriptedBank, startScriptedBank } from '../support/scripted-bank.js';

const APP_SECRET = 'a root secret for the tests of idempotency keys';
const SAME_REQUESTS = 20;
const MAX_KEYS = 5_000;
/** Of a request that is running. */
const KEY_ROW = {
  ...{ fingerprint: '', maxKeys: MAX_KEYS },
  expiresAt: new Date('2026-03-16T12:00:00Z'),
};

describe('Idempotency-Key', () => {
  const clock = new StillClock();
  let bank: ScriptedBank;
  let one: TestApp;
  let other: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    bank = await startScriptedBank();
    // Without workers: a sync that waits for a lock is not the request that does.
    const api = { ...LOCAL_PROVIDER, ROLE: 'api' };
    one = await startTestApp(api, clock, undefined, PROVIDERS, [APP_SECRET]);
    other = await startTestApp(api, clock, one.database, PROVIDERS, [APP_SECRET]);
  });
  beforeEach(async () => {
    clock.set('2026-03-15T12:00:00Z');
    client = await createClient(one);
  });
  afterAll(async () => {
    await other.stop();
    await one.stop();
    await bank.stop();
  });

  const post = (path: string, body: object, key: string, url = one.url, method = 'POST'): Promise<TestAnswer> =>
    send(url + path, {
      method,
      headers: { 'X-Api-Key': client.key, 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: JSON.stringify(body),
    });
  const wish = (token = bank.token()) => ({ provider: 'us_provider', setup_token: token, history_days: 30 });
  const connect = (body: object, key: string, url = one.url) => post('/api/v1/connections', body, key, url);
  const connections = async () => (await client.get('/api/v1/connections')).body.pagination.total_count;
  const execute = <Row>(statement: string, parameters: unknown[] = []): Promise<Row[]> =>
    one.em().getConnection().execute<Row[]>(statement, parameters);
  const rowsOfPerson = () =>
    execute<{ answer: string | null }>('select answer from idempotency_keys where user_id = ?', [client.userId]);
  const replayed = ({ headers }: TestAnswer) => headers.get('idempotent-replayed');
  const conflict = (answer: TestAnswer) => [...[answer.status, answer.body.error, answer.headers.get('retry-after')]];

  describe('a repeated Idempotency-Key', () => {
    it('a request repeated with the same Idempotency-Key gets the same response from any instance and is executed once', async () => {
      const body = wish();
      const first = await connect(body, 'once');
      expect([first.status, replayed(first)]).toEqual([201, null]);
      const location = `/api/v1/connections/${first.body.id}`;
      expect(first.headers.get('location')).toBe(location);
      for (const { url } of [one, other]) {
        const again = await connect(body, 'once', url);
        expect([again.status, again.body, replayed(again)]).toEqual([201, first.body, 'true']);
        expect(again.headers.get('location')).toBe(location);
      }
      expect(await connections()).toBe(1);
    });

    it('a connection request repeated with the same Idempotency-Key claims its setup token once, also at another instance', async () => {
      const { body: connection } = await connect(wish(), 'connected');
      const path = `/api/v1/connections/${connection.id}/credentials`;
      const body = { setup_token: bank.token() };
      const first = await post(path, body, 'replaced', one.url, 'PUT');
      expect([first.status, replayed(first)]).toEqual([200, null]);
      const again = await post(path, body, 'replaced', other.url, 'PUT');
      expect([again.status, again.body, replayed(again)]).toEqual([200, first.body, 'true']);
    });

    it('a repeated Idempotency-Key returns the same status and the same empty body', async () => {
      const [a, b] = (await execute<{ id: string }>(
        `insert into accounts (user_id, id, provider, external_id, name, currency, status)
         select ?, gen_random_uuid(), 'us_provider', name, name, 'USD', 'active' from unnest(array['A', 'B']) name
         returning id`,
        [client.userId],
      )) as [{ id: string }, { id: string }];
      const path = `/api/v1/accounts/${a.id}/keep_separate`;
      const answers = [];
      for (let time = 0; time < 2; time++) answers.push(await post(path, { account_id: b.id }, 'separate'));
      expect(answers.map((answer) => [answer.status, answer.body, replayed(answer)])).toEqual([
        [204, '', null],
        [204, '', 'true'],
      ]);
    });

    it('an Idempotency-Key in quotes is the same key as without', async () => {
      const body = wish();
      const { body: first } = await connect(body, 'quoted');
      expect((await connect(body, '"quoted"')).body).toEqual(first);
    });

    it('a repeated Idempotency-Key with another body or address is refused', async () => {
      const { body } = await connect(wish(), 'reused');
      for (const answer of [
        await connect(wish(), 'reused'),
        await post(`/api/v1/connections/${body.id}/sync`, {}, 'reused'),
      ]) {
        expect([answer.status, answer.body.message]).toEqual([
          422,
          'Idempotency-Key was used for another request: use a new one for each',
        ]);
      }
      expect(await connections()).toBe(1);
    });

    it('a repeated Idempotency-Key is a conflict, not another request, after its APP_SECRET was removed', async () => {
      const secrets = ['a root secret that nothing was sealed with'];
      const later = await startTestApp(LOCAL_PROVIDER, clock, one.database, PROVIDERS, secrets);
      afterThisTest(later.stop);
      const body = wish();
      expect((await connect(body, 'rotated')).status).toBe(201);
      const again = await connect(body, 'rotated', later.url);
      expect(conflict(again)).toEqual([409, 'idempotency_conflict', null]);
      expect(await connections()).toBe(1);
    });

    it('twenty concurrent requests to two instances with one Idempotency-Key are executed once', async () => {
      const body = wish();
      const answers = await Promise.all(
        Array.from({ length: SAME_REQUESTS }, (_, index) => connect(body, 'at-once', [one, other][index % 2]!.url)),
      ).then((all) => Map.groupBy(all, ({ status }) => status));
      expect([...answers.keys()].filter((status) => status !== 201 && status !== 409)).toEqual([]);
      for (const answer of answers.get(409) ?? []) expect(conflict(answer)).toEqual([409, 'idempotency_conflict', '1']);
      expect(new Set(answers.get(201)!.map((answer) => answer.body.id)).size).toBe(1);
      expect(await connections()).toBe(1);
    });

    it('the same Idempotency-Key of another user is another key', async () => {
      await connect(wish(), 'mine');
      client = await createClient(one);
      const theirs = await connect(wish(), 'mine');
      expect([theirs.status, replayed(theirs), await connections()]).toEqual([201, null, 1]);
    });

    it('an Idempotency-Key expires after a day: its response is deleted and the request is executed again', async () => {
      await connect(wish(), 'daily');
      clock.set('2026-03-16T11:59:59Z');
      expect((await connect(wish(), 'daily')).status).toBe(422);
      clock.set('2026-03-16T12:00:00Z');
      const next = await connect(wish(), 'daily');
      expect([next.status, replayed(next)]).toEqual([201, null]);
      clock.set('2026-03-17T12:00:00Z');
      await one.app.get(RetentionService, { strict: false }).run();
      expect(await rowsOfPerson()).toEqual([]);
    });

    it('a repeated Idempotency-Key gets Retry-After while the first request is running', async () => {
      const { opened, open } = gate();
      const asked = gate();
      const token = bank.token();
      holdClaims(opened, asked.open);
      const first = connect(wish(token), 'running');
      await asked.opened;
      expect(conflict(await connect(wish(token), 'running', other.url))).toEqual([409, 'idempotency_conflict', '1']);
      expect((await connect(wish(), 'running', other.url)).status).toBe(422);
      open();
      expect((await first).status).toBe(201);
    });
  });

  /** The bank is silent to whoever redeems a token, until it is opened. */
  function holdClaims(opened: Promise<void>, asked: () => void) {
    const { server } = bank;
    server.play(async ({ path }) => {
      if (!path.startsWith('/claim/')) return { body: { versions: ['2.0'] } };
      asked();
      await opened;
      return { body: `${bank.accessUrl(path.split('/')[2]!)}\n` };
    });
  }

  describe('an Idempotency-Key of a failed request', () => {
    it('an Idempotency-Key can be used again if its request changed nothing', async () => {
      const refused = await connect({ provider: 'us_provider' }, 'corrected');
      expect([refused.status, await rowsOfPerson()]).toEqual([422, []]);
      expect((await connect(wish(), 'corrected')).status).toBe(201);
    });

    it('a request that repeats an Idempotency-Key at the moment it is released is asked to retry', async () => {
      await connect(wish(), 'stored');
      const keys = one.app.get(IdempotencyKeysRepository, { strict: false });
      await keys.claim({ userId: client.userId, owner: null, key: 'failing', holder: client.userId }, KEY_ROW);
      const find = keys.findUse.bind(keys);
      const failsFirst = jest.spyOn(keys, 'findUse').mockImplementationOnce(async (use) => {
        await keys.release({ ...use, holder: client.userId });
        return find(use);
      });
      afterThisTest(() => failsFirst.mockRestore());
      expect(conflict(await connect(wish(), 'failing'))).toEqual([409, 'idempotency_conflict', '1']);
      expect((await connect(wish(), 'failing')).status).toBe(201);
    });

    it('an Idempotency-Key cannot be used again if its failed request committed a change', async () => {
      const body = wish();
      await execute('alter table provider_requests rename to provider_requests_away');
      const failed = await connect(body, 'half-done');
      await execute('alter table provider_requests_away rename to provider_requests');
      expect(failed.status).toBe(500);
      const again = await connect(body, 'half-done');
      expect(conflict(again)).toEqual([409, 'idempotency_conflict', null]);
      expect(again.body.message).toMatch(/has changed data.*Check what is stored/);
      expect(await connections()).toBe(1);
    });

    it('a request whose Idempotency-Key was acquired by another one commits nothing more', async () => {
      const { opened, open } = gate();
      const asked = gate();
      holdClaims(opened, asked.open);
      const late = connect(wish(), 'late');
      await asked.opened;
      await execute('update idempotency_keys set holder = user_id where user_id = ?', [client.userId]);
      open();
      expect(conflict(await late)).toEqual([409, 'idempotency_conflict', '1']);
      const { body } = await client.get('/api/v1/connections');
      expect(body.connections).toMatchObject([{ status: 'attention_required' }]);
    });
  });

  it('an Idempotency-Key must have 1 to 255 visible characters', async () => {
    const path = '/api/v1/connections';
    for (const key of ['', ' ', 'a b', 'ü', 'x'.repeat(256)]) {
      const { status, body } = await post(path, wish(), key);
      expect([key, status, body.message]).toEqual([
        ...[key, 422, 'Idempotency-Key must have 1 to 255 visible ASCII characters'],
      ]);
    }
    expect((await post(path, wish(), 'x'.repeat(255))).status).toBe(201);
  });

  it('every POST and PUT of the API accepts and documents an Idempotency-Key, and no other method does', async () => {
    const document = openApiDocument(one.app);
    for (const { method, path, operation } of operationsOf(document)) {
      if (!path.startsWith('/api/')) continue;
      const isKnown = JSON.stringify(operation.parameters).includes('IdempotencyKey');
      expect([method, path, isKnown]).toEqual([method, path, ['post', 'put'].includes(method)]);
      if (method === 'get') continue;
      const body = emptyBodyOf(operation);
      const answer = await send(one.url + path.replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000'), {
        method: method.toUpperCase(),
        headers: {
          'X-Api-Key': client.key,
          ...(body === '{}' && { 'Content-Type': 'application/json' }),
          'Idempotency-Key': 'a b',
        },
        ...(method === 'delete' ? {} : { body }),
      });
      const isRefused = /^Idempotency-Key must/.test(answer.body.message ?? '');
      expect([method, path, isRefused]).toEqual([method, path, ['post', 'put'].includes(method)]);
    }
  });

  it('responses for an Idempotency-Key are stored encrypted, and requests are not stored', async () => {
    const body = wish();
    const { body: connection } = await connect(body, 'sealed');
    const rows = JSON.stringify(await execute('select * from idempotency_keys where user_id = ?', [client.userId]));
    expect(rows).toMatch(/"answer":"v1\.[\w-]+\.[\w-]+"/);
    for (const text of [connection.id, connection.name, body.setup_token]) expect(rows).not.toContain(text);
  });

  it('a user may use at most 5,000 Idempotency-Keys within a day', async () => {
    await execute(
      `insert into idempotency_keys (user_id, key, fingerprint, holder, leased_until, expires_at)
       select ?, 'key-' || n, '', gen_random_uuid(), ?, ? from generate_series(1, ?) n`,
      [client.userId, clock.now(), new Date(clock.now().getTime() + 90_000), MAX_KEYS],
    );
    const refused = await connect(wish(), 'one-more');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '90']);
    expect(refused.body.details).toEqual({ limit: MAX_KEYS, reset_in_seconds: 90 });
    clock.set('2026-03-15T12:01:30Z');
    expect((await connect(wish(), 'one-more')).status).toBe(201);
  });

  describe('an Idempotency-Key whose process is killed', () => {
    async function startProcess() {
      const service = start('main', [], {
        ...{ DATABASE_URL: one.database.url, APP_SECRET, PORT: '0', ROLE: 'api', SYNC_CRON: 'off' },
        ...LOCAL_PROVIDER,
      });
      afterThisTest(() => service.child.kill('SIGKILL'));
      const [, url = ''] = await service.line(/^listening on (.*)$/m);
      const kill = async () => {
        service.child.kill('SIGKILL');
        await service.finished;
      };
      return { url, kill };
    }
    /** Kills the process that a request is sent to where it writes to a table. @returns its answer */
    async function killedAt(table: string, send: () => Promise<unknown>, kill: () => Promise<void>): Promise<unknown> {
      let killed: Promise<unknown> = Promise.resolve();
      await one.em().transactional(async (em) => {
        await em.execute(`lock table ${table} in share mode`);
        killed = send().catch(() => 'no answer');
        const isHeldUp = `
          select 1 from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
          where relation = '${table}'::regclass and not granted`;
        while ((await em.execute<object[]>(isHeldUp)).length === 0);
        await kill();
      });
      return killed;
    }
    const endLease = () =>
      execute(`update idempotency_keys set leased_until = now() where user_id = ?`, [client.userId]);
    const laterMs = (ms: number) => clock.set(new Date(Date.now() + ms).toISOString());

    it('a request killed before it committed anything is executed by another instance when its lease has ended', async () => {
      const { url, kill } = await startProcess();
      const body = wish();
      const killed = await killedAt('connections', () => connect(body, 'killed-early', url), kill);
      expect(killed).toBe('no answer');
      laterMs(0);
      expect(conflict(await connect(body, 'killed-early'))).toEqual([409, 'idempotency_conflict', '1']);
      await endLease();
      const again = await connect(body, 'killed-early');
      expect([again.status, replayed(again), await connections()]).toEqual([201, null, 1]);
    });

    it('a request killed after it committed something is never executed again', async () => {
      const { url, kill } = await startProcess();
      const { opened, open } = gate();
      open();
      holdClaims(opened, () => undefined);
      const body = wish();
      // Where the new connection has been committed, and its first sync is inserted.
      const killed = await killedAt('sync_runs', () => connect(body, 'killed-late', url), kill);
      expect(killed).toBe('no answer');
      laterMs(0);
      await endLease();
      expect(conflict(await connect(body, 'killed-late'))).toEqual([409, 'idempotency_conflict', null]);
      expect(await connections()).toBe(1);
    });
  });
});
