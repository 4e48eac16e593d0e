import { pick, randomStream, wholeBetween } from '../random.js';
import { bankText, type AccountKey, type EntryText, type Habit } from './diary.js';
import { onTheDay } from './income-and-bills.js';

const ACCOUNT: AccountKey = 'yen';
/** Above this the surplus is sent to the owner's relatives. */
const ENOUGH_YEN = 1_500_000;

const SHOPS: readonly EntryText[] = [
  { description: 'デビット ソラコンビニ', payee: 'Sora Convenience', memo: '', mcc: '5499' },
  { description: 'デビット ヒノデショテン', payee: 'Hinode Books', memo: '', mcc: '5942' },
  { description: 'ATM 引出', payee: 'ATM withdrawal', memo: 'ATM', mcc: '6011' },
];

const fee: Habit = (day) =>
  day.due.has(25) ? [onTheDay(ACCOUNT, day, 96_800, bankText('振込 カ)ハマカゼホンヤク', 'Hamakaze Translation'))] : [];

const storage: Habit = (day) =>
  day.due.has(27) ? [onTheDay(ACCOUNT, day, -12_100, bankText('口座振替 トランクルーム', 'Trunk Room'))] : [];

const gift: Habit = (day, diary) => {
  if (!day.due.has(10)) return [];
  const surplus = diary.cashMinor(ACCOUNT, day.number - 1) - ENOUGH_YEN;
  return surplus >= 100_000 ? [onTheDay(ACCOUNT, day, -300_000, bankText('振込 タナカ ハナコ', 'Tanaka Hanako'))] : [];
};

/** The account kept from years abroad: a fee comes in, storage and small things go out. */
export function yenHabits(seed: string): Habit[] {
  const shopping: Habit = (day) => {
    const random = randomStream(`${seed} yen ${day.number}`);
    if (random() >= 1.5 / 7) return [];
    return [onTheDay(ACCOUNT, day, -wholeBetween(random, 6, 90) * 110, pick(random, SHOPS))];
  };
  return [fee, storage, gift, shopping];
}
