import { parseArgs } from 'node:util';
import { deriveHistory } from '../src/balances/engine/derive-history.js';
import type { Ledger } from '../src/balances/engine/ledger.js';
import { DAY_MS } from '../src/platform/time/calendar-date.js';
import { DAYS, FIRST_DAY, ledgersOf } from './derive/ledgers.js';
import { PEERS, peerSeconds } from './derive/peers.js';
import { median } from './median.js';

// What does deriving cost, every column of every row, beside a loop that only sums the days up? In processor time of all
// threads, which a busy machine does not change.
// npm run bench -- derive [--rounds 15]

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } });
const ROUNDS = Number(values.rounds);
const TRANSACTIONS = 1_000_000;
const PEER_ACCOUNTS = 10;
/** Some take half a minute. */
const PEER_ROUNDS = Math.min(ROUNDS, 3);
const REPORTS = { 'first sync': 1, 'synced daily for two years': 730, 'synced daily for ten years': DAYS };
const WORST_REPORTS = 300;
const ENTRIES_A_DAY = 4;

/** The costliest ledger: a report a day, none of which fits, with pending transactions and entries that could be exceptions. */
function unexplainedLedger(days: number): Ledger {
  const observations = Array.from({ length: days }, (_, index) => ({
    observedAt: index * DAY_MS,
    day: index,
    balanceMinor: ((index * 7919) % 10_007) * 13,
    balanceDay: null,
    pendingMinor: [-100, -250, -371],
    holdings: null,
  }));
  const entries = Array.from({ length: days * ENTRIES_A_DAY }, (_, index) => {
    const day = Math.floor(index / ENTRIES_A_DAY);
    const amountMinor = -(((index * 31) % 997) + 1);
    return { key: String(index), day, amountMinor, listedFrom: day * DAY_MS, listedUntil: null };
  });
  return { accountType: 'depository', until: days - 1, completeOn: days - 1, entries, observations };
}

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

/** A few accounts at a time: the service has the one it derives in memory, and collecting the others is not its work. */
const ACCOUNTS_AT_ONCE = 10;

function compare(accounts: number, observations: number): { ours: number; loop: number; times: number } {
  const rounds = Array.from({ length: ROUNDS }, () => ({ ours: 0, loop: 0 }));
  for (let first = 0; first < accounts; first += ACCOUNTS_AT_ONCE) {
    const ledgers = ledgersOf(ACCOUNTS_AT_ONCE, TRANSACTIONS / accounts, observations, first);
    for (const round of rounds) {
      const loop = time(ledgers, sumDays);
      const ours = time(ledgers, deriveHistory);
      if (ours.last?.length !== loop.last.length) throw new Error('not the same days');
      round.loop += loop.ms;
      round.ours += ours.ms;
    }
  }
  const times = median(rounds.map(({ ours, loop }) => ours / loop));
  return { ours: median(rounds.map(({ ours }) => ours)), loop: median(rounds.map(({ loop }) => loop)), times };
}

console.log(`${TRANSACTIONS.toLocaleString('en')} transactions over ten years; medians of ${ROUNDS} rounds`);
console.log('accounts  account-days                                 ours      loop   times the loop');
for (const accounts of [100, 200]) {
  for (const [name, observations] of Object.entries(REPORTS)) {
    const { ours, loop, times } = compare(accounts, observations);
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

const part = ledgersOf(PEER_ACCOUNTS, TRANSACTIONS / 200, 1);
const ours = median(Array.from({ length: ROUNDS }, () => time(part, deriveHistory).ms));
console.log(`\n${PEER_ACCOUNTS} of the 200 accounts, ms of processor time`);
console.log(`${'ours'.padEnd(12)}${ours.toFixed(1).padStart(10)}`);
for (const [name, peer] of Object.entries(PEERS)) {
  const rounds: number[] = [];
  for (let round = 0; round < PEER_ROUNDS; round++) {
    const seconds = await peerSeconds(peer, part);
    if (seconds !== null) rounds.push(seconds * 1000);
  }
  console.log(name.padEnd(12) + (rounds.length > 0 ? figuresOf(median(rounds)) : ` is not installed: ${peer.install}`));
}

function figuresOf(ms: number): string {
  return `${ms.toFixed(1).padStart(10)}  ${(ms / ours).toFixed(0)} times ours`;
}
