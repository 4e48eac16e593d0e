import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Drill, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { Person } from './harness/person.js';
import type { DrillPostgres } from './harness/postgres.js';
import { startInstantBank } from '../support/instant-bank.js';

const DAYS_AGO = 12;
const DAY_MS = 86_400_000;
const ACCOUNTS = 3;

/** Loaded before everything else: the process lives some days ago. */
const PAST = `
const nowThen = () => Now.now() - ${DAYS_AGO * DAY_MS};
const Now = globalThis.Date;
globalThis.Date = new Proxy(Now, {
  construct: (_, parts) => new Now(...(parts.length > 0 ? parts : [nowThen()])),
  get: (_, name) => (name === 'now' ? nowThen : Now[name]),
});`;

async function lastDays(postgres: DrillPostgres): Promise<string> {
  const client = await postgres.connect();
  const { rows } = await client.query<{ days: string }>(
    `select string_agg(distinct last::text, ', ') as days
     from (select max(date) as last from balances group by account_id) ends`,
  );
  return rows[0]!.days;
}

async function connectInThePast(context: DrillContext, postgres: DrillPostgres): Promise<Person> {
  const preload = join(context.folder.path, 'past.mjs');
  await writeFile(preload, PAST);
  const service = await context.startService(postgres, { NODE_OPTIONS: `--import ${preload}` });
  const person = await Person.signUp(service);
  const bank = await startInstantBank(new Date(Date.now() - DAYS_AGO * DAY_MS).toISOString().slice(0, 10), ACCOUNTS);
  context.onEnd(() => bank.server.stop());
  const connection = await person.connect(bank.setupToken('past'));
  const { status } = await person.send('DELETE', `/api/v1/connections/${connection}`, undefined);
  if (status !== 204) throw new Error(`disconnecting was answered ${status}`);
  await service.stopWithin(30_000);
  return person;
}

export const drill: Drill = {
  name: 'disconnected-rebuild',
  expectation:
    'The history of an account that was disconnected twelve days ago ends on the same day after it was rebuilt and after it was edited.',
  sentence: 13,
  isFast: false,
  async run(context) {
    const postgres = await context.startPostgres();
    const past = await connectInThePast(context, postgres);
    const before = await lastDays(postgres);
    await context.runCli(postgres, 'balances:rebuild');
    const rebuilt = await lastDays(postgres);
    const service = await context.startService(postgres);
    const person = past.elsewhere(service);
    for (const id of await person.accountIds()) {
      const { status } = await person.send('PATCH', `/api/v1/accounts/${id}`, { account_type: 'credit_card' });
      if (status !== 200) throw new Error(`editing was answered ${status}`);
    }
    const edited = await lastDays(postgres);
    return judge(`last day ${before}; rebuilt: ${rebuilt}; edited: ${edited}`, {
      'rebuilding adds no day': rebuilt === before,
      'editing adds no day': edited === before,
    });
  },
};
