import { type Drill, judge } from './drill.js';
import { count, postForm, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { Probe } from './harness/probe.js';

const TURNS = 20;
const HUGE = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) });
const JSON_BODIES: [what: string, body: string][] = [
  ['17 KB', JSON.stringify({ name: 'x'.repeat(17 * 1024) })],
  ['1,001 values', JSON.stringify({ name: Array.from({ length: 1_001 }, () => 0) })],
  ['5,000 empty lists', `{"name":[${Array.from({ length: 5_000 }, () => '[]').join()}]}`],
];

export const drill: Drill = {
  name: 'large-bodies',
  expectation:
    'JSON of more than 16 KB or 1,000 values and forms of more than 64 KB are refused with 413, and others are answered meanwhile.',
  sentence: 3,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const [person, other] = [await Person.signUp(service), await Person.signUp(service)];
    const probe = await Probe.start([
      [`${service.url}/api/v1/accounts`, { headers: { 'X-Api-Key': other.key } }],
      [`${service.url}/sign-in`],
    ]);
    const answers = [];
    const huge = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const sent = JSON_BODIES.map(([, body]) => person.send('POST', '/api/v1/connections', body));
      const form = postForm(`${service.url}/sign-in`, { email: 'x'.repeat(65 * 1024), password: 'x' });
      huge.push(await person.send('POST', '/api/v1/connections', HUGE));
      answers.push(...(await Promise.all([...sent, form])));
    }
    await probe.stop();
    const what = JSON_BODIES.map(([name]) => name).join(', ');
    const figure = `JSON of ${what}, and a form of 65 KB: ${tally(answers)}; JSON of 10 MB: ${tally(huge)}; ${probe.figure}`;
    return judge(figure, {
      'each is refused with 413': count(answers, 413) === answers.length,
      // Who is refused before everything is sent may see the connection break.
      'what is huge, too': count(huge, 413, 0) === huge.length && count(huge, 413) > 0,
      'others are answered': probe.isWell,
    });
  },
};
