import { DEFAULT_PREFERENCES, type NumberFormat } from '../../auth/preferences.js';
import { minorDigits } from '../../platform/money/currency.js';
import { decimalText } from '../../platform/money/minor-units.js';

let locale: NumberFormat = DEFAULT_PREFERENCES.numberFormat;

/** Renders with the numbers of a person. It is synchronous, so no other page is rendered in between. */
export function withNumberFormat<Result>(format: NumberFormat, render: () => Result): Result {
  const before = locale;
  locale = format;
  try {
    return render();
  } finally {
    locale = before;
  }
}

export function currentNumberFormat(): NumberFormat {
  return locale;
}

const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify([locale, options]);
  let format = formats.get(key);
  if (!format) formats.set(key, (format = new Intl.NumberFormat(locale, options)));
  return format;
}

/** A number as the person writes it, with a real minus sign. @param value a number, or the text of a decimal number */
export function numberText(value: number | string, options: Intl.NumberFormatOptions = {}): string {
  return formatOf(options)
    .format(value as number)
    .replace('-', '−');
}

export function moneyText(minor: number, currency: string): string {
  const digits = minorDigits(currency) ?? 2;
  return priceText(decimalText(minor, digits), currency, digits);
}

/** A price, which may have more decimals than its currency. */
export function priceText(price: string, currency: string, maximumFractionDigits: number): string {
  const minimumFractionDigits = minorDigits(currency) ?? 2;
  return numberText(price, { style: 'currency', currency, minimumFractionDigits, maximumFractionDigits });
}

/** An amount whose currency may be unknown, and with it the place of the decimal point. */
export function anyMoneyText(minor: number, currency: string): string {
  if (minorDigits(currency) !== undefined) return moneyText(minor, currency);
  return `${currency} ${minor}`.replace('-', '−');
}

/** The same with a plus sign for increases. */
export function changeText(minor: number, currency: string): string {
  return `${minor > 0 ? '+' : ''}${moneyText(minor, currency)}`;
}

/** Figures of one column, padded with figure and punctuation spaces so that their decimals align. */
export function alignDecimals(figures: readonly string[]): string[] {
  const point = formatOf({}).formatToParts(0.5)[1]!.value;
  const tails = figures.map((figure) => /^\d+/.exec(figure.split(point)[1] ?? '')?.[0].length ?? -1).map((n) => n + 1);
  const longest = Math.max(0, ...tails);
  return figures.map((figure, i) => figure + blank(tails[i] ?? 0, longest));
}

function blank(from: number, to: number): string {
  return from === 0 && to > 0 ? `\u2008${'\u2007'.repeat(to - 1)}` : '\u2007'.repeat(to - from);
}

interface MoneyProps {
  minor: number | null;
  currency: string;
  /** Shows a plus sign too. */
  change?: boolean;
}

export function Money({ minor, currency, change = false }: MoneyProps) {
  if (minor === null) return <span class="quiet">Not known yet</span>;
  return <span class="money">{change ? changeText(minor, currency) : moneyText(minor, currency)}</span>;
}

/** The colour of a change. */
export function lookOf(minor: number): string {
  return minor === 0 ? '' : minor < 0 ? 'fell' : 'grew';
}
