import { Get, Header, Query, StreamableFile } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { isUuid } from '../../http/input/validators.js';
import { NetWorthChangesService } from '../../balances/net-worth/net-worth-changes.service.js';
import type { AccountChange, CurrencyChange } from '../../balances/net-worth/net-worth-changes.js';
import { type CountedAccount, countedIn, isKnownOver } from '../../balances/net-worth/net-worth-accounts.js';
import type { AccountHistory } from '../../balances/net-worth/net-worth.repository.js';
import { NetWorthService } from '../../balances/net-worth/net-worth.service.js';
import type { UncertainRange } from '../../balances/net-worth/net-worth.js';
import { type PendingTotal, TransactionsRepository } from '../../balances/transactions/transactions.repository.js';
import { currencyCode } from '../../platform/money/currency.js';
import { addDays, type CalendarDate, dateInTimeZone, isCalendarDate } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import { isReportedOn } from '../account/account-labels.js';
import { findTransactions, TransactionList, type TransactionsProps } from '../account/transactions.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { lookOf, Money, numberText } from '../components/money.js';
import { duplicateIds, type LackingAccount, lackingOf } from './account-figures.js';
import { accountsText, DayChoice } from './net-worth-card.js';
import { byName, Names } from '../components/names.js';
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
    private readonly netWorth: NetWorthService,
    private readonly accounts: AccountsRepository,
    private readonly transactions: TransactionsRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() session: Session, @Query() query: Fields): Promise<PageReply> {
    const { userId, timeZone } = session;
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const day = textOf(query, 'day');
    if (!isCalendarDate(day) || day > today) return redirectTo(`/days?day=${today}`);
    const [{ accounts, changes }, listed] = await Promise.all([
      this.changes.between(userId, day, day),
      this.accounts.list(userId),
    ]);
    const ids = changes.accounts.map(({ accountId }) => accountId);
    const transactions = await findTransactions(this.transactions, userId, ids, { ...query, from: day, to: day });
    const reported = new Set(listed.filter((one) => isReportedOn(one, day)).map(({ id }) => id));
    const pending = reported.size > 0 ? await this.transactions.pendingTotals(userId, [...reported]) : [];
    const summed = { contributions: new Set(ids), duplicates: duplicateIds(accounts), day };
    const lacking = (some: readonly AccountHistory[], currency: string | null) =>
      lackingOf(some, summed, currency).filter(({ isChosen }) => !isChosen);
    const sums = [...Map.groupBy(changes.accounts, ({ currency }) => currency)].map(([currency, ofCurrency]) => {
      const counted = countedIn(accounts, currency);
      return {
        currency,
        balances: ofCurrency.map((change) => balanceOf(change, counted, reported, day)).sort(byName),
        change: changes.currencies.find((one) => one.currency === currency) ?? null,
        lacking: lacking(accounts.all, currency),
        pending: pending.find((one) => one.currency === currency) ?? null,
      };
    });
    const isSummed = ({ currency }: AccountHistory) => sums.some((one) => one.currency === (currency ?? one.currency));
    const others = lacking(
      accounts.all.filter((account) => !isSummed(account)),
      null,
    );
    return <DayPage day={day} today={today} sums={sums} lacking={others} transactions={transactions} />;
  }

  /** The largest transaction of each day, for the chart: of an account, or of those in the line of these days. */
  @Get('largest')
  @Header('Cache-Control', 'no-store')
  async largest(@CurrentSession() { userId }: Session, @Query() query: Fields): Promise<PageReply> {
    const [from, to, account] = [textOf(query, 'from'), textOf(query, 'to'), textOf(query, 'account')];
    const currency = currencyCode(textOf(query, 'currency'));
    const isWanted = isCalendarDate(from) && isCalendarDate(to) && currency && (account === '' || isUuid(account));
    const readIds = async (of: string) => (account ? [account] : this.#inLine(userId, of, from, to));
    const rows = isWanted
      ? await this.transactions.largestOfDays(userId, { from, to, currency, accountIds: await readIds(currency) })
      : [];
    return new StreamableFile(Buffer.from(JSON.stringify(rows)), { type: 'application/json' });
  }

  /** The accounts known on each of the days. */
  async #inLine(userId: string, currency: string, from: CalendarDate, to: CalendarDate): Promise<string[]> {
    const counted = countedIn(await this.netWorth.readAccounts(userId), currency);
    return counted.filter((account) => isKnownOver(account, from, to)).map(({ id }) => id);
  }
}

