import { randomUUID } from 'node:crypto';
import { get, type IncomingMessage } from 'node:http';
import { noteProgress } from '../../src/sync/events/run-events.js';
import { createClient, startTestApp, type TestApp, type TestClient } from '../support/app.js';
import { readLogState } from '../../src/sync/change-feed/change-log.js';
import { feedCursorText } from '../../src/sync/change-feed/cursor.js';
import { until } from '../support/syncs.js';

describe('limits of event streams', () => {
  let tidemark: TestApp;
  const streams: IncomingMessage[] = [];

  const start = async (environment: NodeJS.ProcessEnv = {}) => {
    tidemark = await startTestApp(environment);
  };
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.destroy();
    await tidemark.stop();
  });

  /** Nothing of it is read. */
  async function listen({ key }: TestClient, path = '/api/v1/events'): Promise<IncomingMessage> {
    const stream = await new Promise<IncomingMessage>((resolve, reject) => {
      get(tidemark.url + path, { headers: { 'X-Api-Key': key }, agent: false }, resolve).on('error', reject);
    });
    stream.on('error', () => undefined);
    streams.push(stream);
    return stream;
  }

  const statusAndWait = ({ statusCode, headers }: IncomingMessage) => [statusCode, headers['retry-after']];

  /** Changes runs, new ones or known ones, in one transaction. */
  async function change({ userId }: TestClient, ids: string[], step = 'waiting'): Promise<void> {
    await tidemark.em().transactional(async (em) => {
      for (const id of ids) {
        await em.execute(
          `insert into sync_runs (user_id, id, trigger, status, step, queued_at)
           values (?, ?, 'person', 'failed', ?, now()) on conflict do nothing`,
          [userId, id, step],
        );
      }
      for (const id of ids) noteProgress({ userId, id });
    });
  }

  it('event streams are limited per API key and per user', async () => {
    await start({ MAX_EVENT_STREAMS_PER_KEY: '2', MAX_EVENT_STREAMS_PER_PERSON: '3' });
    const [client, other] = [await createClient(tidemark), await createClient(tidemark)];
    for (let i = 0; i < 2; i++) expect((await listen(client)).statusCode).toBe(200);
    expect(statusAndWait(await listen(client))).toEqual([429, '5']);
    expect((await listen(other)).statusCode).toBe(200);
    streams[0]!.destroy();
    await until(
      async () => ((await listen(client)).statusCode === 200 ? true : null),
      'free of a stream that has gone',
    );
  });

  it('event streams are limited per instance', async () => {
    await start({ MAX_EVENT_STREAMS: '3', MAX_EVENT_STREAMS_PER_KEY: '2' });
    const [client, other] = [await createClient(tidemark), await createClient(tidemark)];
    for (const each of [client, client, other]) expect((await listen(each)).statusCode).toBe(200);
    expect(statusAndWait(await listen(other))).toEqual([503, '5']);
    expect((await other.get('/api/v1/accounts')).status).toBe(200);
  });

  it('a reconnected event stream gets all missed events in order, also after a long time', async () => {
    await start();
    const client = await createClient(tidemark);
    await listen(client);
    const runIds = Array.from({ length: 250 }, () => randomUUID());
    for (let i = 0; i < runIds.length; i += 50) await change(client, runIds.slice(i, i + 50));
    const { key, userId } = client;
    const { seal } = await readLogState(tidemark.em(), userId);
    const leave = new AbortController();
    const response = await fetch(`${tidemark.url}/api/v1/events`, {
      headers: { 'X-Api-Key': key, 'Last-Event-ID': feedCursorText(seal, { done: 2, page: null }) },
      signal: leave.signal,
    });
    let seen: string[] = [];
    let text = '';
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      seen = [...text.matchAll(/^event: sync\ndata: {"id":"([^"]+)"/gm)].map(([, run]) => run!);
      if (seen.length >= 150) break;
    }
    leave.abort();
    expect(seen).toHaveLength(150);
    for (let i = 0; i < seen.length; i += 50) {
      expect(new Set(seen.slice(i, i + 50))).toEqual(new Set(runIds.slice(100 + i, 150 + i)));
    }
  });
});
