import { isOwn } from '../../balances/accounts/account.entity.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import type { AccountType } from '../../balances/engine/ledger.js';
import { reportedText } from '../account/account-labels.js';
import { lookOf, Money, numberText } from '../components/money.js';
import { Day } from '../components/when.js';
import { byName } from '../components/names.js';
import type { Range } from '../components/range.js';
import { type AccountFigures, totalsOf } from './account-figures.js';

interface AccountTablesProps {
  accounts: readonly AccountRow[];
  figures: AccountFigures;
  /** What shares are of: the figures, or those in one currency. */
  shares: AccountFigures;
  range: Range;
}

/** The accounts by type, in two columns of about the same height where there is room. */
export function AccountTables({ accounts, ...shown }: AccountTablesProps) {
  const groups = groupAccounts(accounts);
  const count = firstColumn(groups);
  const columns = [groups.slice(0, count), groups.slice(count)].filter((column) => column.length > 0);
  return (
    <div class="groups">
      {columns.map((column, at) => (
        <div key={at}>
          {column.map((group) => (
            <AccountTable key={group.title} group={group} {...shown} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** How many of the groups stand in the first column. A title is about as high as a row. */
function firstColumn(groups: readonly AccountGroup[]): number {
  const heights = groups.map(({ isFolded, accounts }) => (isFolded ? 1 : 1 + accounts.length));
  const sum = (some: readonly number[]) => some.reduce((total, height) => total + height, 0);
  const highest = heights.map((_, at) => Math.max(sum(heights.slice(0, at + 1)), sum(heights.slice(at + 1))));
  return highest.indexOf(Math.min(...highest)) + 1;
}

interface AccountTableProps extends Omit<AccountTablesProps, 'accounts'> {
  group: AccountGroup;
}

/** The accounts of one type. Liabilities have a minus sign, because the rows add up to the net worth. */
function AccountTable({ group, ...shown }: AccountTableProps) {
  const { title, accounts, isFolded } = group;
  return (
    <details class="accounts" open={!isFolded}>
      <summary>
        <h2>{title}</h2>
        <span class="quiet small">{numberText(accounts.length)}</span>
        <Subtotals accounts={accounts} figures={shown.figures} />
      </summary>
      <ul class="card rows">
        {accounts.map((account) => (
          <AccountLine key={account.id} account={account} {...shown} />
        ))}
      </ul>
    </details>
  );
}

/** What they contribute to net worth, in the order of the currencies of the page. */
function Subtotals({
  accounts,
  figures: { contributions, currencies },
}: Pick<AccountTablesProps, 'accounts' | 'figures'>) {
  const counted = accounts.flatMap(({ id }) => contributions.get(id) ?? []);
  return (
    <span class="subtotals">
      {currencies
        .map((currency) => ({ currency, own: counted.filter((one) => one.currency === currency) }))
        .filter(({ own }) => own.length > 0)
        .map(({ currency, own }) => (
          <Money key={currency} minor={own.reduce((sum, one) => sum + one.amountMinor, 0)} currency={currency} />
        ))}
    </span>
  );
}

interface AccountLineProps extends Omit<AccountTablesProps, 'accounts'> {
  account: AccountRow;
}

function AccountLine({ account, figures, shares, range }: AccountLineProps) {
  const { id, name } = account;
  const institution = isOwn(account) ? 'By hand' : (account.institution ?? '');
  const newest = figures.newestOf.get(id);
  const change = figures.changes.find((one) => one.accountId === id && one.currency === newest?.currency);
  const moved = change ? change.endMinor - change.startMinor : 0;
  const share = shareOf(id, shares);
  return (
    <li class="account-line">
      <div>
        <a class="cut" title={name} href={`/accounts/${id}?${range.query}`}>
          {name}
        </a>
        <p class="quiet small">
          <span class="cut" title={institution}>
            {institution}
          </span>{' '}
          <span>
            <Staleness account={account} figures={figures} />
          </span>
        </p>
      </div>
      <div class="number">
        <p class="amount">
          {newest ? (
            <Money minor={newest.balance * newest.factor} currency={newest.currency} />
          ) : (
            <span class="quiet">{reportedText(account) ?? 'No balance yet'}</span>
          )}
        </p>
        <p class="small">
          {moved !== 0 && (
            <span class={lookOf(moved)}>
              <Money minor={moved} currency={change!.currency} change />
            </span>
          )}
          {share && (
            <span class="quiet">
              {moved !== 0 && ' · '}
              {share.percent}
              <span class="wide-only"> of {share.of}</span>
            </span>
          )}
        </p>
      </div>
    </li>
  );
}

/** Of what there is of its kind in its currency; none of the only account. */
function shareOf(id: string, figures: AccountFigures): { percent: string; of: string } | null {
  const { contributions, newestOf, currencies } = figures;
  const own = contributions.get(id);
  if (!own) return null;
  const { assets, debts } = totalsOf(own, figures);
  const isDebt = newestOf.get(id)?.factor === -1;
  const share = own.amountMinor / (isDebt ? debts : assets);
  if (!(share >= 0.005 && share < 1)) return null;
  const percent = numberText(share, { style: 'percent', maximumFractionDigits: 0 });
  return { percent, of: `${currencies.length > 1 ? `${own.currency} ` : ''}${isDebt ? 'debts' : 'assets'}` };
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
function groupAccounts(accounts: readonly AccountRow[]): AccountGroup[] {
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
