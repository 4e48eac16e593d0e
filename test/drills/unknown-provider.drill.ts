import { type Drill, judge } from './drill.js';
import { tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { pause } from './harness/waiting.js';

const WATCH_MS = 15_000;
/** With a backoff that begins with a second and doubles. */
const MOST_ATTEMPTS = 5;
const EVERY_SECOND = '* * * * * *';

export const drill: Drill = {
  name: 'unknown-provider',
  expectation:
    'A connection whose provider this release does not know is tried at most five times in 15 s, each with a log line, and harms no list of connections.',
  sentence: 9,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres, { SYNC_CRON: EVERY_SECOND });
    const bank = await context.startBank(1);
    const [person, other] = [await Person.signUp(service), await Person.signUp(service)];
    const id = await person.connect(bank.setupToken('owner'));
    await other.connect(bank.setupToken('other'));
    const client = await postgres.connect();
    await client.query(`update connections set provider = 'gone', next_sync_at = null where id = $1`, [id]);
    const linesBefore = service.logLines.length;
    await pause(WATCH_MS);
    const { rows } = await client.query<{ attempts: number }>(
      `select coalesce(sum(attempt), 0)::int as attempts from sync_runs where connection_id = $1 and queued_at >
         (select min(finished_at) from sync_runs where connection_id = $1)`,
      [id],
    );
    const attempts = rows[0]!.attempts;
    // Levels of pino: 40 is a warning.
    const lines = service.logLines.slice(linesBefore).filter(({ level }) => Number(level) >= 40).length;
    const [own, others] = await Promise.all([person.get('/api/v1/connections'), other.get('/api/v1/connections')]);
    const figure =
      `${attempts} attempts and ${lines} warnings in 15 s; ` +
      `GET /connections: its person ${tally([own])}, another ${tally([others])}`;
    return judge(figure, {
      'with a backoff': attempts > 0 && attempts <= MOST_ATTEMPTS,
      'with a log line': lines > 0,
      'lists are answered': own.status === 200 && others.status === 200,
    });
  },
};
