import type { AccountRow } from '../../accounts/account.response.js';
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

/** A balance that no sum includes, as its provider reports it: `48,210 MILES`. */
export function reportedText({ unsupported_balance: balance, currency }: AccountRow): string | null {
  if (balance === null || currency === null) return null;
  return `${balance} ${currencyUnit(currency)}`;
}

/** Addresses stand for points and miles; their last part says which. */
export function currencyUnit(currency: string): string {
  return currency.replace(/^\w+:\/\/.*\/(?=[^/]+$)/, '');
}

export function typeText(type: AccountType | null): string {
  return type === null ? 'Type not known yet' : TYPE_WORDS[type];
}

/** Types that hold securities, so that a page without them owes an explanation. */
export function holdsSecurities(type: AccountType | null): boolean {
  return type === 'investment' || type === 'crypto';
}
