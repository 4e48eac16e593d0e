import { type Drill, judge } from './drill.js';
import { type Answer, count, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { pause, seconds } from './harness/waiting.js';

/** The deadline of 20 s, and room for a busy machine. */
const ANSWER_MS = 25_000;
const JOINS_AFTER_MS = 3_000;

export const drill: Drill = {
  name: 'silent-connect',
  expectation:
    'Connecting a bank that never answers ends with 502 within 20 s, also for who pastes the same secret meanwhile; more at a time than a key may have are refused with 429.',
  sentence: 3,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    const provider = await context.startProvider();
    provider.play('silence');
    const connect = (code: string): Promise<Answer> => {
      const setup_token = Buffer.from(`${provider.url}/claim/${code}`).toString('base64');
      const body = { provider: 'us_provider', setup_token };
      return person.send('POST', '/api/v1/connections', body, { timeoutMs: 2 * ANSWER_MS });
    };
    const first = connect('one');
    await pause(JOINS_AFTER_MS);
    const answers = await Promise.all([first, ...['one', 'two', 'three', 'four', 'five'].map(connect)]);
    const unanswered = answers.filter(({ status }) => status === 502);
    const figure = `${tally(answers)}, slowest ${seconds(slowest(answers))}`;
    return judge(figure, {
      'each is answered': count(answers, 502, 429) === answers.length,
      'in time': slowest(answers) < ANSWER_MS,
      'more than a key may have are refused': count(answers, 429) > 0 && unanswered.length > 0,
    });
  },
};
