import type { AccountType } from '../../balance-engine/ledger.js';

export const TYPE_WORDS: Record<AccountType, string> = {
  depository: 'Cash account',
  credit_card: 'Credit card',
  loan: 'Loan',
  investment: 'Investment account',
  crypto: 'Crypto account',
  property: 'Property',
  vehicle: 'Vehicle',
  other_asset: 'Other asset',
  other_liability: 'Other debt',
};

export function typeText(type: AccountType | null): string {
  return type === null ? 'Type not known yet' : TYPE_WORDS[type];
}

/** Types that hold securities, so that a page without them owes an explanation. */
export function holdsSecurities(type: AccountType | null): boolean {
  return type === 'investment' || type === 'crypto';
}
