import type { SnapshotBalance } from './bank-provider.js';

/** A whole word in any script; `\b` knows ASCII letters only. */
const word = (words: string, flags = 'iu') => new RegExp(`(?<![\\p{L}\\d])(${words})(?![\\p{L}\\d])`, flags);

interface TypeWords {
  type: 'depository' | 'credit_card' | 'loan' | 'investment' | 'crypto';
  words: RegExp;
  /** Whether a balance below zero is possible: what is owed, or an overdraft. */
  mayOwe: boolean;
}

/**
 * Words in account names by type; the first match that the balance allows counts. Providers report no type. Savings come
 * before debts, because they are named after the debt they are for: "Car Loan Sinking Fund".
 */
const TYPES: readonly TypeWords[] = [
  {
    type: 'depository',
    mayOwe: true,
    words: word(
      'che(ck|qu)ing|current account|share draft|spending|debit|prepaid|compte (courant|chèques?)|girokonto' +
        '|cuenta corriente|conto corrente|betaalrekening|zichtrekening|lønkonto|lönekonto|普通預金|当座預金',
    ),
  },
  // In capitals only: Ira is a first name, too.
  {
    type: 'investment',
    mayOwe: false,
    words: word('(IRA|PEA|ISA|SIPP|TSP|TFSA|RRSP|RRIF|RESP|FHSA|LIRA|ESPP|ESOP|RSUs?)(?! loan)', 'u'),
  },
  {
    type: 'investment',
    mayOwe: false,
    words: word(
      '(401\\(?[ak]\\)?|403\\(?b\\)?|457\\(?b\\)?|529 (plan|college|savings)|roth|retirement|pension|superannuation|annuity' +
        '|deferred comp(ensation)?|(employee )?stock( purchase| ownership| option)? plan|(thrift|employee) savings|profit sharing|etfs?' +
        '|(mutual|index|bond|stock|equity|hedge) funds?)(?!\\)? (plan )?loan)',
    ),
  },
  { type: 'crypto', mayOwe: false, words: word('crypto|bitcoin|ethereum') },
  {
    type: 'depository',
    mayOwe: false,
    words: word(
      'savings?|savers?|deposits?|money market|cd|certificate|funds?|sinking|escrow|pay ?off|pot|hsa' +
        '|offset account|(?<=(mortgage|loan) )offset|livret|épargne|sparkonto|tagesgeld|spaarrekening|ahorros?',
    ),
  },
  {
    type: 'loan',
    mayOwe: true,
    words: word(
      'mortgage|loans?|heloc|line of credit|(credit|personal) line|home equity|stafford|perkins|parent plus|(un)?subsidized|direct (un)?sub' +
        '|prêt|crédit immobilier|kredit|darlehen|préstamo|hipoteca|mutuo',
    ),
  },
  {
    type: 'credit_card',
    mayOwe: true,
    words: word(
      'credit ?card|visa|mastercard|amex|american express|discover it|(?<!gift )card' +
        '|kreditkarte|carte de crédit|tarjeta de crédito|carta di credito',
    ),
  },
  {
    type: 'investment',
    mayOwe: false,
    words: word(
      'brokerage|invest(ments?|ing)|portfolio|securities' +
        '|wertpapierdepot|compte-titres|assurance[- ]vie|cuenta de valores',
    ),
  },
];

/**
 * Guesses the type from an account's name; `null`: no word matches, or the balance contradicts it.
 *
 * @param balance as reported; `null`: unknown
 */
export function accountTypeByName(name: string | null | undefined, balance: SnapshotBalance | null): string | null {
  return TYPES.find((one) => one.words.test(name ?? '') && allows(balance, one))?.type ?? null;
}

/** Types that have no holdings, so that an empty list means nothing. */
export const WITHOUT_HOLDINGS: ReadonlySet<string | null> = new Set(['depository', 'credit_card', 'loan']);

/**
 * Guesses the type from holdings, name, broker and balance, in this order: banks call anything savings, but only brokers
 * list securities; `null`: unknown.
 */
export function guessAccountType(
  name: string | null | undefined,
  balance: SnapshotBalance | null,
  { hasHoldings = false, isAtBroker = false } = {},
): string | null {
  const named = accountTypeByName(name, balance);
  if (hasHoldings) return named === 'crypto' ? named : 'investment';
  if (named !== null) return named;
  if (isAtBroker) return 'investment';
  // Who owns nothing here and may spend something has a card.
  return balance !== null && balance.amountMinor <= 0 && (balance.availableMinor ?? 0) > 0 ? 'credit_card' : null;
}

/** Banks report debts with either sign, but no debt can be spent whole. */
function allows(balance: SnapshotBalance | null, { type, mayOwe }: TypeWords): boolean {
  if (balance === null) return true;
  const { amountMinor, availableMinor } = balance;
  if (amountMinor < 0) return mayOwe;
  const isDebt = type === 'loan' || type === 'credit_card';
  return !(isDebt && amountMinor > 0 && availableMinor === amountMinor);
}
