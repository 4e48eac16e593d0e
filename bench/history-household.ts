import { KINDS } from '../test/support/simulator/kinds.js';
import { derive, scoreHousehold } from '../test/support/simulator/play.js';
import { FIRST_SYNC_DAY } from '../test/support/simulator/span.js';
import { DAY_MS } from '../test/support/simulator/truth.js';

// Plays one household and tells of every row that is not as the books say: `-- "mixed faults" 168`.

interface Rows {
  days: number[];
  syncs: Set<number>;
}

const [kind = '', seed = '', days = ''] = process.argv.slice(2);
if (!KINDS[kind] || !/^\d+$/.test(seed)) {
  console.error(
    `Say a kind of bank and a seed, such as "mixed faults" 168. There are: ${Object.keys(KINDS).join('; ')}.`,
  );
  process.exit(2);
}

const TOLD = ['wrong', 'wrong, marked', 'spoiled'];
const found = new Map<string, Rows>();
scoreHousehold(
  kind,
  Number(seed),
  derive,
  Number(days) || undefined,
  ({ account }, day, { observation }, verdict, offMinor) => {
    if (!TOLD.includes(verdict)) return;
    const key = `${account.name}, ${verdict}, off by ${offMinor}`;
    const rows = found.get(key) ?? { days: [], syncs: new Set() };
    found.set(key, rows);
    rows.days.push(day - FIRST_SYNC_DAY);
    rows.syncs.add((observation.observedAt - FIRST_SYNC_DAY * DAY_MS) / DAY_MS);
  },
);
console.log('Days are counted from the first sync, amounts in minor units.');
for (const [what, { days, syncs }] of found) {
  console.log(`${what}: days ${range(days)}, as told by the syncs of days ${range([...syncs])}`);
}
if (found.size === 0) console.log('Every knowable day is right, and none was spoiled.');

function range(numbers: readonly number[]): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return least === most ? String(least) : `${least} to ${most}`;
}
