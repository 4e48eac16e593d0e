import type { AccountType } from '../../../src/balances/engine/ledger.js';
import { pick, randomStream, wholeBetween } from '../../../sandbox/random.js';
import type { Bank, Kind } from './bank.js';
import { changeRows } from './change-rows.js';
import { Diary } from './diary.js';
import type { Span } from './span.js';
import { ACCRUAL_BOOKED, ACCRUAL_DAYS, DAY_MS, HOUR_MS, type TrueAccount } from './truth.js';

export interface Member {
  account: TrueAccount;
  bank: Bank;
}

type Life = (diary: Diary, days: Span, random: () => number, account: TrueAccount) => void;

const MEMBERS: readonly [name: string, type: AccountType | null, openingMinor: number, life: Life][] = [
  ['checking', 'depository', 250_000, checking],
  ['second checking', 'depository', 80_000, checking],
  ['savings', 'depository', 1_500_000, savings],
  ['not known yet', null, 120_000, checking],
  ['card', 'credit_card', -60_000, card],
  ['second card', 'credit_card', -15_000, card],
  ['car loan', 'loan', -1_800_000, loan],
  ['family loan', 'other_liability', -600_000, loan],
  ['brokerage', 'investment', 400_000, brokerage],
  ['wallet', 'crypto', 20_000, brokerage],
  ['flat', 'property', 0, thing(42_000_000)],
  ['car', 'vehicle', 0, thing(1_700_000)],
  ['painting', 'other_asset', 0, thing(300_000)],
  ['money market', 'depository', 2_500_000, earningDaily],
  ['deposit', 'depository', 4_000_000, accruing],
  ['vending', 'depository', 900_000, busy],
  ['transit card', 'credit_card', -4_000, busy],
];

/** Only in kinds that name them. */
const SPECIAL_MEMBERS = ['money market', 'deposit', 'vending', 'transit card'];

/** A household of accounts, each at a bank of its own. The same seed tells the same lives. */
export function inventHousehold(seed: string, { makeBank, members }: Kind, days: Span): Member[] {
  const chosen = members ? MEMBERS.filter(([name]) => members.includes(name)) : MEMBERS.filter(isOrdinary);
  return chosen.map(([name, type, openingMinor, life]) => {
    const random = randomStream(`${seed}/${name}`);
    const bank = makeBank(random);
    const diary = new Diary(bank, random);
    const account = newAccount(name, type, openingMinor, diary);
    life(diary, days, random, account);
    changeRows(account, bank, randomStream(`${seed}/${name}/rows`));
    return { account, bank };
  });
}

function isOrdinary([name]: (typeof MEMBERS)[number]): boolean {
  return !SPECIAL_MEMBERS.includes(name);
}

function newAccount(name: string, type: AccountType | null, openingMinor: number, diary: Diary): TrueAccount {
  const { movements, holds } = diary;
  return {
    name,
    type,
    openingMinor,
    movements,
    extraRows: [],
    holds,
    accruesPerDayMinor: 0,
    stakes: [],
    prices: new Map(),
    valuations: new Map(),
  };
}

function checking(diary: Diary, days: Span, random: () => number): void {
  for (let day = days.first; day <= days.last; day++) {
    if (day % 30 === 1) diary.book(day, 310_000 + wholeBetween(random, 0, 40_000));
    if (day % 30 === 3) diary.book(day, -125_000);
    if (day % 30 === 20) diary.bookAtNight(day, -wholeBetween(random, 200, 900));
    if (day % 7 === 5) diary.book(day, -wholeBetween(random, 5_000, 20_000));
    purchases(diary, day, random, 2);
    if (random() < 0.01) diary.book(day, 0);
  }
}

function savings(diary: Diary, days: Span, random: () => number): void {
  for (let day = days.first; day <= days.last; day++) {
    if (day % 30 === 2) diary.book(day, 40_000);
    if (day % 30 === 28) diary.bookAtNight(day, wholeBetween(random, 900, 2_500));
    if (random() < 0.02) diary.book(day, -wholeBetween(random, 1, 9) * 10_000);
  }
}

