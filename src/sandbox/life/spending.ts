import { pick, randomStream, wholeBetween } from '../random.js';
import { bankingDay } from './day.js';
import type { Entry, Habit } from './diary.js';
import { SPENDING, type Spending } from './merchants.js';

/** Everything bought with a card, as one habit per kind of spending. */
export function spendingHabits(seed: string): Habit[] {
  return SPENDING.map((spending) => (day) => {
    if (spending.season?.(day) === false) return [];
    const random = randomStream(`${seed} ${spending.name} ${day.number}`);
    if (random() >= spending.timesPerWeek / 7) return [];
    const purchase = buy(spending, day.number, random);
    return random() < (spending.twiceChance ?? 0) ? [purchase, purchase] : [purchase];
  });
}

function buy(
  { account, cents: [least, most], stepCents = 1, merchants }: Spending,
  day: number,
  random: () => number,
): Entry {
  const merchant = pick(random, merchants);
  const steps = Math.floor(((most - least) * random() ** 2) / stepCents);
  // A card's merchant takes days to settle, a bank's own card one.
  const lagDays = account === 'card' ? wholeBetween(random, 1, 3) : 1;
  return {
    account,
    day,
    postDay: bankingDay(day + lagDays),
    amountMinor: -(least + steps * stepCents),
    text: {
      description: merchant.text.replace(/^(SQ|TST) ?\*\s?/, ''),
      payee: merchant.payee,
      memo: `${merchant.text} SPRINGFIELD`,
      mcc: merchant.mcc,
    },
  };
}
