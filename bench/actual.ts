import { dateOfUnixSeconds } from '../src/platform/time/calendar-date.js';
import { importIntoActual } from './actual/import.js';
import { median } from './median.js';
import { createPerson } from './person.js';
import { PlainWork } from './provider-sync/plain-work.js';
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

const ROUNDS = 5;

/** Seconds of the first and of the second sync. */
type Pair = [number, number];

/** Medians of the rounds. */
interface Measured {
  ours: Pair;
  /** What PostgreSQL alone takes for the same rows in the same table: nobody who stores them in it can be faster. */
  plain: Pair;
}

/** Ours fetches, parses and derives too. A service runs for months, so somebody else's syncs come before those measured. */
async function measure(): Promise<Measured> {
  const database = await startThrowawayDatabase();
  const bank = await startUsBank();
  const server = await startTidemark(database.url, {
    ...{ ROLE: 'all', PROVIDER_ALLOW_PRIVATE_NETWORK: '1' },
    ...bank.environment(),
  });
  const syncTwice = async (): Promise<Pair> => {
    const syncs = new Syncs(server, await createPerson(database.client));
    bank.serve(first);
    const { connectionId, seconds } = await syncs.connect(bank.connectBody());
    bank.serve(second);
    return [seconds, await syncs.again(connectionId)];
  };
  try {
    await syncTwice();
    const ours: Pair[] = [];
    const plain: Pair[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await syncTwice());
      const floor = new PlainWork(database.client);
      await floor.begin();
      plain.push([await floor.merge(first), await floor.merge(second)]);
    }
    return { ours: mediansOf(ours), plain: mediansOf(plain) };
  } finally {
    await server.stop();
    bank.stop();
    await database.drop();
  }
}

function mediansOf(rounds: readonly Pair[]): Pair {
  return [median(rounds.map(([first]) => first)), median(rounds.map(([, second]) => second))];
}

/** One line of the table: the seconds of each. */
function tell(name: string, theirs: number, ours: number, plain: number): void {
  const beside = (mine: number) => `${mine.toFixed(2)} s`.padStart(9) + (theirs / mine).toFixed(0).padStart(15);
  console.log(`${name.padEnd(28)} ${theirs.toFixed(1).padStart(14)} s ${beside(ours)} ${beside(plain)}`);
}

const [theirFirst, theirSecond] = (await importIntoActual([first, second])).map(({ seconds }) => seconds) as Pair;
const { ours, plain } = await measure();
console.log(
  `${rows.toLocaleString('en')} transactions of one account        Actual      ours   times faster     plain   times faster`,
);
tell('first sync', theirFirst, ours[0], plain[0]);
tell('again with 1 % new', theirSecond, ours[1], plain[1]);
tell('both', theirFirst + theirSecond, ours[0] + ours[1], plain[0] + plain[1]);
