import type { AccountType } from './ledger.js';

/** How an account of a type keeps its value, and what a provider's figure for it means. */
export interface AccountRules {
  /** 1: the balance is what is owned; -1: it is what is owed, and money in lowers it. */
  factor: 1 | -1;
  /** Whether the type has a cash part at all; without one everything is non-cash. */
  hasCash: boolean;
  /**
   * `entries`: entries move it, so days before the first observation can be derived.
   * `holdings`: the market moves it too. `valuation`: it is worth what was last said. Neither has a past before that.
   */
  movedBy: 'entries' | 'holdings' | 'valuation';
  sign: ReportedSign;
}

/**
 * What a reported balance means to the holder. Amounts of transactions can be trusted, balances of liabilities cannot.
 * The example is a debt of 612.45:
 *
 * | rule       | reported -612.45 | reported 612.45                                                        |
 * |------------|------------------|------------------------------------------------------------------------|
 * | `holder`   | owns -612.45     | owns 612.45                                                            |
 * | `absolute` | owes 612.45      | owes 612.45: many banks report a loan's principal without a sign       |
 * | `learned`  | owes 612.45      | in credit by 612.45, unless a purchase was seen to raise it: then owed |
 */
export type ReportedSign = 'holder' | 'absolute' | 'learned';

const CASH: AccountRules = { factor: 1, hasCash: true, movedBy: 'entries', sign: 'holder' };
const CARD: AccountRules = { factor: -1, hasCash: true, movedBy: 'entries', sign: 'learned' };
const DEBT: AccountRules = { factor: -1, hasCash: false, movedBy: 'entries', sign: 'absolute' };
const PORTFOLIO: AccountRules = { factor: 1, hasCash: true, movedBy: 'holdings', sign: 'holder' };
const THING: AccountRules = { factor: 1, hasCash: false, movedBy: 'valuation', sign: 'holder' };

const RULES: Record<AccountType, AccountRules> = {
  depository: CASH,
  credit_card: CARD,
  loan: DEBT,
  other_liability: DEBT,
  investment: PORTFOLIO,
  crypto: PORTFOLIO,
  property: THING,
  vehicle: THING,
  other_asset: THING,
};

/** `null`, a type not known yet, is treated as a depository. */
export function accountRules(type: AccountType | null): AccountRules {
  return type === null ? CASH : RULES[type];
}
