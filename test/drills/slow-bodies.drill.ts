import { type Drill, judge } from './drill.js';
import { Person } from './harness/person.js';
import { Probe } from './harness/probe.js';
import { RawClient } from './harness/streams.js';
import { pause, poll, seconds } from './harness/waiting.js';

const EACH = 300;
/** Headers have 20 s, whole requests a minute, and Node.js looks twice a minute. */
const ENDED_MS = 100_000;
const FIRST_LOOK_MS = 10_000;

export const drill: Drill = {
  name: 'slow-bodies',
  expectation:
    'Three hundred requests with unfinished headers and three hundred with unfinished bodies are ended within 100 s, and others are answered meanwhile.',
  sentence: 3,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const [person, other] = [await Person.signUp(service), await Person.signUp(service)];
    const { host } = new URL(service.url);
    const head = `POST /api/v1/connections HTTP/1.1\r\nHost: ${host}\r\nX-Api-Key: ${person.key}\r\n`;
    const body = `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"provider":`;
    const open = (bytes: string) => Array.from({ length: EACH }, () => RawClient.send(service.url, bytes));
    const probe = await Probe.start([
      [`${service.url}/api/v1/accounts`, { headers: { 'X-Api-Key': other.key } }],
      [`${service.url}/sign-in`],
    ]);
    const startedAt = performance.now();
    const kinds = { headers: open(head), bodies: open(body) };
    const clients = [...kinds.headers, ...kinds.bodies];
    context.onEnd(() => clients.forEach((client) => client.close()));
    await pause(FIRST_LOOK_MS);
    await probe.stop();
    const stillOpen = (some: RawClient[]) => some.filter(({ isClosed }) => !isClosed).length;
    await poll(() => stillOpen(clients) === 0, ENDED_MS - FIRST_LOOK_MS);
    const ms = performance.now() - startedAt;
    const figure =
      `after ${seconds(ms)} open: ${stillOpen(kinds.headers)} of ${EACH} headers, ` +
      `${stillOpen(kinds.bodies)} of ${EACH} bodies; ${probe.figure}`;
    return judge(figure, {
      'all are ended': stillOpen(clients) === 0,
      'others are answered': probe.isWell,
    });
  },
};
