import { accountTypeByName } from '../bank-provider/account-type-by-name.js';
import type { WireAccount } from './payload.js';

/** Behind these there are brokers only. */
const BROKERAGE = new Set(['snaptrade']);

/** A guess from holdings, name and upstream, in this order of trust. `null` when nothing gives it away. */
export function guessAccountType({ name, provider }: WireAccount, hasHoldings: boolean): string | null {
  const named = accountTypeByName(name);
  if (hasHoldings) return named === 'crypto' ? named : 'investment';
  return named ?? (BROKERAGE.has(provider?.trim().toLowerCase() ?? '') ? 'investment' : null);
}