/** The balance of an account at the end of the day, and how certain it is. */
interface DayBalance extends AccountChange {
  name: string;
  isOwn: boolean;
  /** `null`: it is certain. */
  level: UncertainRange[2] | null;
  /** By how much its part of the sum may be more or less; `null`: unknown. */
  doubtMinor: number | null;
}

/** @param reported the accounts whose newest balance is of the day: what a bank reported is not uncertain */
function balanceOf(
  change: AccountChange,
  counted: readonly CountedAccount[],
  reported: ReadonlySet<string>,
  day: CalendarDate,
): DayBalance {
  const account = counted.find(({ id }) => id === change.accountId)!;
  const [, , level, doubtMinor] = account.uncertain.find(([first, last]) => first <= day && day <= last) ?? [];
  const isCertain = level === undefined || reported.has(account.id);
  return {
    ...change,
    name: account.name,
    isOwn: account.isOwn,
    level: isCertain ? null : level,
    doubtMinor: isCertain ? 0 : doubtMinor ? doubtMinor * account.factor : null,
  };
}

interface DaySumsProps {
  currency: string;
  balances: readonly DayBalance[];
  /** Of the accounts known on the day before, too; `null`: there are none. */
  change: CurrencyChange | null;
  /** The accounts missing from the sum. */
  lacking: readonly LackingAccount[];
  /** Of the accounts whose newest balance is of the day; `null`: nothing is. */
  pending: PendingTotal | null;
}

interface DayPageProps {
  day: CalendarDate;
  today: CalendarDate;
  /** One per currency. */
  sums: readonly DaySumsProps[];
  /** The accounts in other currencies, which have no sum on the day. */
  lacking: readonly LackingAccount[];
  transactions: Omit<TransactionsProps, 'account' | 'path'>;
}

function DayPage({ day, today, sums, lacking, transactions }: DayPageProps) {
  return (
    <Page
      title={dayText(day)}
      back={{ href: '/', text: 'Overview' }}
      lead="All accounts that count in your net worth, at the end of the day"
      aside={<OtherDays day={day} today={today} />}
    >
      {sums.length === 0 && <p class="quiet">No account has a balance of this day.</p>}
      <Lacking of={lacking} />
      <div class="stack">
        {sums.map((one) => (
          <DaySums key={one.currency} {...one} day={day} />
        ))}
        <section class="card" id="transactions" aria-label="Transactions">
          <h2>Transactions</h2>
          <TransactionList path="/transactions" account={null} {...transactions} pending={[]} />
        </section>
      </div>
    </Page>
  );
}

