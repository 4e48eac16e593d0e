import type { DiaryDay } from './day.js';

export type AccountKey = 'checking' | 'savings' | 'card' | 'loan' | 'brokerage' | 'yen';

/** One transaction of an account. */
export interface DiaryEntry<Key extends string = AccountKey> {
  account: Key;
  /** Day number on which it was done. */
  day: number;
  /** Day number on which it is posted; pending until then. */
  postDay: number;
  /** Holder's view: positive = into the account. */
  amountMinor: number;
  text: EntryText;
  /** What a brokerage bought (positive) or sold with it, in ten-thousandths of a share. */
  trade?: { symbol: string; sharesE4: number };
}

export interface EntryText {
  /** What the bank shows. */
  description: string;
  /** The merchant's clean name. */
  payee: string;
  /** The bank's raw text. */
  memo: string;
  mcc: string | null;
}

/** A habit: makes the transactions of a day from those before. */
export type Habit<Key extends string = AccountKey> = (day: DiaryDay, diary: Diary<Key>) => DiaryEntry<Key>[];

/** All transactions so far, in order. */
export class Diary<Key extends string = AccountKey> {
  readonly entries: DiaryEntry<Key>[] = [];

  constructor(private readonly openingMinor: (account: Key) => number) {}

  /** Cash posted on an account by the end of a day. */
  cashMinor(account: Key, endOfDay: number): number {
    return this.booked(account, endOfDay).reduce(
      (sum, { amountMinor }) => sum + amountMinor,
      this.openingMinor(account),
    );
  }

  /** What was traded of a security by the end of a day, in ten-thousandths of a share. */
  tradedE4(symbol: string, endOfDay: number): number {
    const trades = this.entries.filter(({ trade, postDay }) => trade?.symbol === symbol && postDay <= endOfDay);
    return trades.reduce((sum, { trade }) => sum + (trade?.sharesE4 ?? 0), 0);
  }

  booked(account: Key, endOfDay: number): DiaryEntry<Key>[] {
    return this.entries.filter((entry) => entry.account === account && entry.postDay <= endOfDay);
  }
}

/** Words of a transaction that is no purchase: the bank's text, and who it is for a person. */
export function bankText(description: string, payee: string, memo = ''): EntryText {
  return { description, payee, memo, mcc: null };
}
