import { randomStream, wholeBetween } from '../../../sandbox/random.js';
import type { Bank } from './bank.js';
import type { Member } from './household.js';
import { dayOf, isWithin, momentOf } from './span.js';
import { ACCRUAL_BOOKED, ACCRUAL_DAYS, DAY_MS, type TrueAccount } from './truth.js';

/** Statements are of this day of every so many. */
const STATEMENT_DAYS = 30;
const STATEMENT_DAY = 12;
const MINOR_PER_UNIT = 100;

const DEBTS = ['credit_card', 'loan', 'other_liability'];

/** The moment that the balance reported at a moment is of. */
export function balanceMoment({ account, bank }: Member, moment: number, seed: string): number {
  const { staleBalance, figure } = bank;
  const day = dayOf(moment);
  if (figure.statement) return endOf(day - 1 - modulo(day - 1 - STATEMENT_DAY, STATEMENT_DAYS));
  if (figure.frozen && isWithin(figure.frozen, moment)) return momentOf(figure.frozen[0]);
  if (isWithin(figure.lags, moment)) return endOf(day - 1);
  const random = randomStream(`${seed}/${account.name}/${moment}`);
  const stale = random() < staleBalance.share ? wholeBetween(random, ...staleBalance.days) : 0;
  return stale > 0 && account.stakes.length === 0 ? endOf(day - stale) : moment;
}

/** Interest that the balance of a moment has, and that is booked only at the end of its period. */
export function accruedMinor({ accruesPerDayMinor }: TrueAccount, moment: number): number {
  return accruesPerDayMinor * modulo(dayOf(moment) - ACCRUAL_BOOKED, ACCRUAL_DAYS);
}

/** The number that is reported for a balance in the holder's view. */
export function reportedFigure({ account, bank }: Member, moment: number, seed: string, balanceMinor: number): number {
  if (isZeroed(account, bank, moment, seed)) return 0;
  const isDebt = DEBTS.includes(account.type ?? '');
  const isFlipped = (bank.debtPositive && isDebt) !== isWithin(bank.figure.reversed, moment);
  const rounded = bank.figure.rounded ? Math.round(balanceMinor / MINOR_PER_UNIT) * MINOR_PER_UNIT : balanceMinor;
  return isFlipped ? -rounded : rounded;
}

/** How far from the true balance one that is reported in whole units may lie. */
export function roundingMinor({ figure }: Bank): number {
  return figure.rounded ? MINOR_PER_UNIT / 2 : 0;
}

export function isZeroed({ name }: TrueAccount, { figure }: Bank, moment: number, seed: string): boolean {
  return figure.zero > 0 && randomStream(`${seed}/${name}/${moment}/zero`)() < figure.zero;
}

function endOf(day: number): number {
  return (day + 1) * DAY_MS - 1;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
