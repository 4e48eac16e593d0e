import { type Drill, judge } from './drill.js';
import { ask, slowest } from './harness/http.js';
import { Person } from './harness/person.js';
import { seconds } from './harness/waiting.js';

const LIMIT_MS = 5_000;
/** Of the process, counted without the database. */
const OF_THE_PROCESS = ['tidemark_http_request_seconds', 'tidemark_build_info', 'process_resident_memory_bytes'];

export const drill: Drill = {
  name: 'metrics-without-database',
  expectation:
    'While PostgreSQL is frozen, and while it is away, /metrics answers with everything that the process knows, and with all once it is back.',
  sentence: 17,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    await Person.signUp(service);
    const scrape = () => ask(`${service.url}/metrics`, { timeoutMs: 2 * LIMIT_MS });
    const names = (text: string) => new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
    const before = await scrape();
    postgres.freeze();
    const frozen = await scrape();
    postgres.thaw();
    await postgres.stop('SIGINT');
    const away = await scrape();
    await postgres.startAgain();
    await service.readyWithin(60_000);
    const after = await scrape();
    const all = [before, frozen, away, after];
    const counts = all.map(({ status, text }) => `${status} with ${names(text).size} metrics`);
    const figure = `before ${counts[0]}, frozen ${counts[1]}, away ${counts[2]}, back ${counts[3]}; slowest ${seconds(slowest(all))}`;
    const has = (text: string) => OF_THE_PROCESS.every((name) => names(text).has(name));
    return judge(figure, {
      'each is answered': all.every(({ status, ms }) => status === 200 && ms < LIMIT_MS),
      'those of the process are there': all.every(({ text }) => has(text)),
      'all are back': [...names(before.text)].every((name) => names(after.text).has(name)),
    });
  },
};
