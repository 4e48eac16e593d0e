import { verifyWebhook } from '../../../client/src/webhooks.js';
import { pruneChangeLog } from '../../../src/database/change-log/prune-change-log.js';
import { noteChanges } from '../../../src/database/change-log/note-changes.js';
import type { Connection } from '../../../src/sync/connections/connection.entity.js';
import { MetricsService } from '../../../src/platform/metrics/metrics.service.js';
import { RetentionService } from '../../../src/operate/retention/retention.service.js';
import { SendWebhooksService } from '../../../src/modules/webhooks/sending/send-webhooks.service.js';
import { afterThisTest } from '../../support/after-this-test.js';
import { createClient, LOCAL_PROVIDER, startTestApp, type TestApp, type TestClient } from '../../support/app.js';
import { Copy, KINDS, listed } from '../../support/copy.js';
import { balance, createConnection, snapshotAccount, transaction, writeSnapshot } from '../../support/factories.js';
import {
  type ScriptedAnswer,
  type ScriptedRequest,
  type ScriptedServer,
  startScriptedServer,
} from '../../support/scripted-server.js';
import { until } from '../../support/syncs.js';

const OK = { status: 204 };
const FAILED = { status: 500, body: 'Out of order' };
const HOUR_MS = 3_600_000;

interface Told {
  type: string;
  timestamp: string;
  data: { cursor: string; account_ids?: string[] | null; sync_id?: string; connection_id?: string; status?: string };
}

