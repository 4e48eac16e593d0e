import { type Drill, judge } from './drill.js';
import { areAll, count, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { seconds } from './harness/waiting.js';

const ROUNDS = 23;
const ON_ACCOUNTS = ['/api/v1/accounts', '/api/v1/holdings', '/api/v1/transactions'];
const PAUSE_MS = 100;
/** The limits for the lock and for a connection of the pool, and room for a busy machine. */
const ANSWER_MS = 15_000;

export const drill: Drill = {
  name: 'locked-table',
  expectation:
    'While another session locks the accounts, every request is answered within the limits, with 503 where it needs them, and at once with 200 after the lock is gone.',
  sentence: 1,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    const other = await postgres.connect();
    await other.query('begin; lock table accounts in access exclusive mode');
    const asked = [];
    for (let round = 0; round < ROUNDS; round++) {
      // The page is another each time, so that no answer can come from memory.
      for (const path of ON_ACCOUNTS) asked.push(person.get(`${path}?page=${round + 1}`, { timeoutMs: 30_000 }));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    const answers = await Promise.all(asked);
    await other.query('rollback');
    const after = await Promise.all(ON_ACCOUNTS.map((path) => person.get(`${path}?page=100`, { timeoutMs: 5_000 })));
    const figure = `${tally(answers)}, slowest ${seconds(slowest(answers))}; after the lock: ${tally(after)}`;
    return judge(figure, {
      'every request is answered': areAll(answers, 200, 503),
      'the lock was met': count(answers, 503) > 0,
      'within the limits': slowest(answers) < ANSWER_MS,
      'well again': areAll(after, 200),
    });
  },
};
