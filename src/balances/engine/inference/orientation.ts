import type { AccountRules } from '../account-type.js';
import type { Reports } from '../reports.js';
import { BITS } from './costs.js';
import type { Explanation } from './explanation.js';
import { EVEN, excess, shareOfIncome } from './reversals.js';

/**
 * How many bits more the mirror image of an explanation costs. With all balances and all transactions in the opposite sign
 * every movement is explained as well, so a debt and a credit differ in what is plausible only: a debt is mostly owed, a
 * card pays more often than it is paid, and banks rarely turn the signs of transactions.
 *
 * @param given the reports as the bank made them
 * @returns 0 before a movement has shown anything; `Infinity` if the signs are as they should be, or change within the feed,
 *   which shows them
 */
export function mirrorBits(
  explanation: Explanation,
  given: Reports,
  { hasCash }: Pick<AccountRules, 'hasCash'>,
): number {
  if (!hasFollowed(explanation)) return 0;
  const isTurned = explanation.reversal?.of === 'transactions';
  if ((explanation.reversal && !isTurned) || !signOfBalances(explanation, given)) return Infinity;
  const income = hasCash ? shareOfIncome(explanation.entries, -Infinity) : EVEN;
  // A list of purchases is in the sign that it should be.
  if (!isTurned && income <= EVEN) return Infinity;
  const credit = shareInCredit(explanation);
  const plausible = BITS.inCredit * excess(credit) + BITS.income * excess(income);
  const mirrored = BITS.inCredit * excess(1 - credit) + BITS.income * excess(1 - income);
  return mirrored - plausible + (isTurned ? -BITS.reversed : BITS.reversed);
}

/** The mirror image: transactions as the bank lists them. */
export function mirror(explanation: Explanation, given: Reports) {
  const { entries, reports } = explanation;
  return {
    entries: entries.map((entry) => ({ ...entry, amountMinor: -entry.amountMinor })),
    reports: { ...reports, reported: reports.reported.map((amount) => 0 - amount) },
    isDebtPositive: signOfBalances(explanation, given) === 1,
  };
}

/** Of all balances, if all have one sign; -1: the opposite of the holder's view. */
function signOfBalances({ reports, reversal }: Explanation, given: Reports): 1 | -1 | undefined {
  const span = reversal?.spans[0];
  if (span && (span.from > 0 || span.until < reports.count)) return undefined;
  const hasSign = (sign: 1 | -1) => reports.reported.every((amount, index) => amount === given.reported[index]! * sign);
  return ([1, -1] as const).find(hasSign);
}

/** Whether a balance has moved as its list did, since the report before or the first one, by whatever amount. */
function hasFollowed({ reports: { reported, count }, offsets }: Explanation): boolean {
  const follows = (index: number, before: number) => {
    const moved = reported[index]! - reported[before]!;
    return moved * (moved - offsets.plain(index) + offsets.plain(before)) > 0;
  };
  for (let index = 1; index < count; index++) if (follows(index, index - 1) || follows(index, 0)) return true;
  return false;
}

/** The share of the days on which something is owned, drawn to a half where they are few. */
function shareInCredit({ entries, baselines, bases, reports }: Explanation): number {
  const firstDay = Math.min(reports.day[0]!, entries[0]?.day ?? Infinity);
  const changes = baselines.map(({ day, changedMinor }) => ({ day, amountMinor: changedMinor }));
  const listed = entries.filter(({ listedUntil }) => listedUntil === null);
  const moves = [{ day: firstDay, amountMinor: bases[0]! }, ...changes, ...listed].sort((a, b) => a.day - b.day);
  const end = reports.day[reports.count - 1]! + 1;
  let [inCredit, all, balance] = [1, 2, 0];
  for (const [place, { day, amountMinor }] of moves.entries()) {
    balance += amountMinor;
    const days = Math.max(0, Math.min(moves[place + 1]?.day ?? end, end) - Math.max(day, firstDay));
    if (balance !== 0) all += days;
    if (balance > 0) inCredit += days;
  }
  return inCredit / all;
}
