import { dateOfUnixSeconds } from '../src/time/calendar-date.js';
import { importIntoActual } from './actual/import.js';
import { createPerson } from './person.js';
import { firstRows, newRows, type Shape } from './provider-sync/rows.js';
import { Syncs } from './provider-sync/syncs.js';
import { startUsBank } from './provider-sync/us-bank.js';
import { startTidemark } from './servers.js';
import { startThrowawayDatabase } from './throwaway-database.js';

// What does a sync cost beside Actual's engine, a well-known budgeting program, which imports the same rows?
// npm run bench:actual [-- 10000]

const rows = Number(process.argv[2] ?? 10_000);
const shape: Shape = { name: 'one account', rows, accounts: 1, days: 720 };
const today = dateOfUnixSeconds(Math.floor(Date.now() / 1000));
const first = firstRows(shape, today);
const second = [...first, ...newRows(shape, today)];

/** Ours fetches, parses and derives too. A service runs for months, so somebody else's sync comes before the one measured. */
async function ours(): Promise<number[]> {
  const database = await startThrowawayDatabase();
  const bank = await startUsBank();
  const server = await startTidemark(database.url, {
    ...{ ROLE: 'all', PROVIDER_ALLOW_PRIVATE_NETWORK: '1' },
    ...bank.environment(),
  });
  const syncTwice = async () => {
    const syncs = new Syncs(server, await createPerson(database.client));
    bank.serve(first);
    const { connectionId, seconds } = await syncs.connect(bank.connectBody());
    bank.serve(second);
    return [seconds, await syncs.again(connectionId)];
  };
  try {
    await syncTwice();
    return await syncTwice();
  } finally {
    await server.stop();
    bank.stop();
    await database.drop();
  }
}

const actual = await importIntoActual([first, second]);
const seconds = await ours();
console.log(`${rows.toLocaleString('en')} transactions of one account        Actual      ours   times faster`);
['first sync', 'again with 1 % new'].forEach((name, index) => {
  const [theirs, mine] = [actual[index]!.seconds, seconds[index]!];
  const figures = [`${theirs.toFixed(1)} s`.padStart(16), `${mine.toFixed(2)} s`.padStart(9)];
  console.log(`${name.padEnd(28)} ${figures.join(' ')} ${(theirs / mine).toFixed(0).padStart(14)}`);
});
