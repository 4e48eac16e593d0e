import { bankingDay, type DiaryDay } from '../life/day.js';
import { bankText, type DiaryEntry, type Habit } from '../life/diary.js';
import { onTheDay } from '../life/income-and-bills.js';
import type { AbroadKey } from './accounts.js';

const ENOUGH_MINOR = 260_000;
const TOO_LITTLE_MINOR = 90_000;
const HUNDRED = 10_000;
const INVEST_MINOR = 20_000;
/** What is kept at the foreign banks; more is given away. */
const ENOUGH_STERLING_MINOR = 200_000;
const ENOUGH_YEN = 700_000;

/** What is left before the next salary goes to the savings; a lack of money is filled from there. */
const balanceOut: Habit<AbroadKey> = (day, diary) => {
  if (!day.due.has(15) && !day.due.has(27)) return [];
  const cash = diary.cashMinor('current', day.number - 1);
  const surplus = Math.floor((cash - ENOUGH_MINOR) / HUNDRED) * HUNDRED;
  if (surplus > 0) return transfer(day, surplus, ['current', 'NORDHAVN SPARBANK'], ['savings', 'INSÄTTNING']);
  return cash < TOO_LITTLE_MINOR
    ? transfer(day, 10 * HUNDRED, ['savings', 'UTTAG'], ['current', 'NORDHAVN SPARBANK'])
    : [];
};

const invest: Habit<AbroadKey> = (day) =>
  day.due.has(6) ? transfer(day, INVEST_MINOR, ['current', 'LANTERN INVEST'], ['portfolio', 'DEPOSIT']) : [];

/** All that was owed at the end of the month before. */
const payCard: Habit<AbroadKey> = (day, diary) => {
  if (!day.due.has(10)) return [];
  const owed = -diary.cashMinor('card', day.number - day.dayOfMonth);
  return owed > 0 ? transfer(day, owed, ['current', 'WATERKANT CREDITCARD'], ['card', 'INCASSO CREDITCARD']) : [];
};

const giveAway: Habit<AbroadKey> = (day, diary) => {
  if (!day.due.has(20)) return [];
  const [pounds, yen] = (['sterling', 'yen'] as const).map((key) => diary.cashMinor(key, day.number - 1));
  return [
    ...((pounds ?? 0) > ENOUGH_STERLING_MINOR ? [gift('sterling', day, -100_000, 'FPS N ASHWORTH')] : []),
    ...((yen ?? 0) > ENOUGH_YEN ? [gift('yen', day, -300_000, '振込 モリ アキラ')] : []),
  ];
};

export const transferHabitsAbroad: readonly Habit<AbroadKey>[] = [balanceOut, invest, payCard, giveAway];

/** Money leaves one account today and reaches the other on the next banking day. */
function transfer(
  day: DiaryDay,
  amountMinor: number,
  from: [AbroadKey, string],
  to: [AbroadKey, string],
): DiaryEntry<AbroadKey>[] {
  const arrival = bankingDay(day.number + 1);
  return [
    onTheDay(from[0], day, -amountMinor, bankText(from[1], '')),
    { account: to[0], day: arrival, postDay: arrival, amountMinor, text: bankText(to[1], '') },
  ];
}

function gift(account: AbroadKey, day: DiaryDay, amountMinor: number, words: string): DiaryEntry<AbroadKey> {
  return onTheDay(account, day, amountMinor, bankText(words, ''));
}
