import { dateOfUnixSeconds } from '../../src/platform/time/calendar-date.js';
import { median } from '../median.js';
import { createPerson } from '../person.js';
import { startTidemark } from '../servers.js';
import { startThrowawayDatabase, type ThrowawayDatabase } from '../throwaway-database.js';
import { PlainWork } from './plain-work.js';
import type { PreparedServer } from './prepared-server.js';
import { firstRows, newRows, type Shape, SHAPES } from './rows.js';
import { Syncs } from './syncs.js';
import { untouched } from './untouched.js';

const SYNCS = ['first sync', '1 % new', 'no news'];
/** Spread thinly, they make the service ask for all that it asks for with the many. */
const PRACTICE_ROWS = 1_000;

interface Round {
  /** Seconds of each of the syncs. */
  ours: number[];
  plain: number[];
  peakMib: number;
}

/** The benchmark of one provider: what a sync costs beside the same work done by PostgreSQL alone. */
export async function benchProviderSync(startBank: () => Promise<PreparedServer>, rounds: number): Promise<void> {
  const database = await startThrowawayDatabase();
  try {
    for (const shape of SHAPES) {
      const bank = await startBank();
      const played: Round[] = [];
      while (played.length < rounds) played.push(await playRound(shape, bank, database));
      tell(shape, played);
      bank.stop();
    }
  } finally {
    await database.drop();
  }
}

/** Ours and the floor in turns, so that both meet the same machine in the same state. */
async function playRound(shape: Shape, bank: PreparedServer, { url, client }: ThrowawayDatabase): Promise<Round> {
  const today = dateOfUnixSeconds(Math.floor(Date.now() / 1000));
  const first = firstRows(shape, today);
  const second = [...first, ...newRows(shape, today)];
  const server = await startTidemark(url, { ROLE: 'all', PROVIDER_ALLOW_PRIVATE_NETWORK: '1', ...bank.environment() });
  try {
    await practise(shape, bank, new Syncs(server, await createPerson(client)));
    const syncs = new Syncs(server, await createPerson(client));
    const floor = new PlainWork(client);
    await floor.begin();

    bank.serve(first);
    const { connectionId, seconds } = await syncs.connect(bank.connectBody());
    const ours = [seconds];
    const plain = [await floor.merge(first)];
    bank.serve(second);
    ours.push(await syncs.again(connectionId));
    plain.push(await floor.merge(second));
    const isUntouched = await untouched(client, async () => void ours.push(await syncs.again(connectionId)));
    if (!isUntouched) throw new Error('a sync without news changed rows');
    plain.push(await floor.merge(second));
    return { ours, plain, peakMib: await server.peakMib() };
  } finally {
    await server.stop();
  }
}

/**
 * A service runs for months, so somebody else's syncs come before those that count. It also shows the bank what it will be
 * asked, so that its answers are ready then.
 */
async function practise(shape: Shape, bank: PreparedServer, syncs: Syncs): Promise<void> {
  const few = { ...shape, rows: PRACTICE_ROWS };
  const today = dateOfUnixSeconds(Math.floor(Date.now() / 1000));
  const first = firstRows(few, today);
  bank.serve(first);
  const { connectionId } = await syncs.connect(bank.connectBody());
  bank.serve([...first, ...newRows(few, today)]);
  await syncs.again(connectionId);
  await syncs.again(connectionId);
}

function tell({ name, rows, accounts, days }: Shape, rounds: readonly Round[]): void {
  const count = rows.toLocaleString('en');
  console.log(
    `\n${name}: ${count} transactions, ${accounts} accounts, ${days} days; medians of ${rounds.length} rounds`,
  );
  console.log('                rows/s   floor rows/s   times the floor');
  SYNCS.forEach((sync, index) => {
    const rate = (part: 'ours' | 'plain') => rows / median(rounds.map((round) => round[part][index]!));
    const times = median(rounds.map(({ ours, plain }) => ours[index]! / plain[index]!));
    const figures = [rate('ours').toFixed(0).padStart(10), rate('plain').toFixed(0).padStart(14)];
    console.log(`${sync.padEnd(12)}${figures.join(' ')} ${times.toFixed(2).padStart(17)}`);
  });
  console.log(`peak memory of the service: ${median(rounds.map(({ peakMib }) => peakMib)).toFixed(0)} MiB`);
}