/** Interest every night, which banks with unlisted interest never list. */
function earningDaily(diary: Diary, days: Span, random: () => number): void {
  for (let day = days.first; day <= days.last; day++) {
    diary.bookAtNight(day, wholeBetween(random, 3, 25));
    if (day % 30 === 2) diary.book(day, 40_000);
    if (random() < 0.05) diary.book(day, -wholeBetween(random, 1, 9) * 10_000);
  }
}

/** Interest that accrues every day and is booked once a month. */
function accruing(diary: Diary, days: Span, random: () => number, account: TrueAccount): void {
  account.accruesPerDayMinor = wholeBetween(random, 5, 60);
  for (let day = days.first; day <= days.last; day++) {
    if (day % ACCRUAL_DAYS === ACCRUAL_BOOKED) diary.bookAtNight(day, account.accruesPerDayMinor * ACCRUAL_DAYS);
    if (day % 30 === 2) diary.book(day, 40_000);
    if (random() < 0.05) diary.book(day, -wholeBetween(random, 1, 9) * 10_000);
  }
}

const FEW_AMOUNTS = [120, 240, 250, 280, 300, 500];

/** Many rows a day, of few different amounts. */
function busy(diary: Diary, days: Span, random: () => number): void {
  for (let day = days.first; day <= days.last; day++) {
    for (let left = wholeBetween(random, 8, 16); left > 0; left--) diary.buy(day, -pick(random, FEW_AMOUNTS));
    if (day % 7 === 3) diary.book(day, 25_000);
  }
}

function card(diary: Diary, days: Span, random: () => number): void {
  let owed = 0;
  for (let day = days.first; day <= days.last; day++) {
    owed += purchases(diary, day, random, 2);
    if (day % 30 === 15 && owed > 0) {
      diary.book(day, owed);
      owed = 0;
    }
    if (day % 30 === 16) diary.bookAtNight(day, -wholeBetween(random, 100, 2_000));
  }
}

function loan(diary: Diary, days: Span, random: () => number): void {
  for (let day = days.first; day <= days.last; day++) {
    if (day % 30 === 4) diary.book(day, 32_000);
    if (day % 30 === 5) diary.bookAtNight(day, -wholeBetween(random, 4_000, 6_000));
  }
}

/** Everyday purchases of a day, now and then two equal ones. Returns their sum, positive. */
function purchases(diary: Diary, day: number, random: () => number, most: number): number {
  let spent = 0;
  for (let left = wholeBetween(random, 0, most); left > 0; left--) {
    const amount = wholeBetween(random, 150, 12_000);
    const times = random() < 0.05 ? 2 : 1;
    for (let time = 0; time < times; time++) diary.buy(day, -amount);
    spent += amount * times;
  }
  return spent;
}

function brokerage(diary: Diary, days: Span, random: () => number, account: TrueAccount): void {
  const keys = ['world', 'bonds'];
  const price = new Map(keys.map((key) => [key, 5_000 + wholeBetween(random, 0, 20_000)]));
  for (const key of keys) {
    account.prices.set(key, new Map());
    account.stakes.push({ key, from: days.first * DAY_MS, quantity: wholeBetween(random, 10, 80) });
  }
  for (let day = days.first; day <= days.last; day++) {
    for (const key of keys) {
      price.set(key, Math.round(price.get(key)! * (1 + (random() - 0.49) * 0.02)));
      account.prices.get(key)!.set(day, price.get(key)!);
    }
    if (day % 14 === 3) diary.book(day, 50_000);
    if (day % 90 === 40) diary.book(day, wholeBetween(random, 500, 3_000));
    if (day % 14 === 5) trade(day, keys[wholeBetween(random, 0, 1)]!, wholeBetween(random, 1, 3));
    if (day % 75 === 60) trade(day, 'world', -wholeBetween(random, 1, 2));
  }

  function trade(day: number, key: string, quantity: number): void {
    const from = day * DAY_MS + random() * 20 * HOUR_MS;
    account.stakes.push({ key, from, quantity });
    diary.trade(day, from, -quantity * price.get(key)!);
  }
}

/** Worth something, said again now and then. */
function thing(worthMinor: number): Life {
  return (_diary, days, random, account) => {
    for (let day = days.first; day <= days.last; day++) {
      if (day === days.first || day % 45 === 7) {
        account.valuations.set(day, Math.round(worthMinor * (0.95 + 0.1 * random())));
      }
    }
  };
}
