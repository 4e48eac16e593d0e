import type { CurrencyChange } from '../../balances/net-worth/net-worth-changes.js';
import { Money } from './money.js';

/** One line of how a balance became another one. */
export interface WhyLine {
  label: string;
  minor: number;
  /** Whether it is what there is; otherwise what is added to it. */
  isTotal?: boolean;
}

/** @param start what it began with, as `end` what it ended with */
export function whyLines(
  change: Omit<CurrencyChange, 'currency' | 'accountsCount' | 'transferredMinor'>,
  start: string,
  end: string,
  { more = 'Money in', less = 'Money out', unexplained = 'Unexplained' } = {},
): WhyLine[] {
  return [
    { label: start, minor: change.startMinor, isTotal: true },
    { label: more, minor: change.moneyInMinor },
    { label: less, minor: 0 - change.moneyOutMinor },
    { label: 'Market', minor: change.marketMinor },
    { label: unexplained, minor: change.unexplainedMinor },
    ...(change.ratesMinor === undefined ? [] : [{ label: 'Exchange rates', minor: change.ratesMinor }]),
    { label: end, minor: change.endMinor, isTotal: true },
  ];
}

interface WhyProps {
  lines: readonly WhyLine[];
  currency: string;
}

/** How the start of a period became its end, as a bridge of bars. */
export function Why({ lines, currency }: WhyProps) {
  const bars = barsOf(lines);
  return (
    <table class="why">
      <caption class="hidden-text">How the period began, what changed, and how it ended</caption>
      <tbody>
        {lines.map(({ label, minor, isTotal = false }, i) => (
          <tr key={label} class={isTotal && i > 0 ? 'total' : ''}>
            <th scope="row">{label}</th>
            <td>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect class={isTotal ? '' : minor < 0 ? 'fell' : 'grew'} height="10" rx="1" {...bars[i]} />
              </svg>
            </td>
            <td class="number">
              <Money minor={minor} currency={currency} change={!isTotal} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What is before a bar of totals, so that the smallest is visible, in parts of all changes. */
const LEAST = 0.15;

/** Totals begin at the left, each change where the one before it ended; in percent of the width. */
function barsOf(lines: readonly WhyLine[]): { x: number; width: number }[] {
  let at = 0;
  const spans = lines.map(({ minor, isTotal }) => {
    const from = isTotal ? null : at;
    at = isTotal ? minor : at + minor;
    return { from, until: at };
  });
  const ends = spans.map(({ until }) => until);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const left = low - (high - low || 1) * LEAST;
  const percent = (minor: number) => Math.round(((minor - left) / (high - left)) * 1000) / 10;
  return spans.map(({ from, until }) => {
    const [start, end] = [from === null ? 0 : percent(Math.min(from, until)), percent(Math.max(from ?? until, until))];
    return { x: start, width: Math.max(0, end - start) };
  });
}