function Lacking({ of }: { of: readonly LackingAccount[] }) {
  if (of.length === 0) return null;
  return (
    <p class="lacking">
      without <Names of={of} />
    </p>
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

function DaySums({ currency, balances, change, lacking, pending, day }: DaySumsProps & { day: CalendarDate }) {
  const total = balances.reduce((sum, { endMinor }) => sum + endMinor, 0);
  const minor = change && change.endMinor - change.startMinor;
  const compared = balances.filter(({ isCompared }) => isCompared).length;
  const hasMoved = balances.some(({ startMinor, endMinor }) => startMinor !== endMinor);
  return (
    <section class="card worth" aria-label={`Net worth in ${currency}`}>
      <div>
        <p class="figure">
          <Money minor={total} currency={currency} />
        </p>
        <Lacking of={lacking} />
        {minor !== null && (
          <p class="quiet">
            <span class={lookOf(minor)}>
              <Money minor={minor} currency={currency} change />
            </span>{' '}
            since the day before{compared < balances.length && ` in ${accountsText(compared, balances.length)}`}
          </p>
        )}
        <p class="quiet">
          <Certainty balances={balances} total={total} currency={currency} />
          {pending && ` The banks may have counted the ${numberText(pending.count)} pending, `}
          {pending && <Money minor={pending.amountMinor} currency={currency} change />}
          {pending && '.'}
        </p>
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
            {balances.map((balance) => (
              <BalanceLine key={balance.accountId} balance={balance} day={day} />
            ))}
          </tbody>
        </table>
      </div>
      {change && hasMoved && (
        <div>
          <h2>Why it changed</h2>
          <Why lines={whyLines(change, dayText(addDays(day, -1)), dayText(day))} currency={currency} />
          {compared < balances.length && (
            <p>
              and <Money minor={total - change.endMinor} currency={currency} /> in accounts that are not known the day
              before: <Money minor={total} currency={currency} />
            </p>
          )}
        </div>
      )}
    </section>
  );
}

function BalanceLine({ balance, day }: { balance: DayBalance; day: CalendarDate }) {
  const { accountId, name, currency, isCompared, startMinor, endMinor, level, doubtMinor } = balance;
  return (
    <tr>
      <th scope="row">
        <a href={`/accounts/${accountId}?day=${day}#day`}>{name}</a>
        {level && (
          <span class="quiet small">
            {' '}
            {levelText(balance)}
            {doubtMinor !== null && doubtMinor !== 0 && (
              <>
                , or <Money minor={endMinor + doubtMinor} currency={currency} />
              </>
            )}
          </span>
        )}
      </th>
      <td class={`number ${isCompared ? lookOf(endMinor - startMinor) : ''}`}>
        {!isCompared && <span class="quiet">New</span>}
        {isCompared && endMinor !== startMinor && <Money minor={endMinor - startMinor} currency={currency} change />}
      </td>
      <td class="number">
        <Money minor={endMinor} currency={currency} />
      </td>
    </tr>
  );
}

function levelText({ level, isOwn }: DayBalance): string {
  if (level === 'estimated') return 'Estimated';
  return isOwn ? 'No value for this day' : 'Nothing reported';
}

/** How many of the balances are certain, and what their sum may be as far as that is known. */
function Certainty({ balances, total, currency }: Pick<DaySumsProps, 'balances' | 'currency'> & { total: number }) {
  const all = balances.length;
  const kinds = [
    [null, 'known'],
    ['estimated', 'estimated'],
    ['unknown', 'not reported'],
  ] as const;
  const counts = kinds
    .map(([level, text]) => ({ text, count: balances.filter((one) => one.level === level).length }))
    .filter(({ count }) => count > 0);
  const doubts = balances.map(({ doubtMinor }) => doubtMinor);
  const below = doubts.reduce<number>((sum, doubt) => sum + Math.min(0, doubt ?? 0), 0);
  const above = doubts.reduce<number>((sum, doubt) => sum + Math.max(0, doubt ?? 0), 0);
  return (
    <>
      {counts.map(({ count, text }, at) => {
        if (at > 0) return `, ${count} ${text}`;
        if (all === 1) return `The balance is ${text}`;
        return `${count < all ? `${count} of ${all}` : all === 2 ? 'Both' : `All ${all}`} balances ${count === 1 ? 'is' : 'are'} ${text}`;
      })}
      {below < above && (
        <>
          : <Money minor={total + below} currency={currency} /> to <Money minor={total + above} currency={currency} />
          {doubts.includes(null) && ' as far as that is known'}
        </>
      )}
      .
    </>
  );
}
