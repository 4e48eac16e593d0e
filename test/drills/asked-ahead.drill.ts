import { readFile } from 'node:fs/promises';
import { type Drill, judge } from './drill.js';
import { Person } from './harness/person.js';
import { Probe } from './harness/probe.js';
import { addTransactions } from './harness/rows.js';
import { RawClient } from './harness/streams.js';
import { pause } from './harness/waiting.js';

const ROWS = 3_000;
/** Each answer has a page of a thousand changes. */
const ASKED_AHEAD = 25;
const CONNECTIONS = 40;
const BETWEEN_MS = 1_000;
/** All that is asked for is more than twice as much. */
const MOST_GROWTH_MIB = 200;

async function memoryMib(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

export const drill: Drill = {
  name: 'asked-ahead',
  expectation: `One key opens ${CONNECTIONS} connections, asks for ${ASKED_AHEAD} large pages ahead on each and never reads: memory grows by less than ${MOST_GROWTH_MIB} MiB, and others are answered.`,
  sentence: 3,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const other = await Person.signUp(service);
    const person = await Person.signUp(service);
    const bank = await context.startBank(1);
    await person.connect(bank.setupToken('reader'));
    await addTransactions(await postgres.connect(), person.email, ROWS);
    const path = '/api/v1/changes?limit=1000';
    const { text } = await person.get(path);
    const probe = await Probe.start([
      [`${other.url}/api/v1/accounts`, { headers: { 'X-Api-Key': other.key } }],
      [`${other.url}/sign-in`],
      [`${other.url}/health/ready`],
    ]);
    const { pid } = service.process;
    const before = await memoryMib(pid);
    let most = before;
    const clients: RawClient[] = [];
    context.onEnd(() => clients.forEach((client) => client.close()));
    for (let i = 0; i < CONNECTIONS; i++) {
      clients.push(RawClient.askWithoutReading(service.url + path, { 'X-Api-Key': person.key }, ASKED_AHEAD));
      await pause(BETWEEN_MS);
      most = Math.max(most, await memoryMib(pid));
    }
    await probe.stop();
    const served = clients.filter(({ status }) => status === 200).length;
    const growth = most - before;
    const figure =
      `${CONNECTIONS} × ${ASKED_AHEAD} pages of ${(text.length / 1024).toFixed(0)} KiB, unread, ${served} begun; ` +
      `${before.toFixed(0)} MiB before, at most ${most.toFixed(0)} MiB; ${probe.figure}`;
    return judge(figure, {
      'something is left unread': served > 0,
      'memory is bounded': growth < MOST_GROWTH_MIB,
      'others are answered': probe.isWell,
    });
  },
};
