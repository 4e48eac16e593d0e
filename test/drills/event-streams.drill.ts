import { type Drill, judge } from './drill.js';
import { Person } from './harness/person.js';
import { Probe } from './harness/probe.js';
import { OpenStream } from './harness/streams.js';
import { pause, poll, seconds } from './harness/waiting.js';

const MOST = 1_000;
const AT_ONCE = 50;
const GIVE_UP_MS = 4_000;
const CHANGE_MS = 10_000;
const SETTLE_MS = 2_000;

export const drill: Drill = {
  name: 'event-streams',
  expectation:
    'One key that opens up to 1,000 event streams is refused with 429 or 503 beyond a limit, others are answered meanwhile, and one change reaches every stream that is open.',
  sentence: 3,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const other = await Person.signUp(service);
    const person = await Person.signUp(service);
    const bank = await context.startBank(1);
    const connection = await person.connect(bank.setupToken('follower'));
    const probe = await Probe.start([
      [`${service.url}/api/v1/accounts`, { headers: { 'X-Api-Key': other.key } }],
      [`${service.url}/sign-in`],
    ]);
    const streams: OpenStream[] = [];
    context.onEnd(() => streams.forEach((stream) => stream.close()));
    while (streams.length < MOST && probe.p99Ms < GIVE_UP_MS) {
      const opening = Array.from({ length: AT_ONCE }, () =>
        OpenStream.open(`${service.url}/api/v1/events`, { 'X-Api-Key': person.key }),
      );
      streams.push(...(await Promise.all(opening)));
      context.progress(`${streams.length} streams asked for`);
    }
    const open = streams.filter(({ status }) => status === 200);
    const refused = streams.filter(({ status, retryAfter }) => [429, 503].includes(status) && retryAfter);
    const areReached = () => open.filter(({ text }) => text.includes('"succeeded"')).length;
    const early = areReached();
    const changedAt = performance.now();
    await person.syncNow(connection);
    const reached = await poll(() => areReached() === open.length, CHANGE_MS);
    const reachedMs = performance.now() - changedAt;
    await pause(SETTLE_MS);
    await probe.stop();
    const figure =
      `${streams.length} asked for: ${open.length} open, ${refused.length} refused; ${probe.figure}; ` +
      `a change reached ${areReached()} of ${open.length} in ${seconds(reachedMs)}`;
    return judge(figure, {
      'each is open or refused': open.length + refused.length === streams.length,
      'there is a limit': refused.length > 0 && open.length > 0,
      'others are answered': probe.isWell,
      'the change reaches all': early === 0 && reached !== null,
    });
  },
};
