import { type Drill, judge } from './drill.js';
import { addTransactions } from './harness/rows.js';
import { RawClient } from './harness/streams.js';
import { startTwoInstances } from './harness/two-instances.js';
import { pause, poll, seconds } from './harness/waiting.js';

const ROWS = 48_000;
const LIMIT_MS = 1_500;
const LOOK_MS = 8_000;
const HELD = `select count(*)::int as held from pg_stat_activity
  where datname = current_database() and state in ('active', 'idle in transaction') and pid <> pg_backend_pid()
    and backend_type = 'client backend'`;

export const drill: Drill = {
  name: 'signed-out-stream',
  expectation:
    'A download of everything that is under way ends within a second after its session was signed out at another instance.',
  sentence: 4,
  isFast: false,
  async run(context) {
    const { postgres, here, there, person } = await startTwoInstances(context);
    const bank = await context.startBank(1);
    await person.connect(bank.setupToken('downloader'));
    const client = await postgres.connect();
    await addTransactions(client, person.email, ROWS);
    const download = RawClient.askWithoutReading(`${here.url}/settings/export`, { Cookie: person.cookie });
    context.onEnd(() => download.close());
    const held = async () => (await client.query<{ held: number }>(HELD)).rows[0]!.held > 0;
    // It waits for its reader and keeps its session of PostgreSQL meanwhile.
    const isUnderWay = (await poll(held, 5_000)) !== null && download.status === 200;
    await pause(500);
    const { status } = await person.submitAt(there, '/sign-out', {}, '/settings');
    const startedAt = performance.now();
    const isOver = await poll(async () => !(await held()), LOOK_MS);
    const ms = performance.now() - startedAt;
    const end = isOver ? `ended after ${seconds(ms)}` : `still open after ${seconds(LOOK_MS)}`;
    return judge(`download ${download.status}, signed out (${status}); ${end}`, {
      'it was under way': isUnderWay,
      'it ends in time': isOver !== null && ms < LIMIT_MS,
    });
  },
};
