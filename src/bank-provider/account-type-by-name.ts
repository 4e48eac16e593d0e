/** A whole word in any script; `\b` knows ASCII letters only. */
const word = (words: string, flags = 'iu') => new RegExp(`(?<![\\p{L}\\d])(${words})(?![\\p{L}\\d])`, flags);

/** Words in account names by type; the first match counts. Providers report no type. */
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
  // In capitals only: Ira is a first name, too.
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

/** Guesses the type from an account's name; `null`: no word matches. */
export function accountTypeByName(name: string | null | undefined): string | null {
  return WORDS.find(([words]) => words.test(name ?? ''))?.[1] ?? null;
}
