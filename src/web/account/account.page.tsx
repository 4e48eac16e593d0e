import { Fragment } from 'preact';
import { isOwn } from '../../balances/accounts/account.entity.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import type { HoldingPage } from '../../balances/holdings/holding.response.js';
import { accountRules } from '../../balances/engine/account-type.js';
import { movesByValues } from '../../balances/own-knowledge/statements.service.js';
import type { AccountSeries } from '../../balances/record/account-series.repository.js';
import { currencyCode } from '../../platform/money/currency.js';
import { currencyUnit } from '../../platform/money/currency-text.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { Page } from '../layout/document.js';
import { Notice } from '../components/notice.js';
import { Money } from '../components/money.js';
import { usePageContext } from '../components/page-context.js';
import type { Range } from '../components/range.js';
import { Day } from '../components/when.js';
import { AccountChart } from './account-chart.js';
import { reportedText, typeText } from './account-labels.js';
import { DayRecord, type ShownDay } from './day-record.js';
import { AccountLife, BankListsIt, DeleteAccount, EditAccount, LifeNotice } from './manage-account.js';
import { Holdings } from './holdings.js';
import { StatementsCard } from './statements.js';
import { AddTransaction, Transactions, type TransactionsProps } from './transactions.js';

interface AccountPageProps extends ShownDay {
  account: AccountRow;
  series: AccountSeries | null;
  range: Range;
  holdings: HoldingPage;
  transactions: Omit<TransactionsProps, 'account' | 'path'>;
  /** What an account by hand may be listed as. */
  candidates: readonly AccountRow[];
  /** The days of which a person says what an account by hand is worth; `null`: a bank says it. */
  valueDays: readonly CalendarDate[] | null;
  today: CalendarDate;
}

export function AccountPage(props: AccountPageProps) {
  const { account, series, range, holdings, transactions, candidates, valueDays, today, ...shownDay } = props;
  const currency = currencyCode(account.currency);
  return (
    <Page
      title={account.name}
      scripts={['htmx', 'chart']}
      back={{ href: '/', text: 'Overview' }}
      lead={<Lead account={account} />}
      aside={currency ? <Balance account={account} currency={currency} /> : <ReportedBalance account={account} />}
    >
      <LifeNotice account={account} currency={currency} />
      <NotSynced account={account} />
      {currency && isOwn(account) && account.balance_minor === null && (
        <Notice kind="warn">
          It has no balance yet. <a href="#statements">Say what it was worth on any day</a>
        </Notice>
      )}
      <div class="columns">
        {currency && (series || range.name !== 'all') && (
          <AccountChart
            accountId={account.id}
            currency={currency}
            series={series}
            isDebt={accountRules(account.account_type).factor === -1}
            valueDays={valueDays}
            uncertain={shownDay.uncertain}
            range={range}
            today={today}
          />
        )}
        {(currency ?? series ?? shownDay.record) && (
          <div class="side">
            <DayRecord {...shownDay} accountId={account.id} rest={range.query} />
            {!isOwn(account) && <Adding accountId={account.id} />}
          </div>
        )}
        <div class="rest">
          <Holdings account={account} {...holdings} />
          {currency && isOwn(account) && <StatementsCard account={account} today={today} />}
          <Transactions path={`/accounts/${account.id}`} account={account} {...transactions} />
          {currency && !isOwn(account) && <StatementsCard account={account} today={today} />}
          <section class="stack" id="manage" aria-label="Manage this account">
            {currency && !(isOwn(account) && movesByValues(account.account_type)) && (
              <AddTransaction account={account} />
            )}
            <EditAccount account={account} />
            {candidates.length > 0 && <BankListsIt account={account} candidates={candidates} />}
            <AccountLife account={account} today={today} />
            <DeleteAccount account={account} />
          </section>
        </div>
      </div>
    </Page>
  );
}

function Lead({ account }: { account: AccountRow }) {
  const links = usePageContext().links.filter(({ place }) => place === 'account');
  const { id, institution, account_type: type, currency } = account;
  const words = [isOwn(account) ? 'By hand' : institution, typeText(type), currency && currencyUnit(currency)].filter(
    Boolean,
  );
  return (
    <>
      {words.join(' · ')} · <a href="#manage">Edit</a>
      {links.map(({ path, text }) => (
        <Fragment key={path}>
          {' · '}
          <a href={`${path}?account_id=${id}`}>{text}</a>
        </Fragment>
      ))}
    </>
  );
}

function Balance({ account, currency }: { account: AccountRow; currency: string }) {
  const { account_type: type, balance_minor: balance, available_minor: available } = account;
  // The balance of a closed account is that of its last day, whatever its bank reported since.
  const date = account.closed_on ?? account.balance_date;
  const isDebt = accountRules(type).factor === -1;
  const isOverpaid = isDebt && balance !== null && balance < 0;
  return (
    <div class="head-amount">
      <p class="figure">
        <Money minor={isOverpaid ? -balance : balance} currency={currency} />
        {isDebt && balance !== null && <span class="quiet"> {isOverpaid ? 'in credit' : 'owed'}</span>}
      </p>
      <p class="quiet small">
        {date && 'as of '}
        {date && <Day date={date} />}
        {available !== null && available !== balance && (
          <>
            {' · '}
            <Money minor={available} currency={currency} /> available
          </>
        )}
      </p>
    </div>
  );
}

function ReportedBalance({ account }: { account: AccountRow }) {
  return (
    <div class="head-amount">
      <p class="figure">{reportedText(account)}</p>
      <p class="quiet small">As reported. Tidemark does not support this currency, so there is no history.</p>
    </div>
  );
}

/** A warning on an account without new data, so that an old figure is not taken for a current one. */
function NotSynced({ account }: { account: AccountRow }) {
  const { connection_id: connectionId, status, closed_on: closedOn } = account;
  // A closed account needs no warning, and one by hand is not synced.
  if (closedOn !== null || isOwn(account)) return null;
  if (connectionId === null) {
    return (
      <Notice kind="warn">
        The connection of this account was removed. Its history stays, but is no longer updated.{' '}
        <a href="/connections/new">Connect the bank again</a>
      </Notice>
    );
  }
  if (account.stale_since !== null && status !== 'missing') {
    return (
      <Notice kind="warn">
        The bank reports no error, but has brought nothing new since <Day date={account.stale_since} />.{' '}
        <a href={`/connections/${connectionId}`}>View connection</a>
      </Notice>
    );
  }
  if (status !== 'missing') return null;
  return (
    <Notice kind="warn">
      The bank no longer lists this account. Its history stays.{' '}
      <a href={`/connections/${connectionId}`}>View connection</a>
    </Notice>
  );
}

function Adding({ accountId }: { accountId: string }) {
  const href = `/accounts/${accountId}/reconciliation`;
  return (
    <section class="card">
      <div class="card-head">
        <h2>Does it add up?</h2>
        <a class="small" href={href}>
          Details
        </a>
      </div>
      <div hx-get={href} hx-trigger="load" hx-swap="outerHTML">
        <p class="quiet small">Compare with the bank’s own balances.</p>
      </div>
    </section>
  );
}
