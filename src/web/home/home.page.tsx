import type { AccountRow } from '../../accounts/account.response.js';
import type { AccountSamples } from '../../balances/net-worth/account-samples.repository.js';
import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { Document } from '../layout/document.js';
import type { Range } from '../components/range.js';
import { RangeSwitch } from '../components/range-switch.js';
import type { ShownConnection } from '../connections/connection-views.js';
import { groupAccounts } from './account-groups.js';
import { AccountTable } from './account-table.js';
import { ConnectionHealth } from './connection-health.js';
import { NetWorthCard } from './net-worth-card.js';

interface HomePageProps {
  accounts: readonly AccountRow[];
  views: readonly ShownConnection[];
  /** One a currency. */
  histories: readonly NetWorthHistory[];
  samplesOf: ReadonlyMap<string, AccountSamples>;
  range: Range;
  today: CalendarDate;
  timeZone: string;
}

export function HomePage(props: HomePageProps) {
  const { accounts, views, histories, samplesOf, range, today, timeZone } = props;
  return (
    <Document title="Overview" scripts={['uplot', 'chart']}>
      <div class="page-head">
        <h1>Net worth</h1>
        <RangeSwitch current={range} href={({ name }) => `/?range=${name}`} />
      </div>
      <ConnectionHealth views={views} timeZone={timeZone} />
      {histories.map((history) => (
        <NetWorthCard key={history.currency} history={history} />
      ))}
      {groupAccounts(accounts).map(({ title, accounts }) => (
        <AccountTable key={title} title={title} accounts={accounts} samplesOf={samplesOf} today={today} />
      ))}
    </Document>
  );
}
