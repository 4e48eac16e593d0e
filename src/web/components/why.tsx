import type { Change, CurrencyChange } from '../../balances/net-worth/net-worth-changes.js';
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
  change: Omit<Change, 'currency'> & Pick<CurrencyChange, 'ratesMinor'>,
  start: string,
  end: string,
  { more = 'Money in', less = 'Money out' } = {},
): WhyLine[] {
  const { valuesGivenMinor, ratesMinor } = change;
  const unexplainedMinor = change.unexplainedMinor - valuesGivenMinor;
  return [
    { label: start, minor: change.startMinor, isTotal: true },
    { label: more, minor: change.moneyInMinor },
    { label: less, minor: 0 - change.moneyOutMinor },
    { label: 'Market', minor: change.marketMinor },
    ...(valuesGivenMinor === 0 ? [] : [{ label: 'Values you gave', minor: valuesGivenMinor }]),
    ...(unexplainedMinor === 0 && valuesGivenMinor !== 0 ? [] : [{ label: 'Unexplained', minor: unexplainedMinor }]),
    ...(ratesMinor === undefined ? [] : [{ label: 'Exchange rates', minor: ratesMinor }]),
    { label: end, minor: change.endMinor, isTotal: true },
  ];
}

interface WhyProps {
  lines: readonly WhyLine[];
  currency: string;
  /** Of what is owed, more is worse. */
  isDebt?: boolean;
}

/** How the start of a period became its end, as a bridge of bars. */
export function Why({ lines, currency, isDebt = false }: WhyProps) {
  const { bars, cutAt } = barsOf(lines);
  return (
    <table class="why">
      <caption class="hidden-text">How the period began, what changed, and how it ended</caption>
      <tbody>
        {lines.map(({ label, minor, isTotal = false }, i) => (
          <tr key={label} class={isTotal && i > 0 ? 'total' : ''}>
            <th scope="row">{label}</th>
            <td>
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect
                  class={isTotal ? '' : (isDebt ? -minor : minor) < 0 ? 'fell' : 'grew'}
                  height="10"
                  rx="1"
                  {...bars[i]}
                />
                {isTotal && cutAt !== null && <path d={`M${cutAt} 12l3-14`} />}
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

/** Changes that are less of the totals could hardly be seen beside them. */
const LEAST = 0.25;

/**
 * Totals begin at zero, each change where the one before it ended; in percent of the width. Beside much larger totals, all of
 * the same sign, changes could not be seen: then the bars of totals are cut, with a sign.
 */
function barsOf(lines: readonly WhyLine[]) {
  let at = 0;
  const spans = lines.map(({ minor, isTotal }) => {
    const from = isTotal ? null : at;
    at = isTotal ? minor : at + minor;
    return { from, until: at };
  });
  const ends = spans.map(({ until }) => until);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const isCut = low * high > 0 && high - low < LEAST * Math.max(high, -low);
  const room = (high - low || 1) * LEAST;
  const begin = !isCut ? 0 : low > 0 ? low - room : high + room;
  const [left, right] = [Math.min(low, begin), Math.max(high, begin)];
  const percent = (minor: number) => Math.round(((minor - left) / (right - left || 1)) * 1000) / 10;
  const bars = spans.map(({ from, until }) => {
    const [x, end] = [percent(from ?? begin), percent(until)].sort((a, b) => a - b) as [number, number];
    return { x, width: end - x };
  });
  return { bars, cutAt: !isCut ? null : low > 0 ? 4 : 93 };
}
