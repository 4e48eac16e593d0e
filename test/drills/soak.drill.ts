import { readFile } from 'node:fs/promises';
import { type Drill, judge } from './drill.js';
import { type Answer, ask, areAll, percentile, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { pause, seconds } from './harness/waiting.js';

const SOAK_MS = 180_000;
const CLIENTS = 4;
const BETWEEN_MS = 20;
const SYNC_EVERY_MS = 3_000;
/** Of the second half against the first one's end. */
const MOST_GROWTH = 1.25;
const PATHS = ['/api/v1/balances', '/api/v1/transactions', '/api/v1/accounts', '/api/v1/net_worth?currency=USD'];

async function memoryMib(pid: number): Promise<number> {
  return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

export const drill: Drill = {
  name: 'soak',
  expectation:
    'Three minutes of syncs and requests: every request is answered, and memory is level in the second half.',
  sentence: 3,
  isFast: false,
  isOptional: true,
  timeoutMs: 2 * SOAK_MS,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres, { SANDBOX: '1' });
    const person = await Person.signUp(service);
    const { text } = await ask(`${service.url}/sandbox/us/create`, { headers: { Accept: 'application/json' } });
    const connection = await person.connect((JSON.parse(text) as { setup_token: string }).setup_token);
    const client = await postgres.connect();
    const answers: Answer[] = [];
    const end = performance.now() + SOAK_MS;
    let syncs = 0;
    const readers = Array.from({ length: CLIENTS }, async (_, reader) => {
      for (let turn = reader; performance.now() < end; turn++) {
        answers.push(await person.get(PATHS[turn % PATHS.length]!));
        await pause(BETWEEN_MS);
      }
    });
    const syncing = async () => {
      for (; performance.now() < end; syncs++) {
        await client.query('delete from provider_requests');
        await person.syncEnded((JSON.parse((await person.syncNow(connection)).text) as { id: string }).id);
        await pause(SYNC_EVERY_MS);
      }
    };
    const middle = pause(SOAK_MS / 2).then(() => memoryMib(service.process.pid));
    await Promise.all([...readers, syncing()]);
    const [half, full] = [await middle, await memoryMib(service.process.pid)];
    const figure =
      `${syncs} syncs, ${tally(answers)}, p99 ${seconds(percentile(answers, 0.99))}; ` +
      `${half.toFixed(0)} MiB at half time, ${full.toFixed(0)} MiB at the end`;
    return judge(figure, { 'every request is answered': areAll(answers, 200), level: full < half * MOST_GROWTH });
  },
};
