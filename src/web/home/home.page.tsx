import type { AccountRow } from '../../accounts/account.response.js';
import type { AccountWorth, CurrencyWorth } from '../../balances/worth.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { Document } from '../frame/document.js';
import type { Range } from '../parts/range.js';
import { RangeSwitch } from '../parts/range-switch.js';
import { groupAccounts } from './account-groups.js';
import { AccountTable } from './account-table.js';
import { WorthCard } from './worth-card.js';

interface HomePageProps {
  accounts: readonly AccountRow[];
  currencies: readonly CurrencyWorth[];
  worthOf: ReadonlyMap<string, AccountWorth>;
  range: Range;
  today: CalendarDate;
}

export function HomePage({ accounts, currencies, worthOf, range, today }: HomePageProps) {
  return (
    <Document title="Overview" scripts={['uplot', 'chart']}>
      <div class="page-head">
        <h1>Net worth</h1>
        <RangeSwitch current={range} href={({ name }) => `/?range=${name}`} />
      </div>
      {currencies.map((worth) => (
        <WorthCard key={worth.currency} worth={worth} />
      ))}
      {groupAccounts(accounts).map(({ title, accounts }) => (
        <AccountTable key={title} title={title} accounts={accounts} worthOf={worthOf} today={today} />
      ))}
    </Document>
  );
}
