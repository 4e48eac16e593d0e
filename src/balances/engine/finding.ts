import type { DayNumber } from './ledger.js';

/**
 * Something a person should know about a history. Amounts are in the stored sign of the account, and none is 0 except where
 * balances do not follow: what they changed by may cancel out.
 */
export type Finding =
  /** Since `day` the balance differs by this amount from what entries explain. It is recent and may still go away. */
  | { kind: 'unexplained_open'; day: DayNumber; amountMinor: number }
  /** On `day` the balance moved by this amount without an entry, for good: an adjustment of that day. */
  | { kind: 'unexplained_settled'; day: DayNumber; amountMinor: number }
  /** Nothing was reported on these days. After them the balance differed by this amount from what entries explain. */
  | { kind: 'gap'; day: DayNumber; until: DayNumber; amountMinor: number }
  /** Nothing was reported of these days, and what they were worth is not known. */
  | { kind: 'unvalued'; day: DayNumber; until: DayNumber }
  /** The newest balance and the list are of different moments: the row of its day is adjusted by this amount for now. */
  | { kind: 'timing'; day: DayNumber; amountMinor: number }
  /** The reported balance includes pending transactions; `null`: there are none now. */
  | { kind: 'holds_included'; amountMinor: number | null }
  /** A debt is reported as a positive number. */
  | { kind: 'debt_positive' }
  /** Nothing has shown yet for sure whether the balance is owed or a credit. */
  | { kind: 'sign_unknown'; isOwed: boolean }
  /** The provider lists no securities; `until`: it began on that day. */
  | { kind: 'holdings_unknown'; until: DayNumber | null }
  /** Nothing is known of what the account was worth before a day. */
  | { kind: 'unknown_before'; day: DayNumber }
  /** Another opening balance explains the reports almost as well. Up to `until` it differs by `rivalMinor`. */
  | { kind: 'opening_uncertain'; until: DayNumber; rivalMinor: number }
  /** Balances or transactions are reported in the other sign; `day`: since then. */
  | { kind: 'sign_reversed'; of: 'balances' | 'transactions'; day: DayNumber }
  /** Two equal transactions of a day are listed, and the balance shows one of them: an adjustment of that day. */
  | { kind: 'transaction_twice'; day: DayNumber; amountMinor: number }
  /** A transaction of half the amount is listed in the opposite sign: an adjustment of that day. */
  | { kind: 'transaction_sign'; day: DayNumber; amountMinor: number }
  /** In the last 31 days the bank withdrew a transaction of `day` without a replacement. It no longer counts. */
  | { kind: 'transaction_withdrawn'; day: DayNumber; withdrawnMinor: number }
  /** A document or a person states another balance of a day than the bank reported, or than transactions lead to. */
  | { kind: 'statement_differs'; day: DayNumber; statedMinor: number; derivedMinor: number }
  /** From one day to another, reported balances do not follow from the transactions; they changed so much in all. */
  | { kind: 'balance_does_not_follow'; day: DayNumber; until: DayNumber; amountMinor: number };

export type FindingKind = Finding['kind'];
