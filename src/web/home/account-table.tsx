import type { AccountRow } from '../../accounts/account.response.js';
import type { AccountSamples } from '../../balances/net-worth/account-samples.repository.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { Money } from '../components/money.js';
import { Sparkline } from '../components/sparkline.js';
import { Day } from '../components/when.js';

interface AccountTableProps {
  title: string;
  accounts: readonly AccountRow[];
  samplesOf: ReadonlyMap<string, AccountSamples>;
  today: CalendarDate;
}

/** Accounts of one kind. What is owed has a minus sign here, where everything adds up to the net worth. */
export function AccountTable({ title, accounts, samplesOf, today }: AccountTableProps) {
  return (
    <section class="accounts">
      <h2>{title}</h2>
      <ul class="card rows">
        {accounts.map((account) => (
          <AccountLine key={account.id} account={account} samples={samplesOf.get(account.id)} today={today} />
        ))}
      </ul>
    </section>
  );
}

interface AccountLineProps {
  account: AccountRow;
  samples?: AccountSamples | undefined;
  today: CalendarDate;
}

function AccountLine({ account, samples, today }: AccountLineProps) {
  return (
    <li class="account-line">
      <div>
        <a href={`/accounts/${account.id}`}>{account.name}</a>
        <p class="quiet small">
          {account.institution} <Staleness account={account} today={today} />
        </p>
      </div>
      <Sparkline values={samples?.values ?? []} />
      <p class="amount">
        {samples ? (
          <Money minor={samples.latest} currency={samples.currency} />
        ) : (
          <span class="quiet">No balance yet</span>
        )}
      </p>
    </li>
  );
}

/** Only where it is not of today, or will not be renewed. */
function Staleness({
  account: { connection_id, status, balance_date },
  today,
}: {
  account: AccountRow;
  today: string;
}) {
  if (connection_id === null) return <span class="badge">Disconnected</span>;
  if (status === 'missing') return <span class="badge warn">No longer listed</span>;
  if (balance_date === null || balance_date >= today) return null;
  return (
    <>
      {'· '}as of <Day date={balance_date} />
    </>
  );
}
