import { type Drill, judge } from './drill.js';
import { areAll, count, postForm, slowest, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { Probe } from './harness/probe.js';
import { seconds } from './harness/waiting.js';

const AT_ONCE = 300;

export const drill: Drill = {
  name: 'sign-in-hashes',
  expectation:
    'Of 300 sign-ins at once each is answered, beyond the limit for password hashes with 503, and others do not wait for them.',
  sentence: 3,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres, { TRUSTED_PROXIES: '127.0.0.1' });
    const other = await Person.signUp(service);
    const probe = await Probe.start([
      [`${service.url}/api/v1/accounts`, { headers: { 'X-Api-Key': other.key } }],
      [`${service.url}/health/ready`],
    ]);
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        postForm(
          `${service.url}/sign-in`,
          { email: `somebody-${index}@example.com`, password: 'a guess' },
          { 'X-Forwarded-For': `10.0.${index >> 7}.${(index & 127) + 1}` },
        ),
      ),
    );
    await probe.stop();
    const figure = `${tally(answers)}, slowest ${seconds(slowest(answers))}; ${probe.figure}`;
    return judge(figure, {
      'each is answered': areAll(answers, 422, 503),
      'some are tried, and others refused': count(answers, 422) > 0 && count(answers, 503) > 0,
      'others do not wait': probe.isWell,
    });
  },
};
