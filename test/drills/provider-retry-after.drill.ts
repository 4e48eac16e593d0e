import { type Drill, judge } from './drill.js';
import { Person } from './harness/person.js';

const ENDLESS = '999999999';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SLACK_MS = 60_000;

export const drill: Drill = {
  name: 'provider-retry-after',
  expectation: 'A provider that says Retry-After: 999999999 puts the next automatic sync off by a day at most.',
  sentence: 10,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    const bank = await context.startBank(1);
    const id = await person.connect(bank.setupToken('owner'));
    const figures = [];
    let isInTime = true;
    let isPutOff = true;
    for (const status of [429, 503]) {
      bank.play(() => ({ status, headers: { 'Retry-After': ENDLESS }, body: 'later' }));
      const { text } = await person.syncNow(id);
      await person.syncEnded((JSON.parse(text) as { id: string }).id);
      const { next_sync_at: next } = await person.json<{ next_sync_at: string | null }>(`/api/v1/connections/${id}`);
      const waitMs = Date.parse(next ?? '') - Date.now();
      isInTime &&= waitMs <= DAY_MS + SLACK_MS;
      // Without a Retry-After it would be after some hours. The hour is for a machine that is slow to ask.
      isPutOff &&= waitMs >= DAY_MS - HOUR_MS;
      figures.push(`${status}: next sync in ${(waitMs / HOUR_MS).toFixed(1)} h`);
    }
    return judge(figures.join('; '), { 'within a day': isInTime, 'put off as asked': isPutOff });
  },
};
