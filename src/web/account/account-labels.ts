import type { AccountRow } from '../../balances/accounts/account.response.js';
import type { AccountType } from '../../balances/engine/ledger.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { currencyUnit } from '../../platform/money/currency-text.js';
import { numberText } from '../components/money.js';

export const TYPE_LABELS: Record<AccountType, string> = {
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

/** A balance excluded from all sums, as its provider reports it: `48,210 MILES`. */
export function reportedText({ unsupported_balance: balance, currency }: AccountRow): string | null {
  if (balance === null || currency === null) return null;
  const minimumFractionDigits = balance.split('.')[1]?.length ?? 0;
  return `${numberText(balance, { minimumFractionDigits })} ${currencyUnit(currency)}`;
}

/** Whether the newest balance of a connected account is of the day: what a bank reported is not uncertain. */
export function isReportedOn(
  { connection_id: connectionId, balance_date: date }: AccountRow,
  day: CalendarDate,
): boolean {
  return connectionId !== null && date === day;
}

export function typeText(type: AccountType | null): string {
  return type === null ? 'Type not known yet' : TYPE_LABELS[type];
}

/** Types with securities: a page without holdings explains why. */
export function holdsSecurities(type: AccountType | null): boolean {
  return type === 'investment' || type === 'crypto';
}