describe('webhooks', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let receiver: ScriptedServer;

  beforeAll(async () => {
    tidemark = await startTestApp({ ...LOCAL_PROVIDER, ROLE: 'api' });
  });
  afterAll(() => tidemark.stop());
  beforeEach(async () => {
    tidemark.clock.set('2026-03-15T12:00:00Z');
    client = await createClient(tidemark);
    receiver = await startScriptedServer();
    receiver.play(OK);
  });
  afterEach(() => receiver.stop());

  const later = (ms: number) => tidemark.clock.set(new Date(tidemark.clock.now().getTime() + ms).toISOString());
  const create = async (more: object = {}) => {
    const { status, body } = await client.post('/api/v1/webhooks', { url: `${receiver.url}/hook`, ...more });
    expect([status, body]).toEqual([201, expect.objectContaining({ status: 'enabled', failing_since: null })]);
    return body as { id: string; secret: string };
  };
  const show = async (id: string) => (await client.get(`/api/v1/webhooks/${id}`)).body;
  const deliveries = async (id: string, query = '') =>
    (await client.get(`/api/v1/webhooks/${id}/deliveries${query}`)).body.deliveries;
  /** Nothing is left to send now. */
  const sent = () => tidemark.app.get(SendWebhooksService, { strict: false }).settle();
  /** Another instance, which hears of changes and sends by itself. */
  const startWorker = async () => {
    const worker = await startTestApp(LOCAL_PROVIDER, tidemark.clock, tidemark.database);
    afterThisTest(() => worker.stop());
  };
  const untilRequests = (count: number) =>
    until(() => Promise.resolve(receiver.requests.length >= count || null), `${count} requests`);
  const told = () => receiver.requests.map(({ body }) => JSON.parse(body) as Told);
  const types = () => told().map(({ type }) => type);
  const ids = () => receiver.requests.map(({ headers }) => headers['webhook-id']);
  /** Something that changes, in a transaction of its own. */
  const change = (...changes: Parameters<typeof noteChanges> extends [string, ...infer Rest] ? Rest : never) =>
    tidemark.em().transactional(() => Promise.resolve(noteChanges(client.userId, ...changes)));
  const ACCOUNT = '7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a90';
  const balancesChanged = () => change({ kind: 'balances', accountId: ACCOUNT });
  const verified = ({ body, headers }: ScriptedRequest, secrets: string | string[]) =>
    verifyWebhook({ body, headers, secrets, nowMs: tidemark.clock.now().getTime() });

  describe('webhooks of a sync', () => {
    let connection: Connection;

    beforeEach(async () => {
      connection = await createConnection(tidemark, client.userId);
    });

    it('webhooks report the changed types with a cursor that brings a copy up to date', async () => {
      const copy = new Copy(client);
      await copy.catchUp(() => 500);
      const { id, secret } = await create();
      const account = snapshotAccount({ balance: balance(10_000), transactions: [transaction('2026-03-10', -500)] });
      const { accountId } = await writeSnapshot(tidemark, connection, account);
      await sent();
      expect(types().sort()).toEqual(['balances.changed', 'transactions.changed']);
      const [first] = told();
      expect(first).toMatchObject({ timestamp: expect.any(String), data: { account_ids: [accountId] } });
      const changes = await client.get(`/api/v1/changes?cursor=${first!.data.cursor}`);
      expect(changes.body.changes.map(({ type }: { type: string }) => type)).toEqual(
        expect.arrayContaining(['balances', 'transactions']),
      );
      copy.cursor = first!.data.cursor;
      await copy.catchUp(() => 500);
      for (const kind of KINDS) expect([kind, copy.sorted(kind)]).toEqual([kind, await listed(client, kind)]);

      for (const request of receiver.requests) {
        expect(request).toMatchObject({ method: 'POST', path: '/hook' });
        expect(request.headers).toMatchObject({ 'content-type': 'application/json' });
        const { payload } = await verified(request, secret);
        expect(payload).toEqual(JSON.parse(request.body));
      }
      const log = await deliveries(id);
      expect(log).toEqual([
        expect.objectContaining({ status: 'delivered', trigger: 'change', attempts: 1, response_status: 204 }),
        expect.objectContaining({ status: 'delivered', webhook_id: id, message_id: ids()[0] }),
      ]);
    });

    it('webhooks report a finished sync and a connection that needs attention or recovered, and no progress', async () => {
      await startWorker();
      await create({ event_types: ['sync.finished', 'connection.attention_required', 'connection.recovered'] });
      const sync = (await client.post(`/api/v1/connections/${connection.id}/sync`)).body;
      // Its credential opens nothing.
      const { status } = await until(async () => {
        const { body } = await client.get(`/api/v1/syncs/${sync.id}`);
        return body.finished_at === null ? null : body;
      }, 'over');
      await change({ kind: 'connections', ids: [connection.id], event: 'connection.attention_required' });
      await change({ kind: 'connections', ids: [connection.id], event: 'connection.recovered' });
      await untilRequests(3);
      expect(told().map(({ type, data: { cursor, ...data } }) => [type, data, cursor.length > 0])).toEqual([
        ['sync.finished', { sync_id: sync.id, connection_id: connection.id, status }, true],
        ['connection.attention_required', { connection_id: connection.id }, true],
        ['connection.recovered', { connection_id: connection.id }, true],
      ]);
    });
  });

  it('webhooks are sent in order with unique ids, and those waiting during a failure are combined into one', async () => {
    receiver.play(FAILED);
    const { id } = await create({ event_types: ['balances.changed', 'sync.finished'] });
    await balancesChanged();
    await sent();
    for (let n = 0; n < 5; n++) await balancesChanged();
    await change({ kind: 'syncs', ids: [ACCOUNT], event: 'sync.finished' });
    await balancesChanged();
    await sent();
    expect(receiver.requests).toHaveLength(1);
    receiver.play(OK);
    later(10_000);
    await sent();
    expect(types()).toEqual([
      ...['balances.changed', 'balances.changed', 'balances.changed', 'sync.finished', 'balances.changed'],
    ]);
    const [first, again, ...others] = ids();
    expect(first).toBe(again);
    expect(new Set(others).size).toBe(3);
    expect(others).not.toContain(first);
    expect((await deliveries(id)).map(({ attempts }: { attempts: number }) => attempts)).toEqual([1, 1, 1, 2]);
  });

  it('a failed webhook is retried for three days with the same id and a new signature, then disabled', async () => {
    receiver.play(FAILED);
    const { id, secret } = await create();
    await balancesChanged();
    await sent();
    const waits: number[] = [];
    for (;;) {
      const { status, next_attempt_at: next } = await show(id);
      if (status === 'disabled') break;
      const waitMs = Date.parse(next) - tidemark.clock.now().getTime();
      waits.push(waitMs);
      const before = receiver.requests.length;
      later(waitMs - 1);
      await sent();
      expect(receiver.requests).toHaveLength(before);
      later(1);
      await sent();
      expect(receiver.requests).toHaveLength(before + 1);
    }
    expect(new Set(ids()).size).toBe(1);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-signature'])).size).toBe(waits.length + 1);
    await verified(receiver.requests.at(-1)!, secret);
    const total = waits.reduce((sum, wait) => sum + wait, 0) / HOUR_MS;
    expect([total >= 72, total < 110, waits.length >= 9]).toEqual([true, true, true]);
    const ended = await show(id);
    expect(ended).toMatchObject({
      disabled_reason: 'failing',
      next_attempt_at: null,
      failing_since: expect.any(String),
    });
    const [event] = (await client.get('/api/v1/audit_events?kind=webhook_disabled')).body.audit_events;
    expect(event).toMatchObject({ subject_id: id, device: null, client_address: null });
    const { text } = await tidemark.app.get(MetricsService).read();
    expect(text).toMatch(/tidemark_webhooks_disabled_total\{reason="failing"\} [1-9]/);
    expect(text).toMatch(/tidemark_webhook_attempts_total\{result="failed"\} \d{1,}/);

    // What has changed meanwhile is not lost.
    const before = receiver.requests.length;
    await balancesChanged();
    await sent();
    expect(receiver.requests).toHaveLength(before);
    receiver.play(OK);
    expect((await client.patch(`/api/v1/webhooks/${id}`, { status: 'enabled' })).body).toMatchObject({
      ...{ status: 'enabled', disabled_reason: null, failing_since: null },
    });
    await sent();
    expect(types().slice(before)).toEqual(['balances.changed', 'balances.changed']);
    expect(new Set(ids()).size).toBe(2);
  });

  it('a webhook is retried after the Retry-After of its receiver, at most a day later', async () => {
    receiver.play(
      { status: 503, headers: { 'Retry-After': '7200' } },
      { status: 429, headers: { 'Retry-After': '999999' } },
    );
    const { id } = await create();
    await balancesChanged();
    await sent();
    expect((await show(id)).next_attempt_at).toBe('2026-03-15T14:00:00.000Z');
    later(2 * HOUR_MS);
    await sent();
    expect((await show(id)).next_attempt_at).toBe('2026-03-16T14:00:00.000Z');
  });

  it('a waiting webhook is sent at once to a new URL', async () => {
    receiver.play(FAILED);
    const { id } = await create();
    await balancesChanged();
    await sent();
    const other = await startScriptedServer();
    afterThisTest(other.stop);
    other.play(OK);
    const { body } = await client.patch(`/api/v1/webhooks/${id}`, { url: `${other.url}/hook` });
    expect(body).toMatchObject({ failing_since: null, next_attempt_at: null });
    await sent();
    expect([receiver.requests.length, other.requests.length]).toEqual([1, 1]);
  });

  const DAY_LATER: ScriptedAnswer = { status: 503, headers: { 'Retry-After': '86400' } };
  const WHILE_UNDER_WAY: [string, ScriptedAnswer, string[]][] = [
    ['an old address that is gone', { status: 410 }, ['/new']],
    ['an old address that asks for a day', DAY_LATER, ['/new']],
    ['what was sent before it was enabled again, and asks for a day', DAY_LATER, []],
  ];

  it.each(WHILE_UNDER_WAY)('a webhook is sent again at once after an answer of %s', async (_, answer, moves) => {
    const { promise: answered, resolve: letAnswer } = Promise.withResolvers<void>();
    receiver.play(async () => {
      if (receiver.requests.length > 1) return OK;
      await answered;
      return answer;
    });
    const { id } = await create();
    await balancesChanged();
    const sending = sent();
    await untilRequests(1);
    const moved = moves.map((path) => ({ url: `${receiver.url}${path}` }));
    const edits = moved.length > 0 ? moved : [{ status: 'disabled' }, { status: 'enabled' }];
    for (const edit of edits) expect((await client.patch(`/api/v1/webhooks/${id}`, edit)).status).toBe(200);
    letAnswer();
    await sending;
    await sent();
    expect(await show(id)).toMatchObject({ status: 'enabled', failing_since: null, next_attempt_at: null });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/hook', ...(moves.length > 0 ? moves : ['/hook'])]);
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  it('a webhook is disabled at once if its receiver answers 410', async () => {
    receiver.play({ status: 410 });
    const { id } = await create();
    await balancesChanged();
    await sent();
    later(100 * HOUR_MS);
    await sent();
    expect(receiver.requests).toHaveLength(1);
    expect(await show(id)).toMatchObject({ status: 'disabled', disabled_reason: 'gone' });
  });

  it('a webhook follows no redirect, and only the beginning of a response is read and shown', async () => {
    const other = await startScriptedServer();
    afterThisTest(other.stop);
    receiver.play(
      { status: 302, headers: { Location: `${other.url}/else` }, body: `\u0000Moved${'.'.repeat(5_000_000)}` },
      ...['reset' as const, OK],
    );
    const { id } = await create();
    await balancesChanged();
    await sent();
    const [moved] = await deliveries(id);
    expect(moved).toMatchObject({
      ...{ status: 'pending', response_status: 302 },
      problem: 'It answered with status 302. Redirects are not followed: enter the address that it leads to.',
    });
    expect([moved.response_body.startsWith('Moved...'), moved.response_body.length < 1_001]).toEqual([true, true]);
    later(10_000);
    await sent();
    const [reset] = await deliveries(id);
    expect(reset).toMatchObject({ response_status: null, problem: 'It cannot be reached (ECONNRESET).', attempts: 2 });
    expect(other.requests).toEqual([]);
  });

  it('a webhook is signed with the old and the new secret for a day after a rotation', async () => {
    const { id, secret } = await create();
    const rotate = async () => (await client.post(`/api/v1/webhooks/${id}/rotate_secret`)).body;
    later(1_000);
    const rotated = await rotate();
    expect(rotated).toEqual({
      secret: expect.stringMatching(/^whsec_/),
      previous_expires_at: '2026-03-16T12:00:01.000Z',
    });
    await balancesChanged();
    await sent();
    const [both] = receiver.requests;
    expect(String(both!.headers['webhook-signature']).split(' ')).toHaveLength(2);
    for (const one of [secret, rotated.secret]) await verified(both!, one);
    later(24 * HOUR_MS);
    await balancesChanged();
    await sent();
    await verified(receiver.requests[1]!, rotated.secret);
    await expect(verified(receiver.requests[1]!, secret)).rejects.toThrow('No signature');

    // Of three the oldest ends at once.
    const third = await rotate();
    later(1_000);
    const fourth = await rotate();
    await balancesChanged();
    await sent();
    for (const one of [third.secret, fourth.secret]) await verified(receiver.requests[2]!, one);
    await expect(verified(receiver.requests[2]!, rotated.secret)).rejects.toThrow('No signature');
    const stored = JSON.stringify(await tidemark.em().execute('select * from webhook_secrets'));
    expect(stored).not.toMatch(/whsec_/);
  });

  it('a test or a replay of a webhook is sent once and at once, even while changes wait', async () => {
    receiver.play(FAILED);
    const { id } = await create();
    await balancesChanged();
    await sent();
    const test = await client.post(`/api/v1/webhooks/${id}/test`);
    expect([test.status, test.body]).toMatchObject([202, { type: 'webhook.test', trigger: 'test', status: 'pending' }]);
    await sent();
    expect(types()).toEqual(['balances.changed', 'webhook.test']);
    const [tried, waiting] = await deliveries(id);
    expect([tried, waiting]).toMatchObject([
      { id: test.body.id, status: 'failed', response_status: 500, response_body: 'Out of order' },
      { status: 'pending', attempts: 1 },
    ]);
    // An answer is an answer: what waits is sent, too.
    receiver.play(OK);
    const replay = await client.post(`/api/v1/webhooks/deliveries/${waiting.id}/replay`);
    expect([replay.status, replay.body]).toMatchObject([202, { trigger: 'replay', message_id: waiting.message_id }]);
    await sent();
    expect(ids().slice(2)).toEqual([waiting.message_id, waiting.message_id]);
    expect(await deliveries(id, '?status=failed')).toMatchObject([{ id: tried.id }]);
    expect(await deliveries(id, '?status=pending')).toEqual([]);
    expect((await show(id)).failing_since).toBeNull();
  });

  it('a webhook asks its receiver to start again if the change log was pruned before it was sent', async () => {
    const { id } = await create({ event_types: ['sync.finished'] });
    await client.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' });
    await change({ kind: 'syncs', ids: [ACCOUNT], event: 'sync.finished' });
    later(1_000);
    await tidemark.em().execute(`update revisions set committed_at = '2026-03-01' where user_id = ?`, [client.userId]);
    await pruneChangeLog(tidemark.em(), client.userId, tidemark.clock.now());
    await client.patch(`/api/v1/webhooks/${id}`, { status: 'enabled' });
    await sent();
    expect(types()).toEqual(['changes.expired']);
    const [{ data }] = told() as [Told];
    expect((await client.get(`/api/v1/changes?cursor=${data.cursor}`)).body).toMatchObject({
      changes: [],
      has_more: false,
    });
    await change({ kind: 'syncs', ids: [ACCOUNT], event: 'sync.finished' });
    await sent();
    expect(types()).toEqual(['changes.expired', 'sync.finished']);
  });

  it('four webhooks of one person are sent to at once, and the others take turns with them, however slow they are', async () => {
    await startWorker();
    const held: (() => void)[] = [];
    receiver.play(() => new Promise((resolve) => held.push(() => resolve(OK))));
    const paths = ['/a', '/b', '/c', '/d', '/waiting'];
    for (const path of paths) {
      const { id } = await create({ url: receiver.url + path });
      for (let i = 0; i < 2; i++) await client.post(`/api/v1/webhooks/${id}/test`);
      if (path !== '/waiting') await untilRequests(paths.indexOf(path) + 1);
    }
    expect(receiver.requests.map(({ path }) => path)).toEqual(paths.slice(0, 4));
    // The turn of whoever is answered now has lasted long enough.
    later(10_000);
    receiver.play(OK);
    held[0]!();
    // Which of the two that wait takes the free place first is chance. The slow three keep theirs.
    await until(() => Promise.resolve(receiver.requests.find(({ path }) => path === '/waiting') ?? null), 'the fifth');
    expect(receiver.requests.filter(({ path }) => ['/b', '/c', '/d'].includes(path))).toHaveLength(3);
    for (const answer of held) answer();
    await untilRequests(10);
  });

  it('webhooks are sent in order by one instance at a time, whichever it is', async () => {
    await startWorker();
    await startWorker();
    let [underWay, most] = [0, 0];
    receiver.play(async () => {
      most = Math.max(most, ++underWay);
      await new Promise((resolve) => setImmediate(resolve));
      underWay--;
      return OK;
    });
    await create({ event_types: ['sync.finished'] });
    const syncs = Array.from({ length: 20 }, (_, n) => `7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a${n + 10}`);
    for (const syncId of syncs) await change({ kind: 'syncs', ids: [syncId], event: 'sync.finished' });
    await untilRequests(syncs.length);
    expect(told().map(({ data }) => data.sync_id)).toEqual(syncs);
    expect([most, new Set(ids()).size]).toEqual([1, syncs.length]);
  });

  it('a webhook whose worker was taken for dead is sent once more, and what that worker hears later counts for nothing', async () => {
    const { promise: answered, resolve: letAnswer } = Promise.withResolvers<void>();
    receiver.play(async () => {
      if (receiver.requests.length > 1) return OK;
      await answered;
      return { status: 410 };
    });
    const { id } = await create();
    await balancesChanged();
    const sending = sent();
    await untilRequests(1);
    await sent();
    letAnswer();
    await sending;
    expect(new Set(ids()).size).toBe(1);
    expect(await show(id)).toMatchObject({ status: 'enabled', failing_since: null });
    expect(await deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
  });

  it('a user may have a limited number of webhooks, which other users can neither see nor change', async () => {
    const { id } = await create();
    const all = await Promise.all(
      Array.from({ length: 12 }, () => client.post('/api/v1/webhooks', { url: `${receiver.url}/hook` })),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(201), 409, 409, 409]);
    const { body } = await client.get('/api/v1/webhooks?per_page=4');
    expect([body.webhooks.length, body.pagination]).toMatchObject([4, { total_count: 10, total_pages: 3 }]);
    expect(JSON.stringify(body)).not.toContain('whsec_');

    const stranger = await createClient(tidemark);
    const [delivery] = await (async () => {
      await client.post(`/api/v1/webhooks/${id}/test`);
      return deliveries(id);
    })();
    const answers = await Promise.all([
      stranger.get(`/api/v1/webhooks/${id}`),
      stranger.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' }),
      stranger.post(`/api/v1/webhooks/${id}/test`),
      stranger.post(`/api/v1/webhooks/${id}/rotate_secret`),
      stranger.get(`/api/v1/webhooks/${id}/deliveries`),
      stranger.post(`/api/v1/webhooks/deliveries/${delivery.id}/replay`),
      stranger.delete(`/api/v1/webhooks/${id}`),
      client.get('/api/v1/webhooks/none'),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(404));
    expect((await client.delete(`/api/v1/webhooks/${id}`)).status).toBe(204);
    expect((await client.get(`/api/v1/webhooks/${id}`)).status).toBe(404);
    await sent();
    expect(await tidemark.em().execute('select 1 from webhook_deliveries where endpoint_id = ?', [id])).toEqual([]);
  });

  it.each([
    ['x/test', { url: 'https://a.example' }],
    ['deliveries/x/replay', { force: 1 }],
    ['x/rotate_secret', { secret: 'mine' }],
  ])('members in the body of webhooks/%s, which takes none, are named in the error', async (path, body) => {
    const answer = await client.post(`/api/v1/webhooks/${path}`, body);
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      [`${Object.keys(body)[0]} is not a member of this body`],
    ]);
    expect((await client.post(`/api/v1/webhooks/${path}`)).status).toBe(404);
  });

  it('tests and replays of webhooks are rate limited, and refused while the webhook is disabled', async () => {
    const { id } = await create();
    const tests = await Promise.all(Array.from({ length: 12 }, () => client.post(`/api/v1/webhooks/${id}/test`)));
    expect(tests.map(({ status }) => status).sort()).toEqual([...Array<number>(10).fill(202), 409, 409]);
    await client.patch(`/api/v1/webhooks/${id}`, { status: 'disabled' });
    expect((await client.post(`/api/v1/webhooks/${id}/test`)).body.message).toBe(
      'The webhook is disabled. Enable it first.',
    );
  });

  it('a webhook shows its URL normalized as it is requested', async () => {
    const { id } = await create({ url: `${receiver.url.replace('//', '')}/a\r\nb` });
    expect((await show(id)).url).toBe(`${receiver.url}/ab`);
    await client.patch(`/api/v1/webhooks/${id}`, { url: ` ${receiver.url}/c ` });
    expect((await show(id)).url).toBe(`${receiver.url}/c`);
  });

  it.each([
    [{}, 'url must be an https address of at most 2000 characters'],
    [{ url: 'ftp://hooks.example' }, 'url must be an https address of at most 2000 characters'],
    [{ url: 'https://me:pass@hooks.example' }, 'url must not have a user name or a password'],
    [{ url: 'https://hooks.example', event_types: [] }, 'event_types must be a list of: '],
    [{ url: 'https://hooks.example', event_types: ['money.lost'] }, 'event_types must be a list of: '],
    [
      { url: 'https://hooks.example', description: 'x'.repeat(201) },
      'description must be a text of at most 200 characters',
    ],
  ])('a webhook of %j is refused', async (body, message) => {
    const answer = await client.post('/api/v1/webhooks', body);
    expect([answer.status, answer.body.errors[0]]).toEqual([422, expect.stringContaining(message)]);
  });

  it('old deliveries of webhooks are deleted, and waiting ones are kept', async () => {
    const { id } = await create();
    await balancesChanged();
    await sent();
    receiver.play(FAILED);
    await balancesChanged();
    await sent();
    await tidemark.em().execute(`update webhook_deliveries set created_at = '2025-01-01' where endpoint_id = ?`, [id]);
    expect(await tidemark.app.get(RetentionService).run()).toMatchObject({ webhook_deliveries: 1 });
    expect(await deliveries(id)).toMatchObject([{ status: 'pending' }]);
  });
});

