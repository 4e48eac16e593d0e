import { isOwn } from '../../balances/accounts/account.entity.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import type { Contribution } from '../../balances/net-worth/net-worth-accounts.js';
import type { AccountType } from '../../balances/engine/ledger.js';
import { reportedText } from '../account/account-labels.js';
import { lookOf, Money, numberText } from '../components/money.js';
import { Day } from '../components/when.js';
import { byName } from '../components/names.js';
import type { AccountFigures } from './account-figures.js';

interface AccountTableProps {
  group: AccountGroup;
  figures: AccountFigures;
}

/** The accounts of one type. Liabilities have a minus sign, because the rows add up to the net worth. */
export function AccountTable({ group, figures }: AccountTableProps) {
  const { title, accounts, isFolded } = group;
  const sums = sumsOf(accounts, figures);
  return (
    <details class="accounts" open={!isFolded}>
      <summary>
        <h2>{title}</h2>
        <span class="quiet small">{numberText(accounts.length)}</span>
        <Subtotals sums={sums} figures={figures} />
      </summary>
      <ul class="card rows">
        {accounts.map((account) => (
          <AccountLine key={account.id} account={account} figures={figures} sums={sums} />
        ))}
      </ul>
    </details>
  );
}

/** What accounts contribute to net worth, by currency. */
function sumsOf(accounts: readonly AccountRow[], { contributions }: AccountFigures): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { id } of accounts) {
    const contribution = contributions.get(id);
    if (!contribution) continue;
    const { currency, amountMinor } = contribution;
    sums.set(currency, (sums.get(currency) ?? 0) + amountMinor);
  }
  return sums;
}

/** In the order of the currencies of the page. */
function Subtotals({ sums, figures }: { sums: ReadonlyMap<string, number>; figures: AccountFigures }) {
  return (
    <span class="subtotals">
      {figures.currencies
        .filter((currency) => sums.has(currency))
        .map((currency) => (
          <Money key={currency} minor={sums.get(currency)!} currency={currency} />
        ))}
    </span>
  );
}

interface AccountLineProps {
  account: AccountRow;
  figures: AccountFigures;
  /** Of its group. */
  sums: ReadonlyMap<string, number>;
}

function AccountLine({ account, figures, sums }: AccountLineProps) {
  const { id, name, institution } = account;
  const newest = figures.newestOf.get(id);
  const change = figures.changes.get(id);
  return (
    <li class="account-line">
      <div>
        <a href={`/accounts/${id}`}>{name}</a>{' '}
        <span class="quiet small">
          {isOwn(account) ? 'By hand' : institution} <Staleness account={account} figures={figures} />
        </span>
      </div>
      <span class="share quiet small">{shareText(figures.contributions.get(id), sums)}</span>
      <span class="change small">
        {change && change.endMinor !== change.startMinor && (
          <span class={lookOf(change.endMinor - change.startMinor)}>
            <Money minor={change.endMinor - change.startMinor} currency={change.currency} change />
          </span>
        )}
      </span>
      <p class="amount">
        {newest ? (
          <Money minor={newest.balance * newest.factor} currency={newest.currency} />
        ) : (
          <span class="quiet">{reportedText(account) ?? 'No balance yet'}</span>
        )}
      </p>
    </li>
  );
}

/** Of the group; none of the only account. */
function shareText(contribution: Contribution | undefined, sums: ReadonlyMap<string, number>): string {
  if (!contribution) return '';
  const share = contribution.amountMinor / (sums.get(contribution.currency) ?? 0);
  return share >= 0.005 && share < 1 ? numberText(share, { style: 'percent', maximumFractionDigits: 0 }) : '';
}

/** Only if it is outdated, final or excluded. */
function Staleness({ account, figures }: Pick<AccountLineProps, 'account' | 'figures'>) {
  const { connection_id: connectionId, status, balance_date: date, closed_on: closedOn } = account;
  if (closedOn !== null) {
    return (
      <>
        {'· '}closed on <Day date={closedOn} />
      </>
    );
  }
  if (!account.include_in_net_worth) return <span class="badge">Not in net worth</span>;
  if (figures.duplicates.has(account.id)) return <span class="badge warn">May be listed twice</span>;
  if (connectionId === null && !isOwn(account)) return <span class="badge">Disconnected</span>;
  if (status === 'missing') return <span class="badge warn">No longer listed</span>;
  if (date === null || date >= figures.today) return null;
  if (account.stale_since !== null) {
    return (
      <span class="badge warn">
        Nothing new since <Day date={account.stale_since} />
      </span>
    );
  }
  return (
    <>
      {'· '}as of <Day date={date} />
    </>
  );
}

const GROUPS: readonly { title: string; types: readonly (AccountType | null)[] }[] = [
  { title: 'Cash', types: ['depository'] },
  { title: 'Credit cards', types: ['credit_card'] },
  { title: 'Investments', types: ['investment', 'crypto'] },
  { title: 'Property and other', types: ['property', 'vehicle', 'other_asset'] },
  { title: 'Loans', types: ['loan', 'other_liability'] },
  { title: 'Type not known yet', types: [null] },
];

interface AccountGroup {
  title: string;
  /** Whether it is collapsed at first. */
  isFolded: boolean;
  accounts: AccountRow[];
}

/** Longer lists are collapsed. */
const MAX_UNFOLDED = 20;

/** Accounts by type and name, without empty groups. Ended and hidden accounts come last, collapsed. */
export function groupAccounts(accounts: readonly AccountRow[]): AccountGroup[] {
  const sorted = accounts.toSorted(byName);
  const isPutAway = ({ hidden, closed_on }: AccountRow) => hidden || closed_on !== null;
  const shown = sorted.filter((account) => !isPutAway(account));
  const groups = GROUPS.map(({ title, types }) => ({
    title,
    isFolded: shown.length > MAX_UNFOLDED,
    accounts: shown.filter((account) => types.includes(account.account_type)),
  }));
  const putAway = { title: 'Closed and hidden', isFolded: true, accounts: sorted.filter(isPutAway) };
  return [...groups, putAway].filter((group) => group.accounts.length > 0);
}
