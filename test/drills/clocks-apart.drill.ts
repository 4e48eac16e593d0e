import { resolve } from 'node:path';
import { type Drill, judge } from './drill.js';
import { Person } from './harness/person.js';
import { poll, seconds } from './harness/waiting.js';

const SHIFT = resolve('test/drills/harness/shift-clock.mjs');
const HOUR_MS = 3_600_000;
/** More than what a heartbeat and a sync take. */
const SOON_MS = 60_000;
const PROBLEM = /The clock of this machine is 7200 s ahead of the database's/;
const MENDED = /The clock of this machine is as the database's/;

export const drill: Drill = {
  name: 'clocks-apart',
  expectation:
    'Two instances, one with a clock that is two hours ahead, see moments, leases and expiries alike, and the clock may be set back while it runs.',
  sentence: 23,
  isFast: true,
  async run(context) {
    const postgres = await context.startPostgres();
    const right = await context.startService(postgres, { ROLE: 'api' });
    const ahead = await context.startService(postgres, {
      NODE_OPTIONS: `--import ${SHIFT}`,
      CLOCK_SHIFT_MS: String(2 * HOUR_MS),
    });
    const person = await Person.signUp(right);
    const bank = await context.startBank(2);
    const connection = await person.connect(bank.setupToken('ann'));
    const client = await postgres.connect();
    const { rows: stored } = await client.query<{ table: string; late: string }>(`
      select 'observations' as table, count(*) as late from observations where observed_at > now()
      union all select 'syncs', count(*) from sync_runs where greatest(queued_at, started_at, finished_at) > now()
      union all select 'connections', count(*) from connections
        where last_synced_at > now() or next_sync_at > now() + interval '5 hours 1 minute'
      union all select 'sessions', count(*) from sessions where created_at > now()`);
    const late = stored.reduce((sum, row) => sum + Number(row.late), 0);

    const other = person.elsewhere(ahead);
    const inAnHour = new Date(Date.now() + HOUR_MS).toISOString();
    const made = (await context.runCli(
      postgres,
      ...['key:create', '--email', person.email, '--name', 'short', '--scopes', 'accounts:read'],
      ...['--expires-at', inAnHour],
    )) as { key: string };
    const asked = await Promise.all(
      [right, ahead].map(({ url }) =>
        other.elsewhere({ url }).get('/api/v1/accounts', { headers: { 'X-Api-Key': made.key } }),
      ),
    );
    // The answer to a POST is kept for a day, wherever it was given.
    const keyed = {
      headers: { 'X-Api-Key': person.key, 'Content-Type': 'application/json', 'Idempotency-Key': 'once' },
    };
    const first = await person.send('POST', `/api/v1/connections/${connection}/sync`, {}, keyed);
    const again = await other.send('POST', `/api/v1/connections/${connection}/sync`, {}, keyed);
    const isSame = first.text === again.text && again.headers['idempotent-replayed'] === 'true';
    const status = await person.syncEnded((JSON.parse(first.text) as { id: string }).id);

    const warned = PROBLEM.test(ahead.process.stderr);
    const startedAt = performance.now();
    ahead.process.signal('SIGUSR2');
    const mended = await poll(() => Promise.resolve(MENDED.test(ahead.process.stderr)), SOON_MS);
    const ms = performance.now() - startedAt;
    const { status: after } = await other.get('/api/v1/accounts', { headers: { 'X-Api-Key': made.key } });
    await client.end();
    const statuses = [...asked.map((answer) => answer.status), after].join(', ');
    const figure =
      `${late} moments in the future; a key that ends in an hour: ${statuses}; the second POST ` +
      `${isSame ? 'replayed' : again.status}; sync ${status}; set back, noticed after ${seconds(ms)}`;
    return judge(figure, {
      'nothing is stored in the future': late === 0,
      'a key is valid everywhere until it ends': statuses === '200, 200, 200',
      'a POST is done once': isSame && status === 'succeeded',
      'the log names the clock, and that it is right again': warned && mended !== null,
    });
  },
};
