import { type Drill, judge } from './drill.js';
import { type Answer, areAll, ask, count, tally } from './harness/http.js';
import { Person } from './harness/person.js';

const LIMIT = 30;
const LIMIT_OF_NETWORK = 10 * LIMIT;
const AT_ONCE = 20;

/** Asks until it is limited, some at a time. A minute may end in the middle, so that twice the limit is answered. */
async function flood(limit: number, send: () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  while (count(answers, 429) === 0 && answers.length <= 2 * limit) {
    answers.push(...(await Promise.all(Array.from({ length: AT_ONCE }, send))));
  }
  return answers;
}

export const drill: Drill = {
  name: 'page-rate-limit',
  expectation:
    'A person who asks for pages without end, and a stranger who does, are answered 429 with a time to wait; everybody else is answered as before, people who have signed in at the stranger’s address included.',
  sentence: 3,
  async run(context) {
    const postgres = await context.startPostgres();
    const limits = { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUSTED_PROXIES: 'loopback' };
    const service = await context.startService(postgres, limits);
    const [greedy, neighbour] = [await Person.signUp(service), await Person.signUp(service)];
    const from = (address: string, path: string, cookie?: string) =>
      ask(service.url + path, { headers: { 'X-Forwarded-For': address, ...(cookie && { Cookie: cookie }) } });

    const pages = await flood(LIMIT, () => from('192.0.2.1', '/keys', greedy.cookie));
    const strangers = await flood(LIMIT_OF_NETWORK, () => from('192.0.2.1', '/sign-in'));
    const others = await Promise.all([
      from('192.0.2.1', '/keys', neighbour.cookie),
      from('192.0.2.2', '/sign-in'),
      from('192.0.2.1', '/health/ready'),
      neighbour.get('/api/v1/accounts'),
    ]);
    const figure = `one person: ${tally(pages)}; one address: ${tally(strangers)}; others: ${tally(others)}`;
    const isLimited = (answers: Answer[], limit: number) =>
      areAll(answers, 200, 429) && count(answers, 429) > 0 && count(answers, 200) <= 2 * limit;
    return judge(figure, {
      'the person is limited': isLimited(pages, LIMIT),
      'the address is limited': isLimited(strangers, LIMIT_OF_NETWORK),
      'others are answered': count(others, 200) === others.length,
    });
  },
};
