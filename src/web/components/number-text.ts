import { DEFAULT_PREFERENCES, type NumberFormat } from '../../auth/preferences.js';

/** A number in the format of our texts: `1,234.56`. */
const FIGURE = /(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|[.,]\d)/g;

interface NumberStyle {
  integers: Intl.NumberFormat;
  decimalPoint: string;
}

const styles = new Map<NumberFormat, NumberStyle>();
let current: NumberFormat = DEFAULT_PREFERENCES.numberFormat;

/** Formats the numbers of what `render` makes. It is synchronous, so no other page is rendered in between. */
export function withNumberFormat<Result>(format: NumberFormat, render: () => Result): Result {
  const before = current;
  current = format;
  try {
    return render();
  } finally {
    current = before;
  }
}

export function currentNumberFormat(): NumberFormat {
  return current;
}

/** A text of ours, such as an amount, in the person's number format. */
export function numbersIn(text: string): string {
  if (current === DEFAULT_PREFERENCES.numberFormat) return text;
  const { integers, decimalPoint } = styles.get(current) ?? remember(current);
  return text.replace(FIGURE, (figure) => {
    const [whole = '', decimals] = figure.replaceAll(',', '').split('.');
    // Only grouped numbers are grouped again: years and page numbers are not.
    const grouped = figure.includes(',') ? integers.format(BigInt(whole)) : whole;
    return decimals === undefined ? grouped : grouped + decimalPoint + decimals;
  });
}

/** A count: `1,234`. */
export function countText(count: number): string {
  return numbersIn(count.toLocaleString('en-US'));
}

function remember(format: NumberFormat): NumberStyle {
  const decimal = new Intl.NumberFormat(format).formatToParts(0.5).find(({ type }) => type === 'decimal');
  const style = { integers: new Intl.NumberFormat(format), decimalPoint: decimal?.value ?? '.' };
  styles.set(format, style);
  return style;
}
