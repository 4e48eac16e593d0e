import { join } from 'node:path';
import { type Drill, judge } from './drill.js';
import { areAll, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { addTransactions, countRows } from './harness/rows.js';
import { pause, seconds, timed } from './harness/waiting.js';

const ROWS = 20_000;
const BETWEEN_MS = 5;

interface Verified {
  verified: boolean;
}

export const drill: Drill = {
  name: 'restore-under-writes',
  expectation:
    'A backup is made and verified while people write; restored on another server, it is of one moment, and syncs go on.',
  sentence: 19,
  async run(context) {
    const postgres = await context.startPostgres();
    const bank = await context.startBank(3);
    const service = await context.startService(postgres);
    const person = await Person.signUp(service);
    const connection = await person.connect(bank.setupToken('ann'));
    const client = await postgres.connect();
    await addTransactions(client, person.email, ROWS);
    // A number that one transaction writes to every account: a backup of one moment has all alike. As every writer does,
    // it moves the person's revision, by which the verification knows what has changed since the backup.
    const write = () =>
      client.query(
        `with person as (select id from users where email = $1), numbers as (
          update accounts
          set institution = (coalesce(nullif(regexp_replace(institution, '\\D', '', 'g'), ''), '0')::integer + 1)::text
          where user_id = (select id from person)
        )
        update user_revisions set revision = revision + 1, records_revision = revision + 1
        where user_id = (select id from person)`,
        [person.email],
      );
    let isOver = false;
    let writes = 0;
    const writing = (async () => {
      for (; !isOver; writes++) {
        await write();
        await pause(BETWEEN_MS);
      }
    })();
    // Whatever fails first is reported: what comes of the writer is asked for only after the rest.
    writing.catch(() => undefined);
    const file = join(context.folder.path, 'under-writes.backup');
    const backup = await timed(context.runCli(postgres, 'backup', file));
    const verify = await timed(context.runCli(postgres, 'restore', file, '--verify') as Promise<Verified>);
    isOver = true;
    await writing;
    const other = await context.startPostgres();
    const restore = await timed(context.runCli(other, 'restore', file));
    const restored = await other.connect();
    const { rows } = await restored.query<{ kinds: number }>(
      'select count(distinct institution)::integer as kinds from accounts',
    );
    const transactions = await countRows(restored, 'transactions');
    const again = await context.startService(other);
    const there = person.elsewhere(again);
    const answers = [await there.get('/api/v1/balances'), await there.get('/api/v1/transactions?per_page=100')];
    await restored.query('delete from provider_requests');
    const { text } = await there.syncNow(connection);
    const sync = await there.syncEnded((JSON.parse(text) as { id: string }).id);
    const figure =
      `${writes} writes meanwhile; backup ${seconds(backup.ms)}, verify ${seconds(verify.ms)}, restore ${seconds(restore.ms)}; ` +
      `${transactions} transactions, ${rows[0]!.kinds} state of 3 accounts, lists ${tally(answers)}, sync ${sync}`;
    return judge(figure, {
      'people wrote meanwhile': writes > 20,
      'of one moment': rows[0]!.kinds === 1,
      'nothing is lost': transactions === (await countRows(client, 'transactions')),
      'it was verified': verify.value.verified,
      'lists are answered': areAll(answers, 200),
      // The bank does not list the rows that were copied, which is a problem of its own.
      'syncs go on': ['succeeded', 'partial'].includes(sync),
    });
  },
};
