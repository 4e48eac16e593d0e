import { parseArgs } from 'node:util';
import { deriveHistory } from '../src/balance-engine/derive-history.js';
import type { Ledger } from '../src/balance-engine/ledger.js';
import { DAYS, FIRST_DAY, ledgersOf } from './derive/ledgers.js';
import { hledgerSeconds } from './derive/hledger.js';
import { unexplainedLedger } from '../test/unexplained-ledger.js';
import { median } from './median.js';

// What does deriving cost, every column of every row, beside a loop that only sums the days up? In processor time of all
// threads, which a busy machine does not change.
// npm run bench:derive [-- --rounds 15]

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const ROUNDS = Number(values.rounds);
const TRANSACTIONS = 1_000_000;
const HLEDGER_ACCOUNTS = 10;
const REPORTS = { 'first sync': 1, 'synced daily for two years': 730, 'synced daily for ten years': DAYS };
const WORST_REPORTS = 300;

/** The plainest possible: a balance per day, and nothing of why. */
function sumDays({ entries }: Ledger): Float64Array {
  const balances = new Float64Array(DAYS);
  for (const { day, amountMinor } of entries) balances[day - FIRST_DAY]! += amountMinor;
  for (let row = 1; row < DAYS; row++) balances[row]! += balances[row - 1]!;
  return balances;
}

/** Milliseconds of processor time for all accounts, and the last account's result, so that no work can be left out. */
function time<T>(ledgers: readonly Ledger[], work: (ledger: Ledger) => T): { ms: number; last: T } {
  const begun = process.cpuUsage();
  let last!: T;
  for (const ledger of ledgers) last = work(ledger);
  const { user, system } = process.cpuUsage(begun);
  return { ms: (user + system) / 1000, last };
}

function compare(ledgers: readonly Ledger[]): { ours: number; loop: number; times: number } {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const loop = time(ledgers, sumDays);
    const ours = time(ledgers, deriveHistory);
    if (ours.last?.length !== loop.last.length) throw new Error('not the same days');
    return { ours: ours.ms, loop: loop.ms, times: ours.ms / loop.ms };
  });
  const middle = (part: 'ours' | 'loop' | 'times') => median(rounds.map((round) => round[part]));
  return { ours: middle('ours'), loop: middle('loop'), times: middle('times') };
}

console.log(`${TRANSACTIONS.toLocaleString('en')} transactions over ten years; medians of ${ROUNDS} rounds`);
console.log('accounts  account-days                                 ours      loop   times the loop');
for (const accounts of [100, 200]) {
  for (const [name, observations] of Object.entries(REPORTS)) {
    const { ours, loop, times } = compare(ledgersOf(accounts, TRANSACTIONS / accounts, observations));
    const [left, right] = [
      [accounts, accounts * DAYS],
      [`${ours.toFixed(0)} ms`, `${loop.toFixed(1)} ms`],
    ];
    console.log(
      `${String(left[0]).padStart(8)}  ${String(left[1]).padStart(12)}  ${name.padEnd(26)}`,
      `${right[0]!.padStart(10)}${right[1]!.padStart(10)}  ${times.toFixed(1).padStart(14)}`,
    );
  }
}

const worst = [unexplainedLedger(WORST_REPORTS)];
const worstMs = median(Array.from({ length: ROUNDS }, () => time(worst, deriveHistory).ms));
console.log(`\n${WORST_REPORTS} reports of which none fits: ${worstMs.toFixed(0)} ms`);

const part = ledgersOf(HLEDGER_ACCOUNTS, TRANSACTIONS / 200, 1);
const { ours } = compare(part);
const seconds = await hledgerSeconds(part);
if (seconds === null) console.log('\nhledger is not installed (Debian: apt install hledger), so it was not measured');
else {
  const share = `${HLEDGER_ACCOUNTS} of the 200 accounts: hledger ${seconds.toFixed(2)} s by the clock, ours ${ours.toFixed(1)} ms`;
  console.log(`\n${share}, ${((seconds * 1000) / ours).toFixed(0)} times slower`);
}
