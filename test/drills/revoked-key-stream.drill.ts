import { type Drill, judge } from './drill.js';
import { follow, startTwoInstances } from './harness/two-instances.js';
import { pause, seconds } from './harness/waiting.js';

const LIMIT_MS = 1_000;
const LOOK_MS = 6_000;

export const drill: Drill = {
  name: 'revoked-key-stream',
  expectation: 'An event stream ends within a second after its key was revoked at another instance.',
  sentence: 4,
  isFast: false,
  async run(context) {
    const { here, there, person } = await startTwoInstances(context);
    const stream = await follow(context, here, person.key);
    await pause(500);
    const { html } = await person.visitor.get('/keys');
    const { status } = await person.submitAt(there, /\/keys\/[\w-]+\/revoke/.exec(html)![0], {}, '/keys');
    const revokedAt = performance.now();
    const ms = await stream.endedAfter(revokedAt, LOOK_MS);
    const me = await person.get('/api/v1/me');
    const figure = `revoked (${status}), then ${me.status}; ${ms === null ? `still open after ${seconds(LOOK_MS)}` : `ended after ${seconds(ms)}`}`;
    return judge(figure, { 'the key is gone': me.status === 401, 'it ends in time': ms !== null && ms < LIMIT_MS });
  },
};
