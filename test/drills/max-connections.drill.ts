import pg from 'pg';
import { type Drill, judge } from './drill.js';
import { type Answer, areAll, ask, count, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import type { DrillPostgres } from './harness/postgres.js';
import { seconds } from './harness/waiting.js';

const MAX_CONNECTIONS = 60;
const LANES = 16;
const EACH = 12;
const WELL_MS = 10_000;

/** Takes every session that the server has, also those that the service had. */
async function takeAll(postgres: DrillPostgres): Promise<pg.Client[]> {
  const taken = [await postgres.connect()];
  for (let round = 0; round < 3; round++) {
    await taken[0]!.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where backend_type = 'client backend' and pid <> all($1::int[])`,
      [await Promise.all(taken.map(pidOf))],
    );
    for (let session = await tryConnect(postgres); session; session = await tryConnect(postgres)) taken.push(session);
  }
  return taken;
}

async function tryConnect(postgres: DrillPostgres): Promise<pg.Client | null> {
  const client = new pg.Client(postgres.url);
  client.on('error', () => undefined);
  return client.connect().then(
    () => client,
    () => null,
  );
}

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}

export const drill: Drill = {
  name: 'max-connections',
  expectation:
    'When other clients hold all connections of PostgreSQL, requests are answered 503 with Retry-After and never 500; when they leave, the instance is ready by itself.',
  sentence: 1,
  async run(context) {
    const postgres = await context.startPostgres(MAX_CONNECTIONS);
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    const taken = await takeAll(postgres);
    const lanes = Array.from({ length: LANES }, async (_, lane) => {
      const answers: Answer[] = [];
      for (let turn = 0; turn < EACH; turn++) {
        answers.push(await person.get(`/api/v1/accounts?page=${lane * EACH + turn + 1}`));
        answers.push(await ask(`${service.url}/sign-in`));
      }
      return answers;
    });
    const answers = (await Promise.all(lanes)).flat();
    await Promise.all(taken.map((client) => client.end()));
    const readyMs = await service.readyWithin(WELL_MS);
    const after = await person.get('/api/v1/accounts?page=9999', { timeoutMs: 5_000 });
    const figure =
      `${taken.length} sessions taken: ${tally(answers)}, slowest ${seconds(slowest(answers))}; ` +
      `left: ready ${readyMs === null ? 'never' : `after ${seconds(readyMs)}`}, ${tally([after])}`;
    return judge(figure, {
      'only 200 and 503, with Retry-After': areAll(answers, 200, 503),
      'the limit was met': count(answers, 200) < answers.length,
      'well again': readyMs !== null && after.status === 200,
    });
  },
};
