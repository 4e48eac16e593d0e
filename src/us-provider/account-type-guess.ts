import { accountTypeByName } from '../bank-provider/account-type-by-name.js';
import type { WireAccount } from './payload.js';

/** What lists no securities, so that an empty list of them means that there are none to list. */
export const WITHOUT_HOLDINGS: ReadonlySet<string | null> = new Set(['depository', 'credit_card', 'loan']);

/**
 * A guess from holdings, name and signs, in this order of trust: a bank calls anything savings, but only a broker lists
 * securities. `null` when nothing gives it away; a person decides.
 */
export function guessAccountType(account: WireAccount, hasHoldings: boolean): string | null {
  const named = accountTypeByName(account.name);
  if (hasHoldings) return named === 'crypto' ? named : 'investment';
  if (named) return named;
  // A debt beside money that may still be spent is a card.
  const owes = /^-/.test(account.balance ?? '');
  const maySpend = /^\+?[0.]*[1-9]/.test(account['available-balance'] ?? '');
  return owes && maySpend ? 'credit_card' : null;
}
