import { accountsOf, userOf } from '../support/instant-bank.js';
import { type Drill, judge } from './drill.js';
import { Person } from './harness/person.js';
import { seconds, timed, until } from './harness/waiting.js';

const SLOTS = 4;
const HANGING = 10;
const OTHERS_MS = 15_000;

export const drill: Drill = {
  name: 'sync-slots',
  expectation: `With ${HANGING} connections whose provider never answers, one person takes at most half of an instance's slots, and the sync of somebody else begins at once.`,
  sentence: 3,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres, { SYNC_CONCURRENCY: String(SLOTS) });
    const [greedy, other] = [await Person.signUp(service), await Person.signUp(service)];
    const bank = await context.startBank(1);
    let asked = 0;
    const today = new Date().toISOString().slice(0, 10);
    bank.play((request) => {
      if (!userOf(request).startsWith('mute')) return { body: accountsOf(userOf(request), today, 1) };
      asked++;
      return 'silence';
    });
    for (let number = 0; number < HANGING; number++) {
      const body = { provider: 'us_provider', setup_token: bank.setupToken(`mute-${number}`) };
      const { status } = await greedy.send('POST', '/api/v1/connections', body);
      if (status !== 201) throw new Error(`connecting was answered ${status}`);
    }
    await until(() => asked > 0, 'a sync of the person hangs');
    const { ms, value } = await timed(other.connect(bank.setupToken('other')).catch((error: Error) => error));
    const client = await postgres.connect();
    const { rows } = await client.query<{ running: number }>(
      `select count(*)::integer as running from sync_runs where status = 'running'`,
    );
    const running = rows[0]!.running;
    const isSynced = !(value instanceof Error);
    const figure = `${running} of ${HANGING} hanging syncs run in ${SLOTS} slots; somebody else's sync ${isSynced ? `ended after ${seconds(ms)}` : 'did not end'}`;
    return judge(figure, {
      'half of the slots at most': running <= SLOTS / 2,
      'others are synced': isSynced && ms < OTHERS_MS,
    });
  },
};
