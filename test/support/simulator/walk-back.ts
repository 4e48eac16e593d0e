import type { Ledger } from '../../../src/balances/engine/ledger.js';

/** What is compared: the end balances of consecutive days, and whatever else a row says, in the stored sign. */
export interface Rows {
  firstDay: number;
  end: Float64Array;
  /** Every column that is written; a row has changed when one of them has. */
  columns: readonly Float64Array[];
  /** 0: sure; anything else: marked as not. */
  certainty: Uint8Array;
  /** Why a row is marked. */
  reasonOf: (row: number) => string;
  understood: Understanding;
}

/** What an engine has learned of a bank: the same text until it learns something else. */
export interface Understanding {
  /** What the bank's figures mean: their sign, whether holds are in them, how they belong to the list. */
  habit: string;
  /** What the account had before everything that is listed. */
  opening: string;
}

/** As products do it: from the newest balance backwards over the entries, all of it again at every sync. */
export function walkBack({ accountType, until, entries, observations }: Ledger): Rows {
  const owed = ['credit_card', 'loan', 'other_liability'].includes(accountType ?? '');
  const firstDay = Math.min(until, observations[0]!.day, ...entries.map(({ day }) => day));
  const end = new Float64Array(until - firstDay + 1);
  const net = new Float64Array(end.length);
  for (const { day, amountMinor, listedUntil } of entries) {
    if (day <= until && listedUntil === null) net[day - firstDay]! += amountMinor;
  }
  const newest = observations.at(-1)!.balanceMinor;
  let balance = owed ? Math.abs(newest) : newest;
  for (let row = end.length - 1; row >= 0; row--) {
    end[row] = balance;
    balance -= owed ? -net[row]! : net[row]!;
  }
  return {
    firstDay,
    end,
    columns: [end, net],
    certainty: new Uint8Array(end.length),
    reasonOf: () => '',
    understood: { habit: '', opening: '' },
  };
}
