import { type Drill, judge } from './drill.js';
import { type Answer, areAll, ask, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { pause, seconds } from './harness/waiting.js';

const BETWEEN_MS = 100;
const BEFORE_MS = 2_000;
/** Longer than opening a session may take: the next one, for whoever waits, opens when they have given up. */
const FROZEN_MS = 8_000;
const WELL_MS = 15_000;
const ANSWER_MS = 30_000;
/** The pools close what is idle after 10 s. */
const QUIET_MS = 12_000;
const PATHS = [
  ...['/api/v1/balances', '/sign-in', '/metrics', '/api/v1/accounts', '/health/ready', '/api/v1/me'],
  '/api/v1/transactions?per_page=50',
];

export const drill: Drill = {
  name: 'late-sessions',
  expectation:
    'PostgreSQL freezes under load and thaws, which opens sessions that nobody waits for any more; whether the server is killed then, or these sessions are closed because they are idle, the instance keeps serving.',
  sentence: 1,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    context.onEnd(() => postgres.thaw());
    const answers: Answer[] = [];
    const asked: Promise<unknown>[] = [];
    const askFor = async (ms: number) => {
      const endsAt = performance.now() + ms;
      for (let turn = 0; performance.now() < endsAt; turn++) {
        const answer = person.get(PATHS[turn % PATHS.length]!, { timeoutMs: ANSWER_MS });
        asked.push(answer.then((answer) => answers.push(answer)));
        await pause(BETWEEN_MS);
      }
    };
    const freeze = async () => {
      await askFor(BEFORE_MS);
      postgres.freeze();
      await askFor(FROZEN_MS);
      postgres.thaw();
      await Promise.all(asked);
    };

    await freeze();
    await postgres.stop('SIGKILL');
    await postgres.startAgain();
    const readyMs = await service.readyWithin(WELL_MS);
    await freeze();
    await pause(QUIET_MS);
    const idle = await ask(`${service.url}/health/ready`, { timeoutMs: WELL_MS });
    const { ending } = service.process;
    const figure =
      `${tally(answers)}, slowest ${seconds(slowest(answers))}; ` +
      `after the server was killed: ready ${readyMs === null ? 'never' : `after ${seconds(readyMs)}`}; ` +
      `after idle sessions were closed: ready ${tally([idle])}` +
      (ending ? `; the service ended with ${ending.code}` : '');
    return judge(figure, {
      'only 200 and 503': areAll(answers, 200, 503),
      'ready after the server was killed': readyMs !== null,
      'ready after idle sessions were closed': idle.status === 200,
      'the service has not ended': !ending,
    });
  },
};
