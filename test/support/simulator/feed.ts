import { randomStream } from '../../../sandbox/random.js';
import type { Observation } from '../../../src/balances/engine/ledger.js';
import { accruedMinor, balanceMoment, isZeroed, reportedFigure } from './figure.js';
import type { Member } from './household.js';
import { dayOf, isWithin } from './span.js';
import { DAY_MS, type Hold, isStated, type Movement, positionsAt, worthOf } from './truth.js';

/** What one sync brought of one account. */
export interface Report {
  observation: Observation;
  /** The movements that the reported balance contains are those booked by then. */
  balanceOf: number;
  /** The sum of the listed holds that are in the balance. */
  listedHoldsMinor: number;
  /** Holds that are in the balance and not listed. */
  hiddenHolds: readonly Hold[];
  /** The number is no balance of this account: 0 for once. */
  isZeroed: boolean;
  /** Interest that is in the balance and not booked yet. */
  accruedMinor: number;
}

/** What the bank tells at a moment, beside the list of entries. */
export function report(member: Member, moment: number, seed: string): Report {
  return reportOf(member, moment, balanceMoment(member, moment, seed), seed);
}

/** @param balanceOf the moment that the reported balance is of */
export function reportOf(member: Member, moment: number, balanceOf: number, seed: string): Report {
  const { account, bank } = member;
  const { holds, figure } = bank;
  const day = dayOf(moment);
  const open = account.holds.filter(({ from, until }) => from <= balanceOf && balanceOf < until);
  const inBalance = holds.inBalance && isWithin(figure.holdsCount, moment) ? open : [];
  const heldMinor = inBalance.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const listed = holds.listed
    ? account.holds.filter(({ from, listedUntil }) => from <= moment && moment < listedUntil)
    : [];
  const positions = positionsAt(account, moment, day);
  const accrued = accruedMinor(account, balanceOf);
  const own = cashAt(account.movements, account.openingMinor, balanceOf) + heldMinor + worthOf(positions) + accrued;
  const thing = [...account.valuations].findLast(([since]) => since <= day)?.[1] ?? 0;
  const rowSign = isWithin(figure.rowsReversed, moment) ? -1 : 1;
  return {
    balanceOf,
    listedHoldsMinor: holds.listed ? heldMinor : 0,
    hiddenHolds: holds.listed ? [] : inBalance,
    isZeroed: isZeroed(account, bank, moment, seed),
    accruedMinor: accrued,
    observation: {
      observedAt: moment,
      day,
      balanceMinor: reportedFigure(member, moment, seed, own + thing),
      balanceDay: bank.tellsBalanceDay ? dayOf(balanceOf) : null,
      pendingMinor: listed.map(({ amountMinor }) => amountMinor * rowSign),
      holdings: account.stakes.length === 0 ? null : toPositions(positions),
    },
  };
}

function cashAt(movements: readonly Movement[], openingMinor: number, moment: number): number {
  let cash = openingMinor;
  for (const movement of movements) {
    if (movement.bookedAt <= moment && isStated(movement, moment)) cash += movement.amountMinor;
  }
  return cash;
}

function toPositions(positions: ReturnType<typeof positionsAt>): Observation['holdings'] {
  return [...positions].map(([key, { quantity, valueMinor }]) => ({ key, quantity, valueMinor }));
}

/** The moments at which an account is synced: most days, some of them twice, none while its consent is lapsed. */
export function syncMoments({ account, bank }: Member, first: number, last: number, seed: string): number[] {
  const random = randomStream(`${seed}/${account.name}/syncs`);
  const moments: number[] = [];
  const gapFrom = bank.gap ? first + bank.gap.startsAfterDays : Infinity;
  const gapTo = bank.gap ? gapFrom + bank.gap.days : Infinity;
  for (let day = first; day <= last; day++) {
    const missed = day !== first && random() < 0.03;
    const twice = random() < 0.2;
    if (missed || (day >= gapFrom && day < gapTo) || (day - first) % bank.syncEveryDays !== 0) continue;
    moments.push(day * DAY_MS + 0.26 * DAY_MS);
    if (twice) moments.push(day * DAY_MS + 0.76 * DAY_MS);
  }
  return moments;
}
