import { type Drill, judge } from './drill.js';
import { follow, startTwoInstances } from './harness/two-instances.js';
import { seconds } from './harness/waiting.js';

const LIMIT_MS = 1_000;
const LOOK_MS = 6_000;
/** Long enough for the command line to end and the stream to begin. */
const LIFE_MS = 15_000;

export const drill: Drill = {
  name: 'expired-key-stream',
  expectation: 'An event stream ends within a second after its key has expired.',
  sentence: 4,
  isFast: false,
  async run(context) {
    const { postgres, there, person } = await startTwoInstances(context);
    const expiresAt = Date.now() + LIFE_MS;
    const options = ['--email', person.email, '--name', 'short', '--scopes', 'connections:read'];
    const expires = ['--expires-at', new Date(expiresAt).toISOString()];
    const { key } = (await context.runCli(postgres, 'key:create', ...options, ...expires)) as { key: string };
    const stream = await follow(context, there, key);
    const expiry = performance.now() + expiresAt - Date.now();
    const ms = await stream.endedAfter(expiry, LIFE_MS + LOOK_MS);
    const isEarly = stream.endedAt !== null && stream.endedAt < expiry - 50;
    const figure = ms === null ? `still open ${seconds(LOOK_MS)} after expiry` : `ended ${seconds(ms)} after expiry`;
    return judge(isEarly ? 'ended before expiry' : figure, {
      'not before': !isEarly,
      'it ends in time': ms !== null && ms < LIMIT_MS,
    });
  },
};
