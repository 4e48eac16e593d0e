import type { AccountRow } from '../../accounts/account.response.js';
import type { NetWorthHistory } from '../../balances/net-worth/net-worth.service.js';
import type { StoppedWebhook } from '../../webhooks/endpoints/webhook-endpoints.service.js';
import { Page } from '../layout/document.js';
import { type Range, RangeSwitch } from '../components/range.js';
import type { ShownConnection } from '../connections/connection-views.js';
import { StoppedWebhooks } from '../webhooks/webhook-state.js';
import type { AccountFigures, LackingAccount } from './account-figures.js';
import { groupAccounts } from './account-groups.js';
import { AccountTable } from './account-table.js';
import { CurrencyList } from './currency-list.js';
import { UnhealthyConnections } from './unhealthy-connections.js';
import { NetWorthCard } from './net-worth-card.js';

interface HomePageProps {
  accounts: readonly AccountRow[];
  views: readonly ShownConnection[];
  stoppedWebhooks: readonly StoppedWebhook[];
  /** One per currency. */
  histories: readonly NetWorthHistory[];
  /** The currency of the chart; `null`: there is none. */
  chosen: NetWorthHistory | null;
  /** The accounts missing from the chosen sums. */
  lacking: readonly LackingAccount[];
  figures: AccountFigures;
  range: Range;
}

export function HomePage(props: HomePageProps) {
  const { accounts, views, stoppedWebhooks, histories, chosen, lacking, figures, range } = props;
  return (
    <Page
      title="Overview"
      scripts={['uplot', 'chart']}
      heading="Net worth"
      aside={
        <>
          <form class="find" method="get" action="/transactions" role="search">
            <input type="search" name="search" placeholder="Search transactions" aria-label="Search transactions" />
          </form>
          {chosen && <RangeSwitch current={range} href={({ name }) => `/?range=${name}&currency=${chosen.currency}`} />}
        </>
      }
    >
      <UnhealthyConnections views={views} />
      <StoppedWebhooks stopped={stoppedWebhooks} />
      {chosen && (
        <>
          <CurrencyList histories={histories} chosen={chosen.currency} range={range} />
          <NetWorthCard history={chosen} counted={countedIn(chosen, figures)} lacking={lacking} />
        </>
      )}
      {!chosen && <p class="quiet">No account has a balance that counts in net worth yet.</p>}
      {groupAccounts(accounts).map((group) => (
        <AccountTable key={group.title} group={group} figures={figures} />
      ))}
    </Page>
  );
}

function countedIn({ currency }: NetWorthHistory, { contributions }: AccountFigures): number {
  return [...contributions.values()].filter((contribution) => contribution.currency === currency).length;
}
