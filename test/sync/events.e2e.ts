import { randomUUID } from 'node:crypto';
import { afterThisTest } from '../support/after-this-test.js';
import { createClient, open, send, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { readLogState } from '../../src/sync/change-feed/change-log.js';
import { feedCursorText, parseFeedCursor } from '../../src/sync/change-feed/cursor.js';
import { noteChanges } from '../../src/database/change-log/note-changes.js';
import { noteProgress } from '../../src/sync/events/run-events.js';
import { ChangeStream } from '../../src/sync/events/change-stream.js';
import { eventsOf, type ReadEvent, stepsOf } from '../support/event-stream.js';
import { createConnection } from '../support/factories.js';
import { ended } from '../support/syncs.js';

describe('Server-Sent Events of syncs', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let syncId: string;

  beforeAll(async () => {
    tidemark = await startTestApp();
    client = await createClient(tidemark);
    const { id } = await createConnection(tidemark, client.userId);
    // Its credential opens nothing, so the sync ends at once, and badly.
    syncId = (await client.post(`/api/v1/connections/${id}/sync`)).body.id;
  });
  afterAll(() => tidemark.stop());

  const listen = (path: string, headers: Record<string, string> = {}, signal: AbortSignal | null = null) =>
    open(tidemark.url + path, { headers: { 'X-Api-Key': client.key, ...headers }, signal });

  it('the event stream of a sync ends with the sync, and answers 204 to a client that has seen the end', async () => {
    const response = await listen(`/api/v1/syncs/${syncId}/events`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const events: ReadEvent[] = [];
    for await (const event of eventsOf(response)) events.push(event);
    expect(events.at(-1)).toMatchObject({ name: 'sync', data: { id: syncId, status: 'failed' } });
    const again = await listen(`/api/v1/syncs/${syncId}/events`, { 'Last-Event-ID': events.at(-1)!.id });
    expect([again.status, await again.text()]).toEqual([204, '']);
  });

  it('an event stream ends when its sync is deleted without a notification', async () => {
    const someone = await createClient(tidemark);
    const { id } = await createConnection(tidemark, someone.userId);
    const { body: sync } = await someone.post(`/api/v1/connections/${id}/sync`);
    await ended(someone, sync.id);
    await tidemark.em().execute(`update sync_runs set finished_at = null where id = ?`, [sync.id]);
    const abort = new AbortController();
    afterThisTest(() => abort.abort());
    const stream = tidemark.app.get(ChangeStream);
    const options = { runId: sync.id as string, after: null, signal: abort.signal };
    const changes = stream.follow(someone.userId, options);
    expect(await changes.next()).toMatchObject({ value: { runs: [{ id: sync.id }] } });
    // As with everything of a person, whose change log goes, too.
    await tidemark.em().execute('delete from users where id = ?', [someone.userId]);
    const end = changes.next();
    stream.tellAll();
    expect(await end).toMatchObject({ done: true });
  });

  it.each([
    ['stand for other changes', () => 'update feed_epoch set epoch = gen_random_uuid()'],
    ['are no longer stored', (id: string) => `update user_revisions set floor = revision + 1 where user_id = '${id}'`],
  ])('an event stream ends when the changes after its position %s', async (_, lose) => {
    const someone = await createClient(tidemark);
    await tidemark.em().transactional(() => Promise.resolve(noteChanges(someone.userId, { kind: 'balances' })));
    const { signal } = new AbortController();
    const stream = tidemark.app.get(ChangeStream);
    const changes = stream.follow(someone.userId, { runId: null, after: null, signal });
    expect(await changes.next()).toMatchObject({ value: { position: 1, runs: [], kinds: [] } });
    const end = changes.next();
    await tidemark.em().execute(lose(someone.userId));
    stream.tellAll();
    expect(await end).toMatchObject({ done: true });
  });

  it('an event stream misses no change that is made while it starts', async () => {
    const someone = await createClient(tidemark);
    const change = () =>
      tidemark.em().transactional(() => Promise.resolve(noteChanges(someone.userId, { kind: 'balances' })));
    await change();
    const abort = new AbortController();
    afterThisTest(() => abort.abort());
    const options = { runId: null, after: null, signal: abort.signal };
    const changes = tidemark.app.get(ChangeStream).follow(someone.userId, options);
    expect(await changes.next()).toMatchObject({ value: { position: 1 } });
    // The client takes the first one only now.
    await change();
    expect(await changes.next()).toMatchObject({ value: { position: 2, kinds: ['balances'] } });
  });

  it('an event stream continues with everything that changed since Last-Event-ID', async () => {
    const leave = new AbortController();
    afterThisTest(() => leave.abort());
    const { seal } = await readLogState(tidemark.em(), client.userId);
    const first = feedCursorText(seal, { done: 0, page: null });
    const response = await listen('/api/v1/events', { 'Last-Event-ID': first }, leave.signal);
    for await (const { data } of eventsOf(response)) {
      expect(data.id).toBe(syncId);
      break;
    }
  });

  it('an event stream works on an instance that runs no syncs, and continues on any instance', async () => {
    const api = await startTestApp({ ROLE: 'api' }, tidemark.clock, tidemark.database);
    afterThisTest(api.stop);
    const leave = new AbortController();
    afterThisTest(() => leave.abort());
    let last = '';
    for await (const { id } of eventsOf(await listen(`/api/v1/syncs/${syncId}/events`))) last = id;
    const headers = { 'X-Api-Key': client.key, 'Last-Event-ID': last };
    const response = await open(`${api.url}/api/v1/events`, { headers, signal: leave.signal });
    const { body } = await client.get(`/api/v1/syncs/${syncId}`);
    const { id } = (await client.post(`/api/v1/connections/${body.connection_id}/sync`)).body;
    const events: ReadEvent[] = [];
    for await (const event of eventsOf(response)) {
      events.push(event);
      if (event.data.status === 'failed') break;
    }
    const syncs = events.filter(({ name }) => name === 'sync');
    expect(new Set(syncs.map(({ data }) => data.id))).toEqual(new Set([id]));
    const { seal } = await readLogState(tidemark.em(), client.userId);
    const revisions = syncs.map((event) => parseFeedCursor(event.id, seal)!.done!);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    const resumed = await listen('/api/v1/events', { 'Last-Event-ID': events.at(-1)!.id });
    for await (const event of eventsOf(resumed)) {
      expect(event).toEqual(events.at(-1));
      break;
    }
  });

  it('an event stream begins with a reset if Last-Event-ID cannot be read', async () => {
    const { seal } = await readLogState(tidemark.em(), client.userId);
    const whole = feedCursorText(seal, { done: 1, page: null });
    for (const last of ['nonsense', whole.slice(0, -2)]) {
      for await (const { name } of eventsOf(await listen('/api/v1/events', { 'Last-Event-ID': last }))) {
        expect(name).toBe('reset');
        break;
      }
    }
  });

  describe('event streams that are interrupted', () => {
    let person: TestClient;
    beforeEach(async () => (person = await createClient(tidemark)));

    /** Sends these runs and a change of balances in one transaction. */
    const change = (...runIds: string[]) =>
      tidemark.em().transactional(async (em) => {
        for (const id of runIds) {
          await em.execute(
            `insert into sync_runs (user_id, id, trigger, status, step, queued_at, finished_at)
             values (?, ?, 'person', 'failed', 'waiting', now(), now())`,
            [person.userId, id],
          );
          noteProgress({ userId: person.userId, id });
        }
        noteChanges(person.userId, { kind: 'balances' });
      });

    async function* follow(last?: string): AsyncGenerator<ReadEvent> {
      const leave = new AbortController();
      afterThisTest(() => leave.abort());
      const headers = { 'X-Api-Key': person.key, ...(last && { 'Last-Event-ID': last }) };
      yield* stepsOf(await listen('/api/v1/events', headers, leave.signal));
    }

    /** What comes after a position, up to and with the `changes` that follow this run. */
    async function after(last: string, runId: string): Promise<ReadEvent[]> {
      const events: ReadEvent[] = [];
      for await (const event of follow(last)) {
        if (event.name) events.push(event);
        if (event.name === 'changes' && events.some(({ data }) => data.id === runId)) break;
      }
      return events;
    }

    it('an event stream has an event id before any change, and continues from it without a gap', async () => {
      const [{ value: first }, runId] = [await follow().next(), randomUUID()];
      expect(first).toMatchObject({ id: expect.stringMatching(/./), name: '' });
      await change(runId);
      expect((await after(first!.id, runId)).map(({ name }) => name)).toEqual(['sync', 'changes']);
    });

    it('an event stream has an event id after a reset', async () => {
      const steps = follow('nonsense');
      expect((await steps.next()).value).toMatchObject({ id: '', name: 'reset' });
      expect((await steps.next()).value).toMatchObject({ id: expect.stringMatching(/./), name: '' });
    });

    it('an event stream interrupted between two events of one change repeats the first and skips none', async () => {
      const stream = follow();
      const { value: start } = await stream.next();
      const runIds = [randomUUID(), randomUUID()];
      await change(...runIds);
      const seen: ReadEvent[] = [];
      for await (const event of stream) {
        seen.push(event);
        if (event.name === 'changes') break;
      }
      expect(seen.map(({ name }) => name)).toEqual(['sync', 'sync', 'changes']);
      expect(seen.map(({ id }) => id === start!.id)).toEqual([true, true, false]);
      const marker = randomUUID();
      await change(marker);
      for (const { id } of seen.slice(0, 2)) {
        const events = await after(id, marker);
        expect(events.map(({ data }) => data.id)).toEqual(expect.arrayContaining(runIds));
        expect(events.at(-1)!.data.types).toContain('balances');
      }
      const later = await after(seen[2]!.id, marker);
      expect(later.filter(({ name }) => name === 'sync').map(({ data }) => data.id)).toEqual([marker]);
    });
  });

  it('a HEAD request of an event stream gets only its headers', async () => {
    const { status, body } = await send(`${tidemark.url}/api/v1/events`, {
      method: 'HEAD',
      headers: { 'X-Api-Key': client.key },
    });
    expect([status, body]).toEqual([200, '']);
  });

  it('the event stream of an unknown sync is 404', async () => {
    expect((await client.get('/api/v1/syncs/nonsense/events')).status).toBe(404);
  });
});
