import type { CurrencyChange } from '../../balances/net-worth/net-worth-changes.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { lookOf, Money, numberText } from '../components/money.js';
import type { Range } from '../components/range.js';
import { dayText } from '../components/when.js';
import { Why, whyLines } from '../components/why.js';
import type { AccountFigures } from './account-figures.js';

interface WhyWorthProps {
  why: CurrencyChange;
  /** The day whose end is the start. */
  from: CalendarDate;
  figures: AccountFigures;
  range: Range;
  /** The figure. */
  total: number;
  /** In which accounts; `null`: in all of the figure. */
  within: string | null;
}

/** Why the net worth in one currency changed, and in which accounts. */
export function WhyWorth({ why, from, figures, range, total, within }: WhyWorthProps) {
  const { currency, transferredMinor, toOthersMinor, fromOthersMinor } = why;
  const others = 'your accounts that are not in the line';
  const end = range.last === figures.today ? 'Today' : dayText(range.last);
  return (
    <div>
      <h2>Why it changed {within && <span class="quiet small">in {within}</span>}</h2>
      <Why lines={whyLines(why, dayText(from), end)} currency={currency} />
      {within && (
        <p>
          and <Money minor={total - why.endMinor} currency={currency} /> not in the line:{' '}
          <Money minor={total} currency={currency} />
        </p>
      )}
      {transferredMinor > 0 && (
        <p class="quiet small">
          Transfers between your own accounts cancel out: <Money minor={transferredMinor} currency={currency} />
        </p>
      )}
      {toOthersMinor > 0 && (
        <p class="quiet small">
          <Money minor={toOthersMinor} currency={currency} /> of money out went to {others}
        </p>
      )}
      {fromOthersMinor > 0 && (
        <p class="quiet small">
          <Money minor={fromOthersMinor} currency={currency} /> of money in came from {others}
        </p>
      )}
      <Moved figures={figures} why={why} range={range} />
    </div>
  );
}

/** More are counted. */
const MAX_NAMED = 3;

type MovedProps = Pick<WhyWorthProps, 'figures' | 'why' | 'range'>;

/** The accounts that the change is made of, the largest changes first. */
function Moved({ figures, why, range }: MovedProps) {
  const { currency } = why;
  const moved = figures.changes
    .filter((change) => change.isCompared && change.currency === currency)
    .map(({ accountId, accountName, startMinor, endMinor }) => {
      return {
        href: `/accounts/${accountId}?${range.query}`,
        name: figures.names.get(accountId) ?? accountName,
        minor: endMinor - startMinor,
      };
    })
    .sort((a, b) => Math.abs(b.minor) - Math.abs(a.minor));
  if (moved.length < 2) return null;
  const [named, rest] = [moved.slice(0, MAX_NAMED), moved.slice(MAX_NAMED)];
  // Exchanged one by one, accounts add up to the change but for what is rounded.
  const restMinor = named.reduce((left, { minor }) => left - minor, why.endMinor - why.startMinor);
  return (
    <>
      <h2>What moved most</h2>
      <table>
        <tbody>
          {named.map(({ href, name, minor }) => (
            <tr key={href}>
              <th scope="row">
                <a href={href}>{name}</a>
              </th>
              <MovedBy minor={minor} currency={currency} />
            </tr>
          ))}
          {rest.length > 0 && (
            <tr class="quiet">
              <th scope="row">{rest.length === 1 ? '1 other' : `${numberText(rest.length)} others`}</th>
              <MovedBy minor={restMinor} currency={currency} />
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}

function MovedBy({ minor, currency }: { minor: number; currency: string }) {
  return (
    <td class={`number ${lookOf(minor)}`}>
      <Money minor={minor} currency={currency} change />
    </td>
  );
}
