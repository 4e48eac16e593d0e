import pg from 'pg';
import { verifyWebhook } from '../../../client/src/webhooks.js';
import { noteChanges } from '../../../src/database/change-log/note-changes.js';
import { PROVIDERS } from '../../../src/providers/installed.js';
import {
  createClient,
  LOCAL_PROVIDER,
  startTestApp,
  StillClock,
  type TestApp,
  type TestClient,
} from '../../support/app.js';
import { OF_THIS_DATABASE } from '../../support/lock-wait.js';
import { type Running, start, waitFor } from '../../support/run-process.js';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.js';

const APP_SECRET = 'a root secret for the tests of webhooks and processes';
const GATE = 4_343;
const TIMEOUT_MS = 300_000;
/** Where a worker is when it is killed. */
const DELIVERIES = {
  'with nothing stored yet': ['insert', 'true'],
  'with an answer that is not written down': ['update', `new.status = 'delivered'`],
} as const;

describe('webhooks of a worker killed with kill -9', () => {
  let tidemark: TestApp;
  let client: TestClient;
  let receiver: ScriptedServer;
  let session: pg.Client;
  const workers: Running[] = [];

  beforeAll(async () => {
    const clock = new StillClock(new Date());
    tidemark = await startTestApp({ ...LOCAL_PROVIDER, ROLE: 'api' }, clock, undefined, PROVIDERS, [APP_SECRET]);
    client = await createClient(tidemark);
    receiver = await startScriptedServer();
    session = new pg.Client(tidemark.database.url);
    await session.connect();
  });
  afterAll(async () => {
    for (const { child } of workers) child.kill('SIGKILL');
    await Promise.all(workers.map(({ finished }) => finished));
    await session.end();
    await receiver.stop();
    await tidemark.stop();
  });

  async function startWorker(): Promise<Running> {
    const worker = start('main', [], {
      DATABASE_URL: tidemark.database.url,
      APP_SECRET,
      PORT: '0',
      ROLE: 'worker',
      SYNC_CRON: 'off',
      ...LOCAL_PROVIDER,
    });
    workers.push(worker);
    await worker.line(/listening/);
    return worker;
  }

  const syncId = (n: number) => `7b0c1f5e-2f4d-4c1e-9a53-0d7f6c1b2a1${n}`;
  const commit = (n: number) =>
    tidemark
      .em()
      .transactional(() =>
        Promise.resolve(noteChanges(client.userId, { kind: 'syncs', ids: [syncId(n)], event: 'sync.finished' })),
      );

  /** Holds a worker up at a statement. @returns what lets it go on */
  async function closeGate(event: string, condition: string): Promise<() => Promise<unknown>> {
    await session.query('select pg_advisory_lock($1)', [GATE]);
    await session.query(`create or replace function gate() returns trigger language plpgsql as $$ begin
      if ${condition} then perform pg_advisory_xact_lock_shared(${GATE}); end if; return new; end $$`);
    await session.query(
      `create or replace trigger gate before ${event} on webhook_deliveries for each row execute function gate()`,
    );
    return async () => {
      await session.query('select pg_advisory_unlock($1)', [GATE]);
      await session.query('drop trigger gate on webhook_deliveries');
    };
  }

  async function isHeldUp(): Promise<boolean> {
    const { rowCount } = await session.query(
      `select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted and ${OF_THIS_DATABASE}`,
    );
    return rowCount === 1;
  }

  async function kill({ child, finished }: Running): Promise<void> {
    child.kill('SIGKILL');
    await finished;
  }

  /** In place of waiting until the worker's heart is missed: its jobs are as if it had not beaten for long. */
  const missHeart = () =>
    session.query(`update pgboss.job set heartbeat_on = now() - interval '1 hour' where state = 'active'`);

  it(
    'a webhook gets every change once and in order although its worker was killed at any point',
    async () => {
      const created = await client.post('/api/v1/webhooks', {
        url: `${receiver.url}/hook`,
        event_types: ['sync.finished'],
      });
      let changes = 0;
      for (const [event, condition] of Object.values(DELIVERIES)) {
        receiver.play({ status: 204 });
        const worker = await startWorker();
        const open = await closeGate(event, condition);
        await commit(++changes);
        await waitFor(isHeldUp, 'held up');
        await kill(worker);
        await open();
        await missHeart();
      }
      // The message is out, and nobody hears the answer.
      receiver.play('silence');
      const worker = await startWorker();
      await commit(++changes);
      const before = receiver.requests.length;
      await waitFor(() => receiver.requests.length > before, 'sent');
      await kill(worker);
      await missHeart();

      receiver.play({ status: 204 });
      await commit(++changes);
      await startWorker();
      const seen = new Map<string, string>();
      await waitFor(() => {
        for (const { headers, body } of receiver.requests) seen.set(String(headers['webhook-id']), body);
        return seen.size >= changes;
      }, 'told of all');
      const told = [...seen.values()].map((body) => (JSON.parse(body) as { data: { sync_id: string } }).data.sync_id);
      expect(told).toEqual(Array.from({ length: changes }, (_, index) => syncId(index + 1)));
      for (const { headers, body } of receiver.requests) {
        expect(seen.get(String(headers['webhook-id']))).toBe(body);
        await verifyWebhook({ body, headers, secrets: created.body.secret as string });
      }
      // One was sent again whose answer was not written down, or not heard.
      expect(receiver.requests.length).toBeGreaterThan(changes);
      await waitFor(async () => {
        const { rowCount } = await session.query(`select from webhook_deliveries where status <> 'delivered'`);
        return rowCount === 0;
      }, 'written down');
    },
    TIMEOUT_MS,
  );
});
