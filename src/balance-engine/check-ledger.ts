import type { Entry, Ledger, Observation } from './ledger.js';

/**
 * The door of the engine: everything behind it counts on safe integers.
 *
 * @throws RangeError with a sentence naming the first number that is none
 */
export function checkLedger(ledger: Ledger): void {
  requireInteger(ledger.until, 'the last day');
  for (const entry of ledger.entries) checkEntry(entry);
  for (const observation of ledger.observations) checkObservation(observation);
}

function checkEntry({ day, amountMinor, listedFrom, listedUntil }: Entry): void {
  const isListed = Number.isFinite(listedFrom) && (listedUntil === null || Number.isFinite(listedUntil));
  if (isListed && Number.isSafeInteger(day) && Number.isSafeInteger(amountMinor)) return;
  requireInteger(day, 'the day of an entry');
  requireInteger(amountMinor, 'the amount of an entry');
  requireFinite(listedFrom, 'the moment an entry was first listed');
  requireFinite(listedUntil ?? 0, 'the moment an entry was no longer listed');
}

function checkObservation({ observedAt, day, balanceMinor, balanceDay, pendingMinor, holdings }: Observation): void {
  requireFinite(observedAt, 'the moment of an observation');
  requireInteger(day, 'the day of an observation');
  requireInteger(balanceMinor, 'a reported balance');
  if (balanceDay !== null) requireInteger(balanceDay, 'the day of a reported balance');
  for (const amount of pendingMinor) requireInteger(amount, 'the amount of a pending hold');
  if (holdings === null) return;
  for (const { valueMinor, quantity } of holdings) {
    requireInteger(valueMinor, 'the value of a position');
    requireFinite(quantity, 'the quantity of a position');
  }
}

function requireInteger(value: number, what: string): void {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${what} must be a safe integer, not ${value}`);
}

function requireFinite(value: number, what: string): void {
  if (!Number.isFinite(value)) throw new RangeError(`${what} must be a finite number, not ${value}`);
}
