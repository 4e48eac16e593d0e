import type { Ledger } from '../../src/balance-engine/ledger.js';

const DAY_MS = 86_400_000;
const ENTRIES_A_DAY = 4;

/** The costliest ledger: a report a day, none of which fits, with pending transactions and entries that could be exceptions. */
export function unexplainedLedger(days: number): Ledger {
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
