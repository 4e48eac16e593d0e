import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { CpuSeconds } from '../cpu-seconds.js';
import { median } from '../median.js';
import { showProgress } from '../progress.js';
import { createConnections, forget } from './connections.js';
import { secondsOfRuns } from './seconds-of-runs.js';

const ROUNDS = 7;
/** Nearly all that a first sync writes. */
const TABLES = ['transactions', 'balances', 'observations', 'balance_spans', 'uncertain_days'];

/**
 * Processor time of PostgreSQL for a first sync, and for COPY of the rows that it has written, into the same tables with the same
 * indexes and keys.
 */
export async function againstCopy(
  client: pg.Client,
  cpu: CpuSeconds,
  due: Parameters<typeof createConnections>[1],
): Promise<void> {
  const msOf = async (work: () => Promise<unknown>) => {
    const before = await cpu.now();
    await work();
    return ((await cpu.now()).database - before.database) * 1000;
  };
  const rounds: { sync: number; copy: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    showProgress(`round ${round} of ${ROUNDS}`);
    const sync = await msOf(async () => {
      await createConnections(client, { ...due, count: 1 });
      await secondsOfRuns(client, 1);
    });
    const written = new Map<string, Buffer>();
    for (const table of TABLES) written.set(table, await buffer(client.query(copyTo(`copy ${table} to stdout`))));
    for (const table of TABLES) await client.query(`delete from ${table}`);
    await client.query('vacuum');
    const copy = await msOf(async () => {
      for (const [table, rows] of written)
        await pipeline(Readable.from([rows]), client.query(copyFrom(`copy ${table} from stdin`)));
    });
    if (round > 0) rounds.push({ sync, copy });
    await forget(client);
    await client.query('vacuum analyze');
  }
  showProgress('');
  const [sync, copy] = [median(rounds.map(({ sync }) => sync)), median(rounds.map(({ copy }) => copy))];
  const times = median(rounds.map(({ sync, copy }) => sync / copy));
  console.log(`first sync ${sync.toFixed(0)} ms of PostgreSQL, COPY ${copy.toFixed(0)} ms: ${times.toFixed(2)} times`);
}
