import { currencyCode } from '../../../kit.js';
import type { DecimalSign } from './statement-file.js';

/** A larger amount is a slip of the bank or of the reader. */
const MAX_MINOR = 10 ** 13;
const MAX_CHARS = 64;
const BRACKETS = /^\((.*)\)$/s;
const SIGN_BEFORE = /^[-\u2212\u2012\u2013+]/;
const SIGN_BEHIND = /[-\u2212\u2012\u2013+]$/;
const WORD_BEFORE = /^\.*[\p{L}\p{Sc}][\p{L}\p{Sc}.]*/u;
const WORD_BEHIND = /[\p{L}\p{Sc}][\p{L}\p{Sc}.]*$/u;
/** Blanks of all kinds and apostrophes stand between groups only. */
const GROUP_SIGNS = /[\s'’`]/g;
/** Groups of three digits, in India of two before the last three; or none. */
const FIGURES = /^(?:[\d.,]+|\d{1,3}(?:_\d{2,3})*_\d{3}(?:[.,]\d*)?)$/;

/** What is written beside amounts and is no code. Of `null` there are several. */
const SIGNS: Record<string, string | null> = {
  $: null,
  '¥': null,
  円: null,
  元: null,
  KR: null,
  RS: null,
  '₨': null,
  '€': 'EUR',
  '£': 'GBP',
  '₹': 'INR',
  ZŁ: 'PLN',
  KČ: 'CZK',
  FT: 'HUF',
  R$: 'BRL',
  '₽': 'RUB',
  '₺': 'TRY',
  TL: 'TRY',
  '₴': 'UAH',
  '₩': 'KRW',
  '₪': 'ILS',
  US$: 'USD',
  A$: 'AUD',
  AU$: 'AUD',
  C$: 'CAD',
  CA$: 'CAD',
  HK$: 'HKD',
  NZ$: 'NZD',
  S$: 'SGD',
  FR: 'CHF',
  SFR: 'CHF',
  LEI: 'RON',
  ЛВ: 'BGN',
  // The euro sign of ISO 8859-15, read as Windows-1252.
  '¤': 'EUR',
};

const OUT =
  'd dr db debit debet dbit s soll af out withdrawal belastung lastschrift ausgang ausgabe cargo debito débit dare uscita abgang 出金 支出 - −';
const IN =
  'c cr k credit crdt h haben bij in deposit gutschrift eingang einnahme abono credito crédit avere entrata kredit zugang 入金 收入 +';
const DIRECTIONS = new Map<string, 'in' | 'out'>([
  ...OUT.split(' ').map((word) => [word, 'out'] as const),
  ...IN.split(' ').map((word) => [word, 'in'] as const),
]);

/** Whether a word such as "DR", "H" or "Bij" says that money goes in or out; K is credit in Lithuanian. */
export function directionOf(word: string): 'in' | 'out' | null {
  return DIRECTIONS.get(word.trim().toLowerCase().replace(/\.$/, '')) ?? null;
}

/** An amount as it is written: digits, points and commas, with what stands around them. */
export interface WrittenAmount {
  /** Such as `1.234,56`, and `1234` where groups are apart by blanks or apostrophes. */
  figures: string;
  sign: '-' | '+' | null;
  /** What a word beside it says; a word outranks the sign. */
  direction: 'in' | 'out' | null;
  /** What a code or a sign beside it says; `$` may be any dollar, and says nothing. */
  currency: string | null;
}

/** `null`: the text is no amount. `(-5)` is none: brackets and a minus may mean either sign. */
export function writtenAmount(text: string): WrittenAmount | null {
  if (text.length > MAX_CHARS || !/\d/.test(text)) return null;
  let rest = text.normalize('NFKC').trim();
  const words: string[] = [];
  const take = (pattern: RegExp): string => {
    const found = pattern.exec(rest)?.[0] ?? '';
    if (found !== '') rest = rest.replace(pattern, '').trim();
    return found;
  };
  const takeWords = () => words.push(take(WORD_BEFORE), take(WORD_BEHIND));

  takeWords();
  const inBrackets = BRACKETS.exec(rest)?.[1];
  if (inBrackets !== undefined) rest = inBrackets.trim();
  takeWords();
  const signs = [take(SIGN_BEFORE), take(SIGN_BEHIND), inBrackets === undefined ? '' : '-'].filter(
    (sign) => sign !== '',
  );
  takeWords();
  const figures = rest.replace(GROUP_SIGNS, '_');
  if (signs.length > 1 || !FIGURES.test(figures)) return null;

  const amount: WrittenAmount = { figures: figures.replaceAll('_', ''), sign: null, direction: null, currency: null };
  if (signs.length === 1) amount.sign = signs[0] === '+' ? '+' : '-';
  for (const word of words) {
    if (word === '') continue;
    const name = word.toUpperCase().replace(/\.$/, '');
    const currency = Object.hasOwn(SIGNS, name) ? SIGNS[name]! : currencyCode(name);
    const direction = directionOf(word);
    if (currency === null && direction === null && !Object.hasOwn(SIGNS, name)) return null;
    amount.currency ??= currency;
    amount.direction ??= direction;
  }
  return amount;
}

/**
 * The decimal sign of a column, given its amounts. An amount with both signs decides; a sign that occurs twice in one is
 * a group; and so is what has three digits behind it in a currency without decimals. `open`: all are like `1.000`;
 * `null`: none has a sign.
 */
export function decimalSignOf(amounts: Iterable<WrittenAmount>, digits: number): DecimalSign | 'open' | null {
  const votes = { '.': 0, ',': 0 };
  let isOpen = false;
  for (const { figures } of amounts) {
    const vote = decimalSignIn(figures, digits);
    if (vote === 'open') isOpen = true;
    else if (vote !== null) votes[vote]++;
  }
  if (votes['.'] !== votes[',']) return votes['.'] > votes[','] ? '.' : ',';
  return isOpen || votes['.'] > 0 ? 'open' : null;
}

function decimalSignIn(figures: string, digits: number): DecimalSign | 'open' | null {
  const point = figures.lastIndexOf('.');
  const comma = figures.lastIndexOf(',');
  if (point === -1 && comma === -1) return null;
  const last: DecimalSign = point > comma ? '.' : ',';
  const other: DecimalSign = last === '.' ? ',' : '.';
  const isGroup = figures.indexOf(last) !== figures.lastIndexOf(last);
  if (isGroup || (point !== -1 && comma !== -1)) {
    const decimal = isGroup ? other : last;
    return partsOf(figures, decimal) === null ? null : decimal;
  }
  const [before = '', behind = ''] = figures.split(last);
  if (behind.length !== 3 || before.length > 3 || /^0?$/.test(before)) return last;
  return digits === 0 ? other : 'open';
}

/** In minor units, by digits and never through a float; or why it cannot be read, as the end of a sentence. */
export function minorOf({ figures, sign }: WrittenAmount, decimal: DecimalSign, digits: number): number | string {
  const parts = partsOf(figures, decimal);
  if (parts === null) return `is no amount with "${decimal}" before its decimals`;
  const { whole, fraction } = parts;
  if (/[1-9]/.test(fraction.slice(digits))) return `has more than ${digits} decimals`;
  const minor = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  if (minor >= MAX_MINOR) return 'is too large';
  return sign === '-' && minor !== 0 ? -minor : minor;
}

/** The digits before and behind a decimal sign; `null`: it cannot be this sign. */
function partsOf(figures: string, decimal: DecimalSign): { whole: string; fraction: string } | null {
  const [whole = '', fraction = '', ...more] = figures.split(decimal);
  const group = decimal === '.' ? ',' : '.';
  const groups = whole.split(group);
  if (more.length > 0 || fraction.includes(group) || !areGroups(groups)) return null;
  return { whole: groups.join(''), fraction };
}

/** Three digits each, or two before the last three, as in India. The first may have fewer. */
function areGroups(groups: readonly string[]): boolean {
  const [first = '', ...others] = groups;
  if (others.length === 0) return true;
  if (first.length < 1 || first.length > 3 || others.at(-1)!.length !== 3) return false;
  return (
    others.every(({ length }) => length === 3) ||
    (first.length < 3 && others.slice(0, -1).every(({ length }) => length === 2))
  );
}
