import type { WireAccount } from './payload.js';

/** The protocol tells no type. Words in a name that give one away; the first that fits wins. */
const WORDS: readonly [RegExp, string][] = [
  [/\b(checking|current account)\b/i, 'depository'],
  [/\b(mortgage|loans?|heloc|line of credit)\b/i, 'loan'],
  [
    /\b(credit card|visa|mastercard|amex|american express|discover it)\b|(?<!\b(debit|gift|prepaid) )\bcard\b/i,
    'credit_card',
  ],
  [/\b(crypto|bitcoin|ethereum)\b/i, 'crypto'],
  // In capitals only, or Ira's savings would be a pension.
  [/\bIRA\b/, 'investment'],
  [/\b(brokerage|invest(ments?|ing)|portfolio|roth|401\(?k\)?|403\(?b\)?|529 (plan|college))(?!\w)/i, 'investment'],
  [/\b(savings?|deposits?|money market|cd|certificate)\b/i, 'depository'],
];

/** What lists no securities, so that an empty list of them means that there are none to list. */
export const WITHOUT_HOLDINGS: ReadonlySet<string | null> = new Set(['depository', 'credit_card', 'loan']);

/**
 * A guess from holdings, name and signs, in this order of trust: a bank calls anything savings, but only a broker lists
 * securities. `null` when nothing gives it away; a person decides.
 */
export function guessAccountType(account: WireAccount, hasHoldings: boolean): string | null {
  const named = WORDS.find(([words]) => words.test(account.name ?? ''))?.[1] ?? null;
  if (hasHoldings) return named === 'crypto' ? named : 'investment';
  if (named) return named;
  // A debt beside money that may still be spent is a card.
  const owes = /^-/.test(account.balance ?? '');
  const maySpend = /^\+?[0.]*[1-9]/.test(account['available-balance'] ?? '');
  return owes && maySpend ? 'credit_card' : null;
}
