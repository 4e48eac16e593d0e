import { Get, Header, Query, StreamableFile } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { isUuid } from '../../http/input/validators.js';
import { NetWorthChangesService } from '../../balances/net-worth/net-worth-changes.service.js';
import type { AccountChange, Changes, CurrencyChange } from '../../balances/net-worth/net-worth-changes.js';
import { TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import { currencyCode } from '../../platform/money/currency.js';
import { addDays, type CalendarDate, dateInTimeZone, isCalendarDate } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { findTransactions, TransactionList, type TransactionsProps } from '../account/transactions.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { lookOf, Money } from '../components/money.js';
import { DayChoice } from './net-worth-card.js';
import { byName } from '../components/names.js';
import { dayText } from '../components/when.js';
import { Column } from '../components/table.js';
import { Why, whyLines } from '../components/why.js';
import { Page } from '../layout/document.js';
import { type PageReply, redirectTo } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';

/** One day over all accounts. */
@WebPage('days')
export class DayPageController {
  constructor(
    private readonly changes: NetWorthChangesService,
    private readonly transactions: TransactionsRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() session: Session, @Query() query: Fields): Promise<PageReply> {
    const { userId, timeZone } = session;
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const day = textOf(query, 'day');
    if (!isCalendarDate(day) || day > today) return redirectTo(`/days?day=${today}`);
    const changes = await this.changes.between(userId, day, day);
    const ids = changes.accounts.map(({ accountId }) => accountId);
    const transactions = await findTransactions(this.transactions, userId, ids, { ...query, from: day, to: day });
    return <DayPage day={day} today={today} changes={changes} transactions={transactions} />;
  }

  /** The largest transaction of each day, for the chart: of an account, or of all that count in net worth. */
  @Get('largest')
  @Header('Cache-Control', 'no-store')
  async largest(@CurrentSession() { userId }: Session, @Query() query: Fields): Promise<PageReply> {
    const [from, to, account] = [textOf(query, 'from'), textOf(query, 'to'), textOf(query, 'account')];
    const currency = currencyCode(textOf(query, 'currency'));
    const isWanted = isCalendarDate(from) && isCalendarDate(to) && currency && (account === '' || isUuid(account));
    const wanted = { from, to, currency: currency ?? '', accountId: account || null };
    const rows = isWanted ? await this.transactions.largestOfDays(userId, wanted) : [];
    return new StreamableFile(Buffer.from(JSON.stringify(rows)), { type: 'application/json' });
  }
}

interface DayPageProps {
  day: CalendarDate;
  today: CalendarDate;
  changes: Changes;
  transactions: Omit<TransactionsProps, 'account' | 'path'>;
}

function DayPage({ day, today, changes, transactions }: DayPageProps) {
  const { accounts, currencies } = changes;
  const groups = [...Map.groupBy(accounts, ({ currency }) => currency)];
  return (
    <Page
      title={dayText(day)}
      back={{ href: '/', text: 'Overview' }}
      lead="All accounts that count in your net worth, at the end of the day"
      aside={<OtherDays day={day} today={today} />}
    >
      {groups.length === 0 && <p class="quiet">No account has a balance of this day.</p>}
      <div class="stack">
        {groups.map(([currency, ofCurrency]) => (
          <DaySums
            key={currency}
            currency={currency}
            accounts={ofCurrency}
            change={currencies.find((one) => one.currency === currency) ?? null}
            day={day}
          />
        ))}
        <section class="card" id="transactions" aria-label="Transactions">
          <h2>Transactions</h2>
          <TransactionList path="/transactions" account={null} {...transactions} pending={[]} />
        </section>
      </div>
    </Page>
  );
}

function OtherDays({ day, today }: Pick<DayPageProps, 'day' | 'today'>) {
  const link = (other: CalendarDate, label: string, arrow: string) => (
    <a class="button second small" href={`/days?day=${other}`} aria-label={label}>
      {arrow}
    </a>
  );
  return (
    <nav class="actions" aria-label="Other days">
      {link(addDays(day, -1), 'The day before', '←')}
      {day < today && link(addDays(day, 1), 'The day after', '→')}
      <DayChoice day={day} />
    </nav>
  );
}

interface DaySumsProps {
  currency: string;
  accounts: readonly AccountChange[];
  /** Of the accounts known on the day before, too; `null`: there are none. */
  change: CurrencyChange | null;
  day: CalendarDate;
}

function DaySums({ currency, accounts, change, day }: DaySumsProps) {
  const minor = change && change.endMinor - change.startMinor;
  const compared = accounts.filter(({ isCompared }) => isCompared).length;
  const hasMoved = accounts.some(({ startMinor, endMinor }) => startMinor !== endMinor);
  return (
    <section class="card worth" aria-label={`Net worth in ${currency}`}>
      <div>
        <p class="figure">
          <Money minor={accounts.reduce((sum, { endMinor }) => sum + endMinor, 0)} currency={currency} />
        </p>
        {minor !== null && (
          <p class="quiet">
            <span class={lookOf(minor)}>
              <Money minor={minor} currency={currency} change />
            </span>{' '}
            since the day before
            {compared < accounts.length &&
              ` in ${compared} of ${accounts.length} accounts: the others begin on this day`}
          </p>
        )}
        <table class="day-accounts">
          <caption class="hidden-text">The accounts in {currency}</caption>
          <thead>
            <tr>
              <Column>Account</Column>
              <Column class="number">Change</Column>
              <Column class="number">Balance</Column>
            </tr>
          </thead>
          <tbody>
            {accounts
              .map((account) => ({ ...account, name: account.accountName }))
              .sort(byName)
              .map(({ accountId, name, isCompared, startMinor, endMinor }) => (
                <tr key={accountId}>
                  <th scope="row">
                    <a href={`/accounts/${accountId}?day=${day}#day`}>{name}</a>
                  </th>
                  <td class={`number ${isCompared ? lookOf(endMinor - startMinor) : ''}`}>
                    {!isCompared && <span class="quiet">New</span>}
                    {isCompared && endMinor !== startMinor && (
                      <Money minor={endMinor - startMinor} currency={currency} change />
                    )}
                  </td>
                  <td class="number">
                    <Money minor={endMinor} currency={currency} />
                  </td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
      {change && hasMoved && (
        <div>
          <h2>Why it changed</h2>
          <Why lines={whyLines(change, dayText(addDays(day, -1)), dayText(day))} currency={currency} />
        </div>
      )}
    </section>
  );
}
