import { type Drill, judge } from './drill.js';
import { areAll, count, postForm, tally } from './harness/http.js';
import { PASSWORD, Person } from './harness/person.js';
import { startTwoInstances } from './harness/two-instances.js';

const GUESSES = 200;
const FORGED = 60;
const MOST_TRIED = 10;
const WRONG = 422;

const signIn = (url: string, email: string, password: string, address: string) =>
  postForm(`${url}/sign-in`, { email, password }, { 'X-Forwarded-For': address });

export const drill: Drill = {
  name: 'sign-in-guesses',
  expectation:
    'Of 200 parallel guesses over two instances at most 10 passwords are tried, also when the caller forges X-Forwarded-For, and the owner signs in from elsewhere.',
  sentence: 5,
  isFast: false,
  async run(context) {
    const settings = { TRUSTED_PROXIES: '127.0.0.1' };
    const { postgres, here, there, person } = await startTwoInstances(context, settings);
    const guesses = await Promise.all(
      Array.from({ length: GUESSES }, (_, index) =>
        signIn([here, there][index % 2]!.url, person.email, `guess ${index}`, '198.51.100.7'),
      ),
    );
    const owner = await signIn(there.url, person.email, PASSWORD, '203.0.113.9');
    // This one trusts no proxy: what a caller says about its address counts for nothing.
    const direct = await context.startService(postgres);
    const victim = await Person.signUp(direct);
    const forged = await Promise.all(
      Array.from({ length: FORGED }, (_, index) =>
        signIn(direct.url, victim.email, `guess ${index}`, `198.51.100.${index + 1}`),
      ),
    );
    const [tried, triedForged] = [count(guesses, WRONG), count(forged, WRONG)];
    const figure =
      `${tried} of ${GUESSES} tried (${tally(guesses)}); the owner from elsewhere: ${tally([owner])}; ` +
      `forged addresses: ${triedForged} of ${FORGED} tried (${tally(forged)})`;
    return judge(figure, {
      'some are tried, and at most 10': tried > 0 && tried <= MOST_TRIED,
      'the rest are 429 or 503': areAll(guesses, WRONG, 429, 503),
      'the owner gets in': owner.status === 303,
      'some of the forged are tried, and at most 10': triedForged > 0 && triedForged <= MOST_TRIED,
      'the rest of them, too': areAll(forged, WRONG, 429, 503),
    });
  },
};
