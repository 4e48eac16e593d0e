/** A whole word in any script: `\b` knows letters of English only. */
const word = (words: string, flags = 'iu') => new RegExp(`(?<![\\p{L}\\d])(${words})(?![\\p{L}\\d])`, flags);

/** Providers tell no type. Words in a name that give one away; the first that fits wins. */
const WORDS: readonly [RegExp, string][] = [
  [
    word(
      'checking|current account|compte (courant|chèques?)|girokonto|cuenta corriente|conto corrente' +
        '|betaalrekening|zichtrekening|lønkonto|lönekonto|普通預金|当座預金',
    ),
    'depository',
  ],
  [word('mortgage|loans?|heloc|line of credit|prêt|crédit immobilier|kredit|darlehen|préstamo|hipoteca|mutuo'), 'loan'],
  [
    word(
      'credit ?card|visa|mastercard|amex|american express|discover it|(?<!(debit|gift|prepaid) )card' +
        '|kreditkarte|carte de crédit|tarjeta de crédito|carta di credito',
    ),
    'credit_card',
  ],
  [word('crypto|bitcoin|ethereum'), 'crypto'],
  // In capitals only, or Ira's savings would be a pension.
  [word('IRA|PEA|ISA', 'u'), 'investment'],
  [
    word(
      'brokerage|invest(ments?|ing)|portfolio|roth|401\\(?k\\)?|403\\(?b\\)?|529 (plan|college)' +
        '|wertpapierdepot|compte-titres|assurance[- ]vie|cuenta de valores',
    ),
    'investment',
  ],
  [
    word('savings?|deposits?|money market|cd|certificate|livret|épargne|sparkonto|tagesgeld|spaarrekening|ahorros?'),
    'depository',
  ],
];

/** A guess from what an account is called; `null` when its name gives nothing away. */
export function accountTypeByName(name: string | null | undefined): string | null {
  return WORDS.find(([words]) => words.test(name ?? ''))?.[1] ?? null;
}
