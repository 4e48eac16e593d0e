import { pick, randomStream, wholeBetween } from '../random.js';
import { bankingDay } from './day.js';
import type { DiaryEntry, Habit } from './diary.js';
import type { Spending } from './merchants.js';

/** Everything bought with a card, as one habit per kind of spending. */
export function spendingHabits<Key extends string>(
  seed: string,
  spendings: readonly Spending<Key>[],
  town: string,
): Habit<Key>[] {
  return spendings.map((spending) => (day) => {
    if (spending.season?.(day) === false) return [];
    const random = randomStream(`${seed} ${spending.name} ${day.number}`);
    if (random() >= spending.timesPerWeek / 7) return [];
    const purchase = buy(spending, town, day.number, random);
    return random() < (spending.twiceChance ?? 0) ? [purchase, purchase] : [purchase];
  });
}

function buy<Key extends string>(
  { account, settlesInDays, cents: [least, most], stepCents = 1, merchants }: Spending<Key>,
  town: string,
  day: number,
  random: () => number,
): DiaryEntry<Key> {
  const merchant = pick(random, merchants);
  const steps = Math.floor(((most - least) * random() ** 2) / stepCents);
  return {
    account,
    day,
    postDay: bankingDay(day + wholeBetween(random, ...settlesInDays)),
    amountMinor: -(least + steps * stepCents),
    text: {
      description: merchant.text.replace(/^(SQ|TST) ?\*\s?/, ''),
      payee: merchant.payee,
      memo: `${merchant.text} ${town}`,
      mcc: merchant.mcc,
    },
  };
}
