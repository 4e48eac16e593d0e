import { bankingDay, type DiaryDay } from './day.js';
import { bankText, type AccountKey, type Diary, type DiaryEntry, type Habit } from './diary.js';
import { onTheDay } from './income-and-bills.js';

const LOAN_PAYMENT_MINOR = 31_000;
const LOAN_RATE_PERCENT = 4.5;
const STATEMENT_DAY = 20;
/** Checking is kept between these by moving whole hundreds to and from the savings. */
const COMFORT_MINOR = { least: 350_000, usual: 500_000, most: 800_000 };
const HUNDRED = 10_000;

const savePart: Habit = (day) =>
  day.due.has(2)
    ? transfer(day, 50_000, ['checking', 'TRANSFER TO SAVINGS 8021'], ['savings', 'TRANSFER FROM CHECKING 4417'])
    : [];

const invest: Habit = (day) =>
  day.due.has(7)
    ? transfer(day, 60_000, ['checking', 'SUMMIT ROW BROKERAGE ACH'], ['brokerage', 'ELECTRONIC FUNDS TRANSFER'])
    : [];

const keepCheckingComfortable: Habit = (day, diary) => {
  if (!day.due.has(4) && !day.due.has(19)) return [];
  const cash = diary.cashMinor('checking', day.number - 1);
  const away = Math.floor((cash - COMFORT_MINOR.usual) / HUNDRED) * HUNDRED;
  if (cash > COMFORT_MINOR.most) {
    return transfer(day, away, ['checking', 'TRANSFER TO SAVINGS 8021'], ['savings', 'TRANSFER FROM CHECKING 4417']);
  }
  const back = Math.min(-away, Math.floor(diary.cashMinor('savings', day.number - 1) / HUNDRED) * HUNDRED);
  if (cash >= COMFORT_MINOR.least || back <= 0) return [];
  return transfer(day, back, ['savings', 'TRANSFER TO CHECKING 4417'], ['checking', 'TRANSFER FROM SAVINGS 8021']);
};

/** The whole statement balance, every month. */
const payCard: Habit = (day, diary) => {
  if (!day.due.has(12)) return [];
  const owed = -diary.cashMinor('card', lastStatementDay(day));
  return owed > 0
    ? transfer(day, owed, ['checking', 'PINECREST CARD AUTOPAY'], ['card', 'AUTOPAY PAYMENT - THANK YOU'])
    : [];
};

const loanInterest: Habit = (day, diary) => {
  if (day.dayOfMonth !== 1) return [];
  const interest = Math.round((owedOnLoan(day, diary) * LOAN_RATE_PERCENT) / 1200);
  return interest > 0
    ? [onTheDay('loan', day, -interest, bankText('INTEREST CHARGED', 'Interest', 'MONTHLY INTEREST ACCRUAL'))]
    : [];
};

const payLoan: Habit = (day, diary) => {
  if (!day.due.has(5)) return [];
  const amount = Math.min(LOAN_PAYMENT_MINOR, owedOnLoan(day, diary));
  return amount > 0 ? transfer(day, amount, ['checking', 'LARKFIELD STUDENT LN'], ['loan', 'PAYMENT RECEIVED']) : [];
};

export const transferHabits: readonly Habit[] = [
  savePart,
  invest,
  keepCheckingComfortable,
  payCard,
  loanInterest,
  payLoan,
];

/** Money leaves one account today and reaches the other on the next banking day. */
function transfer(
  day: DiaryDay,
  amountMinor: number,
  from: [AccountKey, string],
  to: [AccountKey, string],
): DiaryEntry[] {
  const arrival = bankingDay(day.number + 1);
  return [
    onTheDay(from[0], day, -amountMinor, bankText(from[1], 'Transfer')),
    { account: to[0], day: arrival, postDay: arrival, amountMinor, text: bankText(to[1], 'Transfer') },
  ];
}

function owedOnLoan(day: DiaryDay, diary: Diary): number {
  return -diary.cashMinor('loan', day.number - 1);
}

/** Statements close on the 20th of the month before their payment. */
function lastStatementDay(day: DiaryDay): number {
  return day.number - day.dayOfMonth - daysInPreviousMonth(day) + STATEMENT_DAY;
}

function daysInPreviousMonth({ year, month }: DiaryDay): number {
  return new Date(Date.UTC(year, month - 1, 0)).getUTCDate();
}
