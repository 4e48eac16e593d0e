import { randomUUID } from 'node:crypto';
import { type Drill, judge } from './drill.js';
import { areAll, ask, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import type { DrillService } from './harness/service.js';
import { seconds } from './harness/waiting.js';

const CLIENTS = 16;
const READY_MS = 3_000;
/** Statement and connect limit as set below, and room for a busy machine. */
const ANSWER_MS = 12_000;
/** All at once they also wait for a session of the pool. */
const ROUTES_MS = 20_000;
const WELL_MS = 10_000;
const LIMITS = {
  DATABASE_STATEMENT_TIMEOUT_MS: '2000',
  DATABASE_LOCK_TIMEOUT_MS: '1000',
  DATABASE_CONNECT_TIMEOUT_MS: '2000',
};
const PAGES = ['/', '/accounts/x', '/connections', '/connections/new', '/keys', '/settings', '/sign-in', '/sign-up'];

/** Everything the document says can be read with an API key. */
async function routesOf({ url }: DrillService): Promise<string[]> {
  const { text } = await ask(`${url}/openapi.json`);
  const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> };
  return Object.keys(paths)
    .filter((path) => path.startsWith('/api/') && 'get' in paths[path]!)
    .map((path) => path.replace(/\{\w+\}/g, randomUUID()));
}

export const drill: Drill = {
  name: 'frozen-database',
  expectation:
    'While PostgreSQL is frozen, ready is 503 within 3 s, live is 200, metrics are 200 and say that the database is away, and every request is answered 503 within the limits; when it thaws, the instance is ready again.',
  sentence: 1,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres, LIMITS);
    const person = await Person.signUp(service);
    await Promise.all(Array.from({ length: CLIENTS }, () => person.get('/api/v1/accounts')));
    const paths = await routesOf(service);
    postgres.freeze();
    context.onEnd(() => postgres.thaw());
    const [ready, live, metrics, ...answers] = await Promise.all([
      ask(`${service.url}/health/ready`, { timeoutMs: ANSWER_MS }),
      ask(`${service.url}/health/live`, { timeoutMs: ANSWER_MS }),
      ask(`${service.url}/metrics`, { timeoutMs: ANSWER_MS }),
      ...Array.from({ length: CLIENTS }, (_, page) =>
        person.get(`/api/v1/transactions?page=${page + 1}`, { timeoutMs: ANSWER_MS }),
      ),
    ]);
    const routes = await Promise.all(
      [...paths, ...PAGES].map(async (path) => {
        const headers = { Cookie: person.cookie };
        return { path, answer: await person.get(path, { timeoutMs: ROUTES_MS, headers }) };
      }),
    );
    const others = routes.filter(({ answer }) => !areAll([answer], 503));
    postgres.thaw();
    const readyMs = await service.readyWithin(WELL_MS);
    const after = await person.get('/api/v1/transactions', { timeoutMs: 5_000 });
    const figure =
      `frozen: ready ${tally([ready])} after ${seconds(ready.ms)}, live ${tally([live])}, ` +
      `metrics ${tally([metrics])} after ${seconds(metrics.ms)}, requests ${tally(answers)}, slowest ${seconds(slowest(answers))}, ` +
      `${routes.length} routes ${tally(routes.map(({ answer }) => answer))}${others.map(({ path }) => ` ${path}`).join()}; ` +
      `thawed: ready ${readyMs === null ? 'never' : `after ${seconds(readyMs)}`}, request ${tally([after])}`;
    return judge(figure, {
      'ready is 503 in time': ready.status === 503 && ready.ms < READY_MS,
      'live is 200': live.status === 200,
      'metrics say it': metrics.status === 200 && metrics.text.includes('tidemark_database_up 0'),
      'every request is answered 503': areAll(answers, 503),
      'every route is answered 503': others.length === 0,
      'well again': readyMs !== null && after.status === 200,
    });
  },
};
