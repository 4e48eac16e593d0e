import { randomStream, wholeBetween } from '../../src/sandbox/random.js';
import type { Entry, Ledger, Observation } from '../../src/balance-engine/ledger.js';
import type { Member } from './household.js';
import { DAY_MS, type Hold, type Movement, positionsAt, worthOf } from './truth.js';

/** What one sync brought of one account. */
export interface Report {
  observation: Observation;
  /** The movements that the reported balance contains are those booked by then. */
  balanceOf: number;
  /** The sum of the listed holds that are in the balance. */
  listedHoldsMinor: number;
  /** Holds that are in the balance and not listed. */
  hiddenHolds: readonly Hold[];
}

const DEBTS = ['credit_card', 'loan', 'other_liability'];

/** What the bank tells at a moment, beside the list of entries. */
export function report(member: Member, moment: number, seed: string): Report {
  return reportOf(member, moment, balanceMoment(member, moment, seed));
}

/** The moment that the balance reported at a moment is of. */
function balanceMoment({ account, bank: { staleBalance } }: Member, moment: number, seed: string): number {
  const random = randomStream(`${seed}/${account.name}/${moment}`);
  const stale = random() < staleBalance.share ? wholeBetween(random, ...staleBalance.days) : 0;
  const day = Math.floor(moment / DAY_MS);
  return stale > 0 && account.stakes.length === 0 ? (day - stale + 1) * DAY_MS - 1 : moment;
}

/** @param balanceOf the moment that the reported balance is of */
export function reportOf({ account, bank }: Member, moment: number, balanceOf: number): Report {
  const { holds } = bank;
  const day = Math.floor(moment / DAY_MS);
  const open = account.holds.filter(({ from, until }) => from <= balanceOf && balanceOf < until);
  const inBalance = holds.inBalance ? open : [];
  const heldMinor = inBalance.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const listed = holds.listed
    ? account.holds.filter(({ from, listedUntil }) => from <= moment && moment < listedUntil)
    : [];
  const positions = positionsAt(account, moment, day);
  const own = cashAt(account.movements, account.openingMinor, balanceOf) + heldMinor + worthOf(positions);
  const flipped = bank.debtPositive && DEBTS.includes(account.type ?? '');
  const thing = [...account.valuations].findLast(([since]) => since <= day)?.[1] ?? 0;
  return {
    balanceOf,
    listedHoldsMinor: holds.listed ? heldMinor : 0,
    hiddenHolds: holds.listed ? [] : inBalance,
    observation: {
      observedAt: moment,
      day,
      balanceMinor: (own + thing) * (flipped ? -1 : 1),
      balanceDay: bank.tellsBalanceDay ? Math.floor(balanceOf / DAY_MS) : null,
      pendingMinor: listed.map(({ amountMinor }) => amountMinor),
      holdings: account.stakes.length === 0 ? null : toPositions(positions),
    },
  };
}

function cashAt(movements: readonly Movement[], openingMinor: number, moment: number): number {
  let cash = openingMinor;
  for (const { bookedAt, amountMinor } of movements) if (bookedAt <= moment) cash += amountMinor;
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
    if (missed || (day >= gapFrom && day < gapTo)) continue;
    moments.push(day * DAY_MS + 0.26 * DAY_MS);
    if (twice) moments.push(day * DAY_MS + 0.76 * DAY_MS);
  }
  return moments;
}

/** When each movement reaches the service: the first sync at which the feed lists it; `Infinity` when none does. */
export function deliveries({ account, bank }: Member, moments: readonly number[]): number[] {
  const firstSync = moments[0]!;
  const backfilledAt = bank.backfillAfterDays === null ? firstSync : firstSync + bank.backfillAfterDays * DAY_MS + 1;
  const gapFrom = firstSync + (bank.gap?.startsAfterDays ?? 0) * DAY_MS;
  const gapTo = gapFrom + (bank.gap?.days ?? 0) * DAY_MS;
  return account.movements.map(({ listedAt, day }) => {
    if (bank.gap && !bank.gap.delivered && listedAt > gapFrom && listedAt < gapTo) return Infinity;
    const old = day * DAY_MS < firstSync - 3 * DAY_MS;
    const from = old ? Math.max(listedAt, backfilledAt) : listedAt;
    return moments.find((moment) => moment >= from) ?? Infinity;
  });
}

/** The ledger a service holds after a sync. */
export function ledgerAt(
  { account }: Member,
  seenAt: readonly number[],
  observations: readonly Observation[],
  moment: number,
): Ledger {
  const entries: Entry[] = [];
  account.movements.forEach(({ day, amountMinor }, index) => {
    const listedFrom = seenAt[index]!;
    if (listedFrom <= moment) entries.push({ key: String(index), day, amountMinor, listedFrom, listedUntil: null });
  });
  return { accountType: account.type, until: Math.floor(moment / DAY_MS), entries, observations };
}
