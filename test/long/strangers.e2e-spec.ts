import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import pg from 'pg';
import { type Answer, areAll, ask, percentile, postForm, tally } from '../drills/harness/http.js';
import { Person } from '../drills/harness/person.js';
import { addTransactions } from '../drills/harness/rows.js';
import { OpenStream } from '../drills/harness/streams.js';
import { pause } from '../drills/harness/waiting.js';
import { LOCAL_PROVIDER } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type InstantBank, startInstantBank } from '../support/instant-bank.js';
import { type Running, start } from '../support/run-process.js';

const ASK_EVERY_MS = 100;
const BASELINE_MS = 2_000;
const PLAY_MS = 4_000;
/** How much longer others may wait than before, 19 of 20 of them: a busy machine may keep some waiting by itself. */
const MAX_DELAY_MS = 1_000;
/** More than the buffers between the service and a client that does not read: 10 MB. */
const ROWS = 48_000;

describe('what a stranger does to the service', () => {
  let database: TestDatabase;
  let bank: InstantBank;
  let service: Running;
  let url: string;
  let neighbour: Person;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    database = await createTestDatabase();
    bank = await startInstantBank(new Date().toISOString().slice(0, 10), 1);
    service = start('main', [], {
      ...LOCAL_PROVIDER,
      DATABASE_URL: database.url,
      APP_SECRET: 'a root secret for the tests of strangers',
      PORT: '0',
      SYNC_CRON: 'off',
      SIGN_UP: 'open',
    });
    [, url = ''] = await service.line(/^listening on (.*)$/m);
    neighbour = await Person.signUp({ url });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(async () => {
    service.child.kill('SIGTERM');
    expect((await service.finished).code).toBe(0);
    await bank.server.stop();
    await database.drop();
  });

  /** Asks as others do, at a steady rate whether or not answers come, until the work is done. */
  async function othersDuring(work: Promise<unknown>): Promise<Answer[]> {
    const questions = [
      () => neighbour.get('/api/v1/accounts'),
      () => ask(`${url}/sign-in`),
      () => ask(`${url}/health/ready`),
    ];
    const asked: Promise<Answer>[] = [];
    const timer = setInterval(() => asked.push(questions[asked.length % questions.length]!()), ASK_EVERY_MS);
    await work.finally(() => clearInterval(timer));
    return Promise.all(asked);
  }

  /** Plays what a stranger does. Fails when others are not answered, or wait for a second longer than before. */
  async function besideOthers<Seen>(play: () => Promise<Seen>): Promise<Seen> {
    const before = await othersDuring(pause(BASELINE_MS));
    const played = play();
    const during = await othersDuring(Promise.all([played, pause(PLAY_MS)]));
    expect(tally(during)).toBe(`${during.length} × 200`);
    expect(percentile(during, 0.95) - percentile(before, 0.95)).toBeLessThan(MAX_DELAY_MS);
    expect(service.child.exitCode).toBeNull();
    return played;
  }

  const times = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => make(index));

  /** Sends bytes and reads the beginning of an answer only. */
  function send(text: string): { status: () => number } {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let status = 0;
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      status = Number(/^HTTP\/1\.1 (\d+)/.exec(String(chunk))?.[1] ?? 0);
      socket.pause();
    });
    sockets.push(socket);
    return { status: () => status };
  }

  const head = (method: string, path: string, headers: Record<string, string>) =>
    [`${method} ${path} HTTP/1.1`, ...Object.entries({ Host: 'localhost', ...headers }).map((each) => each.join(': '))]
      .concat('', '')
      .join('\r\n');

  it('forty sign-ups at once are all answered and delay nobody else by a second', async () => {
    const form = { password: 'correct horse battery', time_zone: 'UTC' };
    const answers = await besideOthers(() =>
      Promise.all(times(40, (index) => postForm(`${url}/sign-up`, { ...form, email: `storm-${index}@example.com` }))),
    );
    expect([tally(answers), areAll(answers, 303, 429, 503)]).toEqual([expect.any(String), true]);
  });

  it('thirty exports that nobody reads are begun or refused and delay nobody else by a second', async () => {
    const person = await Person.signUp({ url });
    await person.connect(bank.setupToken('reader'));
    const session = new pg.Client(database.url);
    await session.connect();
    await addTransactions(session, person.email, ROWS).finally(() => session.end());
    const statuses = await besideOthers(async () => {
      const exports = times(30, () => send(head('GET', '/settings/export', { Cookie: person.cookie })));
      await pause(PLAY_MS);
      return exports.map(({ status }) => status());
    });
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).toEqual([]);
    expect(new Set(statuses).size).toBeGreaterThan(1);
  });

  it('250 event streams of one key are opened or refused and delay nobody else by a second', async () => {
    const person = await Person.signUp({ url });
    const streams = await besideOthers(() =>
      Promise.all(times(250, () => OpenStream.open(`${url}/api/v1/events`, { 'X-Api-Key': person.key }))),
    );
    for (const stream of streams) stream.close();
    const refused = streams.filter(({ status, retryAfter }) => status === 429 && retryAfter);
    const open = streams.filter(({ status }) => status === 200);
    expect([open.length > 0, refused.length > 0, open.length + refused.length]).toEqual([true, true, 250]);
  });

  it('two people whose requests all wait for a lock delay nobody else by a second', async () => {
    const people = [await Person.signUp({ url }), await Person.signUp({ url })];
    const session = new pg.Client(database.url);
    await session.connect();
    await session.query('begin; lock table transactions in access exclusive mode');
    const [asked] = await besideOthers(async () => {
      const answers = people.flatMap(({ cookie }) =>
        times(20, () => ask(`${url}/transactions?q=coffee`, { headers: { Cookie: cookie }, timeoutMs: 60_000 })),
      );
      await pause(PLAY_MS);
      return [Promise.all(answers)];
    });
    await session.end();
    const answers = await asked;
    expect([tally(answers), areAll(answers, 200, 503)]).toEqual([expect.any(String), true]);
  });

  it('three hundred bodies that do not end delay nobody else by a second', async () => {
    const json = { 'X-Api-Key': neighbour.key, 'Content-Type': 'application/json', 'Content-Length': '100' };
    const form = {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': '100',
      'Sec-Fetch-Site': 'same-origin',
    };
    await besideOthers(async () => {
      for (let count = 0; count < 150; count++) {
        send(`${head('POST', '/api/v1/connections', json)}{`);
        send(`${head('POST', '/sign-in', form)}email=`);
      }
      await pause(PLAY_MS);
    });
  });

  it('a thousand pipelined requests of one connection are answered in turn and delay nobody else by a second', async () => {
    const request = head('GET', '/api/v1/me', { 'X-Api-Key': 'nobody' });
    const last = head('GET', '/api/v1/me', { 'X-Api-Key': 'nobody', Connection: 'close' });
    const text = await besideOthers(async () => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname, () => socket.write(request.repeat(999) + last));
      let received = '';
      socket.on('data', (chunk) => (received += String(chunk)));
      await once(socket, 'close');
      return received;
    });
    expect(text.match(/HTTP\/1\.1 (401|429) /g)).toHaveLength(1_000);
  });
});
