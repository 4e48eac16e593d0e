import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MikroORM } from '@mikro-orm/postgresql';
import { Account } from '../src/balances/accounts/account.entity.js';
import { deriveAccountHistory } from '../src/balances/history/derive-account-history.js';
import { readConfig } from '../src/platform/config/config.js';
import { ormOptions } from '../src/database/orm-options.js';
import { MODULES, ROOMS } from '../src/modules.js';
import { entitiesOf } from '../src/platform/module.js';
import { createPerson } from './person.js';
import { startThrowawayDatabase } from './throwaway-database.js';
import { createAccounts } from './write-history/accounts.js';
import { plainCopy } from './write-history/plain-copy.js';

// What does it cost to derive a history from its facts and to write it, beside a COPY of the same rows? And to derive it
// again when nothing has happened?
// npm run bench:write-history

const TODAY = '2026-06-30';
const BATCHES = 10;
const FACTS = { accounts: 20, transactionsEach: 1_000, days: 3_653, today: TODAY };

const database = await startThrowawayDatabase();
const { client } = database;
const orm = await MikroORM.init(
  ormOptions({ clientUrl: database.url }, readConfig([], [], {}, {}).database, {
    entities: entitiesOf([...ROOMS, ...MODULES]),
  }),
);
const folder = await mkdtemp(join(tmpdir(), 'tidemark-bench-'));

/** All accounts, each in a transaction of its own as a sync does it. */
async function derive(userId: string, accountIds: readonly string[]): Promise<{ seconds: number; written: number }> {
  const begun = performance.now();
  let written = 0;
  for (const id of accountIds) {
    written += await orm.em.fork().transactional(async (em) => {
      const account = await em.findOneOrFail(Account, { userId, id });
      return (await deriveAccountHistory(em, account, TODAY, ['recalculated'])).written;
    });
  }
  return { seconds: (performance.now() - begun) / 1000, written };
}

function peakMib(): number {
  return process.resourceUsage().maxRSS / 1024;
}

const total = { rows: 0, copy: 0, first: 0, again: 0 };
const peaks: number[] = [];
try {
  const [{ userId }, other] = [await createPerson(client), await createPerson(client)];
  // In turns, so that all three meet the same machine in the same state.
  for (let batch = 0; batch < BATCHES; batch++) {
    const accountIds = await createAccounts(client, userId, FACTS);
    const copied = await createAccounts(client, other.userId, { ...FACTS, transactionsEach: 0 });
    const first = await derive(userId, accountIds);
    peaks.push(peakMib());
    const to = { userId: other.userId, accountIds: copied };
    const copy = await plainCopy(client, join(folder, 'rows'), { userId, accountIds }, to);
    const again = await derive(userId, accountIds);
    if (first.written !== copy.rows || again.written !== 0) throw new Error('not the same rows, or written again');
    total.rows += copy.rows;
    total.copy += copy.seconds;
    total.first += first.seconds;
    total.again += again.seconds;
  }
} finally {
  await orm.close();
  await database.drop();
  await rm(folder, { recursive: true });
}

const line = (name: string, seconds: number, peer: number, of: string) =>
  console.log(
    `${name.padEnd(30)} ${(total.rows / seconds).toFixed(0).padStart(8)} rows/s   ${(seconds / peer).toFixed(2)} of ${of}`,
  );
const accounts = BATCHES * FACTS.accounts;
const transactions = (accounts * FACTS.transactionsEach).toLocaleString('en');
console.log(
  `${total.rows.toLocaleString('en')} balance records of ${accounts} accounts, from ${transactions} transactions`,
);
line('COPY of the same rows', total.copy, total.copy, 'itself');
line('first: read, derive, write', total.first, total.copy, 'the COPY');
line('again, nothing new', total.again, total.first, 'the first');
console.log(
  `peak memory after ${FACTS.accounts} accounts ${peaks[0]!.toFixed(0)} MiB, after ${accounts} ${peaks.at(-1)!.toFixed(0)} MiB`,
);