describe('webhooks on the public internet', () => {
  let tidemark: TestApp;
  let client: TestClient;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
  });
  afterAll(() => tidemark.stop());

  it.each([
    ['http://hooks.example/', 'must use https'],
    ['https://127.0.0.1/', 'not on the public internet'],
    ['https://2130706433/', 'not on the public internet'],
    ['https://[::1]/', 'not on the public internet'],
    ['https://[::ffff:10.0.0.1]/', 'not on the public internet'],
    ['https://169.254.169.254/latest/meta-data', 'not on the public internet'],
    ['https://192.168.1.1:8443/', 'not on the public internet'],
  ])('a webhook to %s is refused on the public internet', async (url, message) => {
    const { status, body } = await client.post('/api/v1/webhooks', { url });
    expect([status, body.errors[0]]).toEqual([422, expect.stringContaining(message)]);
  });

  it('a webhook is not sent if its name resolves to this machine when it is sent', async () => {
    const { body } = await client.post('/api/v1/webhooks', { url: 'https://localhost:9/hook' });
    await client.post(`/api/v1/webhooks/${body.id}/test`);
    const delivery = await until(async () => {
      const [latest] = (await client.get(`/api/v1/webhooks/${body.id}/deliveries`)).body.deliveries;
      return latest.status === 'pending' ? null : latest;
    }, 'tried');
    expect(delivery).toMatchObject({
      ...{ status: 'failed', response_status: null },
      problem: 'Its name was not found, or leads to this machine or a private network.',
    });
  });
});
