import type { WireAccount } from './payload.js';

/** The protocol tells no type. Words in the name that give one away; the first that fits wins. */
const WORDS: readonly [RegExp, string][] = [
  [/\b(mortgage|loan|heloc|student debt|auto finance)\b/i, 'loan'],
  [/\b(credit card|visa|mastercard|amex|american express|discover it|card)\b(?<!debit card)/i, 'credit_card'],
  [/\b(crypto|bitcoin|ethereum)\b/i, 'crypto'],
  [/\b(brokerage|investments?|portfolio|ira|roth|401\(?k\)?|403\(?b\)?|529)\b/i, 'investment'],
  [/\b(checking|savings?|current account|deposit|money market)\b/i, 'depository'],
];

/** A guess from holdings, name and signs, in this order of trust; `null` when nothing gives it away. */
export function guessAccountType(
  account: Pick<WireAccount, 'name' | 'balance' | 'available-balance'>,
  hasHoldings: boolean,
): string | null {
  if (hasHoldings) return 'investment';
  const named = WORDS.find(([words]) => words.test(account.name ?? ''));
  if (named) return named[1];
  const owes = account.balance?.startsWith('-') ?? false;
  const mayStillSpend = /^\+?0*\.?0*[1-9]/.test(account['available-balance'] ?? '');
  return owes && mayStillSpend ? 'credit_card' : null;
}
