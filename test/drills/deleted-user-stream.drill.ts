import { type Drill, judge } from './drill.js';
import { PASSWORD } from './harness/person.js';
import { follow, startTwoInstances } from './harness/two-instances.js';
import { pause, seconds } from './harness/waiting.js';

const LIMIT_MS = 1_000;
const LOOK_MS = 6_000;

export const drill: Drill = {
  name: 'deleted-user-stream',
  expectation: 'An event stream ends within a second after its user deleted everything at another instance.',
  sentence: 4,
  isFast: false,
  async run(context) {
    const { here, there, person } = await startTwoInstances(context);
    const stream = await follow(context, here, person.key);
    await pause(500);
    const fields = { delete_password: PASSWORD };
    const { status } = await person.submitAt(there, '/settings/delete', fields, '/settings');
    const ms = await stream.endedAfter(performance.now(), LOOK_MS);
    const end = ms === null ? `still open after ${seconds(LOOK_MS)}` : `ended after ${seconds(ms)}`;
    return judge(`deleted (${status}); ${end}`, {
      'the user is gone': status === 303,
      'it ends in time': ms !== null && ms < LIMIT_MS,
    });
  },
};
