import { randomStream, wholeBetween } from '../random.js';
import type { DiaryDay } from './day.js';
import { bankText, type AccountKey, type DiaryEntry, type EntryText, type Habit } from './diary.js';

interface Bill<Key extends string = AccountKey> {
  account: Key;
  dueOn: number;
  payee: string;
  description: string;
  memo: string;
  mcc: string | null;
  /** Lowest and highest amount, in cents; equal for a fixed price. */
  cents: readonly [number, number];
  /** What is added in the depth of winter, in cents. */
  winterCents?: number;
}

export const BILLS: readonly Bill[] = [
  bill('checking', 1, 'Maple Court Apartments', 'MAPLE COURT APTS RENT', 'WEB PMTS 7TQ2LP', '6513', 185_000),
  bill('checking', 6, 'City Water', 'CITY WATER AUTOPAY', 'WEB ID 88120', '4900', [3_800, 6_900]),
  {
    ...bill('checking', 11, 'Prairie Power & Light', 'PRAIRIE POWER BILLPAY', 'PPD ID 44071', '4900', [6_200, 9_400]),
    winterCents: 7_500,
  },
  bill('checking', 16, 'Lattice Fiber', 'LATTICE FIBER INTERNET', 'PPD ID 90112', '4899', 6_499),
  bill('checking', 18, 'Stonebridge Mutual', 'STONEBRIDGE MUTUAL INS', 'PPD ID 30755', '6300', 11_840),
  bill('card', 3, 'Reelhouse', 'REELHOUSE STREAMING', 'REELHOUSE.EXAMPLE/BILL', '4899', 1_549),
  bill('card', 14, 'Cadence Music', 'CADENCE MUSIC', '', '5815', 1_099),
  bill('card', 22, 'Finch Mobile', 'FINCH MOBILE AUTOPAY', 'FINCH MOBILE 800-555-0147', '4814', 4_500),
  bill('card', 27, 'Ironwood Gym', 'IRONWOOD GYM DUES', '', '7997', 3_900),
];

/** An even number of weeks before every payday. */
const FIRST_PAYDAY = 19_363; // 2023-01-06, a Friday
const PAY_MINOR = 302_417;
const RAISE_MINOR = 8_800;
const SAVINGS_RATE_PERCENT = 4;

/** Salary every other Friday, a little more every year. */
export const salary: Habit = (day) => {
  if ((day.number - FIRST_PAYDAY) % 14 !== 0) return [];
  const amountMinor = PAY_MINOR + RAISE_MINOR * (day.year - 2023);
  return [onTheDay('checking', day, amountMinor, bankText('PAYROLL LARKSPUR LLC', 'Larkspur', 'PPD ID 1204410'))];
};

/** The credit union's monthly interest on the savings. */
export const savingsInterest: Habit = (day, diary) => {
  if (!day.isLastOfMonth) return [];
  const interest = Math.round((diary.cashMinor('savings', day.number - 1) * SAVINGS_RATE_PERCENT) / 1200);
  return interest > 0 ? [onTheDay('savings', day, interest, bankText('INTEREST PAYMENT', 'Interest'))] : [];
};

export function billHabits<Key extends string>(seed: string, bills: readonly Bill<Key>[]): Habit<Key>[] {
  return bills.map((item) => (day) => {
    if (!day.due.has(item.dueOn)) return [];
    const random = randomStream(`${seed} ${item.description} ${day.number}`);
    const winter = day.month <= 2 || day.month === 12 ? (item.winterCents ?? 0) : 0;
    const { description, payee, mcc } = item;
    const memo = item.memo && `${description} ${item.memo}`;
    return [
      onTheDay(item.account, day, -wholeBetween(random, ...item.cents) - winter, { description, payee, memo, mcc }),
    ];
  });
}

/** Something the bank books on the day it happens. */
export function onTheDay<Key extends string>(
  account: Key,
  day: DiaryDay,
  amountMinor: number,
  text: EntryText,
): DiaryEntry<Key> {
  return { account, day: day.number, postDay: day.number, amountMinor, text };
}

function bill(
  account: AccountKey,
  dueOn: number,
  payee: string,
  description: string,
  memo: string,
  mcc: string,
  cents: number | readonly [number, number],
): Bill {
  return { account, dueOn, payee, description, memo, mcc, cents: typeof cents === 'number' ? [cents, cents] : cents };
}
