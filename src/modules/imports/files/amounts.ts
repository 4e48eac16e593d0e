import type { DecimalSign } from './statement-file.js';

/** A larger amount is a slip of the bank or of the reader. */
const MAX_MINOR = 10 ** 13;
const MAX_CHARS = 64;
const MINUS = /[-\u2212\u2012\u2013]/;
/** Blanks of all kinds and apostrophes stand between groups only. */
const GROUP_SIGNS = /[\s\u00a0\u2007\u2009\u202f'’`]/g;

/** An amount as it is written: digits, points and commas, with what stands around them. */
export interface WrittenAmount {
  /** Such as `1.234,56`, and `1234` where groups are apart by blanks or apostrophes. */
  figures: string;
  sign: '-' | '+' | null;
  /** What stands beside it: a code, a sign of a currency, or a word for a direction; in upper case. */
  word: string;
}

/** `null`: the text is no amount. `(-5)` is none: brackets and a minus may mean either sign. */
export function writtenAmount(text: string): WrittenAmount | null {
  if (text.length > MAX_CHARS) return null;
  let rest = text.trim();
  let sign: WrittenAmount['sign'] = null;
  let word = '';
  const take = (pattern: RegExp): string | null => {
    const found = pattern.exec(rest);
    if (found) rest = rest.replace(pattern, '$1').trim();
    return found && found[0];
  };
  const takeWord = () => {
    const before = /^[\p{L}\p{Sc}.]*[\p{L}\p{Sc}][\p{L}\p{Sc}.]*/u.exec(rest)?.[0] ?? '';
    rest = rest.slice(before.length).trim();
    const behind = /[\p{L}\p{Sc}][\p{L}\p{Sc}.]*$/u.exec(rest)?.[0] ?? '';
    rest = rest.slice(0, rest.length - behind.length).trim();
    word += (before + behind).toUpperCase();
  };
  takeWord();
  if (take(/^\((.*)\)$/s) !== null) sign = '-';
  takeWord();
  for (const end of [/^[-\u2212\u2012\u2013+]()/, /[-\u2212\u2012\u2013+]()$/]) {
    const found = take(end);
    if (found === null) continue;
    if (sign !== null) return null;
    sign = MINUS.test(found) ? '-' : '+';
  }
  takeWord();
  const figures = rest.replace(GROUP_SIGNS, '');
  return /^[\d.,]*\d[\d.,]*$/.test(figures) ? { figures, sign, word } : null;
}

/**
 * The decimal sign of a column, given its amounts. An amount with both signs decides; a sign that occurs twice in one is
 * a group; and so is what has three digits behind it in a currency without decimals. `open`: all are like `1.000`.
 */
export function decimalSignOf(amounts: Iterable<WrittenAmount>, digits: number): DecimalSign | 'open' {
  const votes = { '.': 0, ',': 0 };
  let isOpen = false;
  for (const { figures } of amounts) {
    const vote = decimalSignIn(figures, digits);
    if (vote === 'open') isOpen = true;
    else if (vote !== null) votes[vote]++;
  }
  if (votes['.'] === votes[',']) return isOpen || votes['.'] > 0 ? 'open' : '.';
  return votes['.'] > votes[','] ? '.' : ',';
}

function decimalSignIn(figures: string, digits: number): DecimalSign | 'open' | null {
  const point = figures.lastIndexOf('.');
  const comma = figures.lastIndexOf(',');
  if (point === -1 && comma === -1) return null;
  if (point !== -1 && comma !== -1) return point > comma ? '.' : ',';
  const sign = point === -1 ? ',' : '.';
  const other = point === -1 ? '.' : ',';
  if (figures.indexOf(sign) !== figures.lastIndexOf(sign)) return other;
  const [before = '', behind = ''] = figures.split(sign);
  if (behind.length !== 3 || before.length > 3 || /^0?$/.test(before)) return sign;
  return digits === 0 ? other : 'open';
}

/** In minor units, by digits and never through a float; or why it cannot be read, as the end of a sentence. */
export function minorOf({ figures, sign }: WrittenAmount, decimal: DecimalSign, digits: number): number | string {
  const [whole = '', fraction = '', ...more] = figures.split(decimal);
  const group = decimal === '.' ? ',' : '.';
  if (more.length > 0 || fraction.includes(group) || !areGroups(whole.split(group))) {
    return `is no amount with "${decimal}" before its decimals, as the others have`;
  }
  const kept = fraction.slice(0, digits).padEnd(digits, '0');
  if (/[1-9]/.test(fraction.slice(digits))) return `has more than ${digits} decimals`;
  const minor = Number(whole.replaceAll(group, '') + kept);
  if (minor >= MAX_MINOR) return 'is too large';
  return sign === '-' && minor !== 0 ? -minor : minor;
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
