import type pg from 'pg';
import { type Drill, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { type Answer, count, tally } from './harness/http.js';
import { Person } from './harness/person.js';
import { pause, poll, seconds } from './harness/waiting.js';
import { accountsOf, type InstantBank, userOf } from '../support/instant-bank.js';

const GATE = 7_341;
const SIDE_BY_SIDE_MS = 4_000;
const DEADLOCK_MS = 20_000;
const ACCOUNTS = 4;

/** Stops whoever writes a balance of one account, in the middle of its transaction, until the gate is opened. */
const CLOSE_GATE = `
create function drill_gate() returns trigger language plpgsql as $$ begin
  if exists (select from accounts where id = new.account_id and external_id = 'held-0')
    then perform pg_advisory_xact_lock_shared(${GATE}); end if;
  return new;
end $$;
create trigger drill_gate before insert or update on balances for each row execute function drill_gate();`;
const WAITING = `select from pg_locks where locktype = 'advisory' and objid = ${GATE} and not granted`;

/** An account is rewritten at most ten times in ten minutes; here every edit shall rewrite one. */
const FORGET_REWRITES = `update revisions set committed_at = committed_at - interval '10 minutes'
  where batch_id is not null and committed_at > now() - interval '10 minutes'`;

const today = () => new Date().toISOString().slice(0, 10);

/** The bank lists these users' accounts without the last one in every second answer. */
function vanishAndReturn(bank: InstantBank): void {
  let asked = 0;
  bank.play((request) => ({ body: accountsOf(userOf(request), today(), ACCOUNTS - (++asked % 2)) }));
}

interface Scene {
  person: Person;
  bank: InstantBank;
  client: pg.Client;
}

/** @returns whether the second connection's sync and a rename end while the first one's is held */
async function sideBySide({ person, bank, client }: Scene): Promise<{ figure: string; isFree: boolean }> {
  await client.query('select pg_advisory_lock($1)', [GATE]);
  await client.query(CLOSE_GATE);
  const held = person.connect(bank.setupToken('held'));
  const isHeld = await poll(async () => (await client.query(WAITING)).rowCount! > 0, 20_000);
  if (!isHeld) throw new Error('the first connection was not held');
  const startedAt = performance.now();
  const free = person.connect(bank.setupToken('free')).then(async () => {
    const [account] = await person.accountIds();
    return (await person.send('PATCH', `/api/v1/accounts/${account}`, { name: 'Renamed' })).status;
  });
  let status: number | null = null;
  void free.then((answer) => (status = answer));
  await poll(() => status !== null, SIDE_BY_SIDE_MS);
  const ms = performance.now() - startedAt;
  const isFree = status === 200;
  await client.query('select pg_advisory_unlock($1)', [GATE]);
  await Promise.all([held, free]);
  await client.query('drop trigger drill_gate on balances');
  const figure = isFree ? `sync and rename beside a held sync: ${seconds(ms)}` : `both waited for the held sync`;
  return { figure, isFree };
}

/** Accounts vanish and come back in two connections while they are edited. */
async function crossLocks(context: DrillContext, { person, bank, client }: Scene): Promise<Answer[]> {
  vanishAndReturn(bank);
  const { connections } = await person.json<{ connections: { id: string }[] }>('/api/v1/connections');
  const accounts = await person.accountIds();
  const answers: Answer[] = [];
  const until = performance.now() + (context.isShort ? 5_000 : DEADLOCK_MS);
  const syncing = async () => {
    while (performance.now() < until) {
      await client.query('delete from provider_requests');
      const asked = await Promise.all(connections.map(({ id }) => person.syncNow(id)));
      const ids = asked.flatMap(({ status, text }) =>
        status === 202 ? [(JSON.parse(text) as { id: string }).id] : [],
      );
      await Promise.all(ids.map((id) => person.syncEnded(id)));
      await pause(20);
    }
  };
  const editing = accounts.map(async (id) => {
    for (let turn = 0; performance.now() < until; turn++) {
      await client.query(FORGET_REWRITES);
      const account_type = turn % 2 ? 'depository' : 'credit_card';
      answers.push(await person.send('PATCH', `/api/v1/accounts/${id}`, { account_type }));
    }
  });
  await Promise.all([syncing(), ...editing]);
  return answers;
}

export const drill: Drill = {
  name: 'parallel-connections',
  expectation:
    'While one connection of a person is held in the middle of writing, another one syncs and an account is renamed; twenty seconds of syncs and edits across each other give no deadlock.',
  sentence: 12,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const service = await context.startService(postgres);
    const scene = {
      person: await Person.signUp(service),
      bank: await context.startBank(ACCOUNTS),
      client: await postgres.connect(),
    };
    const { figure, isFree } = await sideBySide(scene);
    const answers = await crossLocks(context, scene);
    const { rows } = await scene.client.query<{ deadlocks: number }>(
      `select pg_stat_clear_snapshot(), sum(deadlocks)::int as deadlocks from pg_stat_database`,
    );
    const deadlocks = rows[0]!.deadlocks + (postgres.log.match(/deadlock detected/g)?.length ?? 0);
    return judge(`${figure}; ${tally(answers)} edits, ${deadlocks} deadlocks`, {
      'side by side': isFree,
      'no deadlock': deadlocks === 0,
      'every edit is answered': count(answers, 200) === answers.length,
    });
  },
};
