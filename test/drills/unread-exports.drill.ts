import { type Drill, judge, judgeAll } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { Person } from './harness/person.js';
import { Probe } from './harness/probe.js';
import { addTransactions } from './harness/rows.js';
import { RawClient } from './harness/streams.js';
import { pause, poll, seconds } from './harness/waiting.js';

const ROWS = 48_000;
const CLIENTS = 30;
const UNREAD_MS = 8_000;
/** Idle readers are ended after a minute, or two where the first one still saw bytes leave. */
const IDLE_MS = 140_000;

export const drill: Drill = {
  name: 'unread-exports',
  expectation:
    'Thirty downloads of everything and thirty CSV lists that nobody reads leave the others unharmed: too many are refused with 429 or 503, idle ones are ended, and then there is room again.',
  sentence: 3,
  timeoutMs: 500_000,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const other = await Person.signUp(service);
    const person = await Person.signUp(service);
    const bank = await context.startBank(1);
    await person.connect(bank.setupToken('reader'));
    await addTransactions(await postgres.connect(), person.email, ROWS);
    const requests = [
      [`${service.url}/settings/export`, { Cookie: person.cookie }],
      [`${service.url}/api/v1/transactions`, { 'X-Api-Key': person.key, Accept: 'text/csv' }],
    ] as const;
    return judgeAll(requests, ([url, headers]) => leaveUnread(context, url, headers, other));
  },
};

async function leaveUnread(
  context: DrillContext,
  url: string,
  headers: Record<string, string>,
  other: Person,
): Promise<string> {
  context.progress(`${CLIENTS} × ${new URL(url).pathname}, unread`);
  const probe = await Probe.start([
    [`${other.url}/api/v1/accounts`, { headers: { 'X-Api-Key': other.key } }],
    [`${other.url}/sign-in`],
    [`${other.url}/health/ready`],
  ]);
  const clients = Array.from({ length: CLIENTS }, () => RawClient.askWithoutReading(url, headers));
  context.onEnd(() => clients.forEach((client) => client.close()));
  await pause(UNREAD_MS);
  await probe.stop();
  const isRefused = ({ status }: RawClient) => status === 429 || status === 503;
  const [begun, refused] = [clients.filter(({ status }) => status === 200), clients.filter(isRefused)];
  const seen = `${new URL(url).pathname}: ${begun.length} begun, ${refused.length} refused; ${probe.figure}`;
  const demands = {
    'each is begun or refused': begun.length + refused.length === CLIENTS,
    'too many are refused': refused.length > 0,
    'others are answered': probe.isWell,
  };
  if (!Object.values(demands).every(Boolean)) clients.forEach((client) => client.close());
  judge(seen, demands);
  const startedAt = performance.now();
  const room = await poll(() => canBegin(url, headers), IDLE_MS);
  clients.forEach((client) => client.close());
  const waitedMs = performance.now() - startedAt + UNREAD_MS;
  const figure = `${seen}; room again ${room ? `after ${seconds(waitedMs)}` : 'never'}`;
  return judge(figure, { 'idle readers are ended': room !== null });
}

/** Whether one more is let in. It leaves at once. */
async function canBegin(url: string, headers: Record<string, string>): Promise<boolean> {
  const client = RawClient.askWithoutReading(url, headers);
  await pause(2_000);
  client.close();
  return client.status === 200;
}
