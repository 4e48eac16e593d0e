import type { Entry, Ledger, Observation } from './ledger.js';

/** Sums up to this can be added or subtracted twice and remain safe integers. */
const MAX_SUM = 2 ** 51;

/** The amounts of an account add up to more than can be counted to the minor unit. */
export class SumTooLargeError extends RangeError {
  override readonly name = 'SumTooLargeError';
}

/**
 * Validates the engine's input: all later code relies on safe integers, and on sums that stay safe.
 *
 * @throws RangeError with a sentence naming the first number that is none
 * @throws SumTooLargeError
 */
export function checkLedger(ledger: Ledger): void {
  requireInteger(ledger.until, 'the last day');
  if (ledger.completeOn !== null) requireInteger(ledger.completeOn, 'the day of the last whole list');
  let moved = 0;
  for (const entry of ledger.entries) {
    checkEntry(entry);
    moved += Math.abs(entry.amountMinor);
  }
  let reported = 0;
  for (const observation of ledger.observations) {
    checkObservation(observation);
    reported = Math.max(reported, totalOf(observation));
  }
  for (const { day, balanceMinor } of ledger.stated ?? []) {
    requireInteger(day, 'the day of a stated balance');
    requireInteger(balanceMinor, 'a stated balance');
    reported = Math.max(reported, Math.abs(balanceMinor));
  }
  requireCountable(moved + reported);
}

/** @param sum of amounts without their signs @throws SumTooLargeError */
export function requireCountable(sum: number): void {
  if (sum > MAX_SUM) throw new SumTooLargeError(`the amounts add up to ${sum}, more than can be counted exactly`);
}

function totalOf({ balanceMinor, pendingMinor, holdings }: Observation): number {
  let total = Math.abs(balanceMinor);
  for (const amount of pendingMinor) total += Math.abs(amount);
  for (const { valueMinor } of holdings ?? []) total += Math.abs(valueMinor);
  return total;
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
  for (const amount of pendingMinor) requireInteger(amount, 'the amount of a pending transaction');
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
