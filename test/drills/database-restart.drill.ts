import { type Drill, judge } from './drill.js';
import { type Answer, areAll, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { pause, seconds } from './harness/waiting.js';

const READERS = 16;
const BETWEEN_MS = 20;
const WELL_MS = 15_000;
const ANSWER_MS = 12_000;

export const drill: Drill = {
  name: 'database-restart',
  expectation:
    'While PostgreSQL restarts under 16 readers, once in order and once by kill -9, every request is answered with 200 or 503, and the instance is ready again by itself.',
  sentence: 1,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    const answers: Answer[] = [];
    let isOver = false;
    const readers = Array.from({ length: READERS }, async (_, reader) => {
      for (let page = reader; !isOver; page += READERS) {
        answers.push(await person.get(`/api/v1/balances?page=${page + 1}`, { timeoutMs: ANSWER_MS }));
        await pause(BETWEEN_MS);
      }
    });
    const readyMs: (number | null)[] = [];
    for (const signal of ['SIGINT', 'SIGKILL'] as const) {
      await pause(500);
      await postgres.stop(signal);
      await pause(500);
      await postgres.startAgain();
      readyMs.push(await service.readyWithin(WELL_MS));
    }
    await pause(500);
    isOver = true;
    await Promise.all(readers);
    const after = await person.get('/api/v1/balances', { timeoutMs: 5_000 });
    const times = readyMs.map((ms) => (ms === null ? 'never' : seconds(ms))).join(' and ');
    const figure = `${tally(answers)}, slowest ${seconds(slowest(answers))}; ready after ${times}; then ${tally([after])}`;
    return judge(figure, {
      'only 200 and 503': areAll(answers, 200, 503),
      'ready again': readyMs.every((ms) => ms !== null),
      'well again': after.status === 200,
    });
  },
};
