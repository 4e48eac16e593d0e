import { Get, Query } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { UsersRepository } from '../../auth/users.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { evenPoints } from '../../balances/net-worth/net-worth.js';
import type { CurrencyChange } from '../../balances/net-worth/net-worth-changes.js';
import {
  type NewTransactions,
  type PendingTotal,
  TransactionsRepository,
  type Visit,
} from '../../balances/transactions/transactions.repository.js';
import { NetWorthChangesService } from '../../balances/net-worth/net-worth-changes.service.js';
import { NetWorthService } from '../../balances/net-worth/net-worth.service.js';
import { comparedIn, type CountedAccount, currenciesOf } from '../../balances/net-worth/net-worth-accounts.js';
import { type Attention, getterOf, Installed } from '../../platform/module.js';
import { currencyCode } from '../../platform/money/currency.js';
import { Config } from '../../platform/config/config.js';
import { type ConnectionHealth, ConnectionHealthQueries } from '../../sync/overview/connection-health.queries.js';
import { addDays, type CalendarDate, dateInTimeZone, daysBetween } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { type Fields, textOf } from '../components/form-fields.js';
import { type Range, rangeOf, RangeSwitch } from '../components/range.js';
import { ConnectionViews, type ShownConnection } from '../connections/connection-views.js';
import type { AccountRow } from '../../balances/accounts/account.response.js';
import { Page } from '../layout/document.js';
import { Notice } from '../components/notice.js';
import {
  type AccountFigures,
  type ComparedHistory,
  type ComparedLine,
  figuresOf,
  figuresOn,
  type LackingAccount,
  lackingOf,
  totalsOf,
} from './account-figures.js';
import { untyped } from './account-types-page.controller.js';
import { numberText } from '../components/money.js';
import { EmptyHome, WaysToAdd } from './empty-home.js';
import { NewTransactionsCard } from './new-transactions.js';
import { AccountTables } from './account-table.js';
import { CurrencyList } from './currency-list.js';
import { inOneCurrency, type OneCurrency, RatesNote, RatesProblem, sumsOfDay } from './one-currency.js';
import { AccountQuestions, StatusLine } from './status-line.js';
import { NetWorthCard } from './net-worth-card.js';

@WebPage('/')
export class HomeController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly netWorth: NetWorthService,
    private readonly transactions: TransactionsRepository,
    private readonly changes: NetWorthChangesService,
    private readonly connections: ConnectionViews,
    private readonly health: ConnectionHealthQueries,
    private readonly installed: Installed,
    private readonly users: UsersRepository,
    private readonly moduleRef: ModuleRef,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() { userId, timeZone }: Session, @Query() query: Fields): Promise<PageReply> {
    const now = this.clock.now();
    const today = dateInTimeZone(now, timeZone);
    const range = rangeOf(query, today, '1y');
    const wanted = { currencies: currenciesOf, line: comparedOver(range) };
    const [accounts, { accounts: counted, histories, changes }, health, attention, lastVisitAt] = await Promise.all([
      this.accounts.list(userId),
      this.changes.readWithSums(userId, wanted, range.last),
      this.health.read(userId),
      this.#attention(userId),
      this.users.look(userId, now),
    ]);
    // Healthy connections are only counted: they would be most of what is read.
    const showsConnections = accounts.length === 0 || counted.duplicates.length > 0 || health.hasTrouble;
    const views = showsConnections ? await this.connections.list(userId) : [];
    if (accounts.length === 0) return <EmptyHome views={views} sandbox={this.config.sandbox} />;
    const chosen = histories.find(({ currency }) => currency === textOf(query, 'currency')) ?? histories[0] ?? null;
    const figures = figuresOf(accounts, counted, histories, changes.accounts, today);
    const shownFigures = figuresOn(range.last, histories, figures);
    const pending = await this.transactions.pendingTotals(userId, [...figures.contributions.keys()]);
    const lacking = chosen ? lackingOf(counted.all, shownFigures, chosen.currency) : [];
    const visit = lastVisitAt && { at: lastVisitAt, day: dateInTimeZone(lastVisitAt, timeZone) };
    const news = await this.#news(userId, visit, addDays(visit?.day ?? today, -NEWS_DAYS));
    const status = { health, now, today };
    const into = this.netWorth.hasRates && chosen ? currencyCode(textOf(query, 'in')) : null;
    const one = into === null ? null : await this.#inOneCurrency(userId, into, range, figures, pending);
    const canExchange = this.netWorth.hasRates && histories.length > 1;
    const why = changes.currencies.find(({ currency }) => currency === chosen?.currency) ?? null;
    const shown = {
      status,
      attention,
      why,
      pending: pending.find(({ currency }) => currency === chosen?.currency) ?? null,
      accounts,
      views,
      histories,
      chosen,
      lacking,
      figures,
      shownFigures,
      range,
      one,
      canExchange,
      visit,
      news,
    };
    return { page: <HomePage {...shown} />, status: 200, unhealthy: health.unhealthy };
  }

  /** What came since the last visit; the newest if nothing did, or there was none. */
  async #news(userId: string, visit: Visit | null, from: CalendarDate): Promise<NewTransactions> {
    const news = visit && (await this.transactions.listNew(userId, visit, from, MAX_NEWS));
    if (news && news.count > 0) return news;
    return { ...(await this.transactions.listNew(userId, null, from, MAX_NEWS)), count: 0 };
  }

  async #inOneCurrency(
    userId: string,
    into: string,
    range: Range,
    figures: AccountFigures,
    pending: readonly PendingTotal[],
  ): Promise<OneCurrency> {
    const compare = comparedOver(range);
    const line = (accounts: readonly CountedAccount[], all: readonly CountedAccount[]): ComparedLine => {
      const compared = compare(all);
      const isOwn = ({ currency }: CountedAccount) => currency === accounts[0]!.currency;
      return { ...compared, accounts: compared.accounts.filter(isOwn), later: compared.later.filter(isOwn) };
    };
    const wanted = { currencies: currenciesOf, line };
    const { accounts, histories, changes } = await this.changes.readWithSums(userId, wanted, range.last);
    const rates = await this.netWorth.ratesInto(into, [...histories, ...sumsOfDay(figures)]);
    const shown = figuresOn(range.last, histories, { ...figures, changes: changes.accounts });
    const one = inOneCurrency(histories, shown, figures, pending, changes, into, rates);
    return { ...one, lacking: [...lackingOf(accounts.all, shown, null), ...one.lacking] };
  }

  /** Of all parts. */
  async #attention(userId: string): Promise<Attention[]> {
    const get = getterOf(this.moduleRef);
    const all = await Promise.all(
      this.installed.parts.map(async ({ attention }) => (await attention?.(userId, get)) ?? []),
    );
    return all.flat();
  }
}

/** New transactions have a row each; more are counted. */
const MAX_NEWS = 5;
/** A transaction is listed so many days after its own at most, or it is part of an older history. */
const NEWS_DAYS = 14;

/** The chart has a point for each day of a year; for a longer time, as many as a phone can show. */
const MAX_DAYS = 366;
const MAX_POINTS = 100;

/** From the start of the first day of a range to the end of its last one. */
function comparedOver({ first, last }: Range) {
  return (accounts: readonly CountedAccount[]): ComparedLine => {
    const compared = comparedIn(accounts, first && addDays(first, -1), last);
    const maxPoints = daysBetween(compared.from, last) < MAX_DAYS ? MAX_DAYS : MAX_POINTS;
    return { ...compared, days: evenPoints(compared.from, last, maxPoints) };
  };
}

interface HomePageProps {
  accounts: readonly AccountRow[];
  views: readonly ShownConnection[];
  status: { health: ConnectionHealth; now: Date; today: CalendarDate };
  attention: readonly Attention[];
  /** One per currency. */
  histories: readonly ComparedHistory[];
  /** The currency of the chart; `null`: there is none. */
  chosen: ComparedHistory | null;
  /** Why the sum of the chosen currency changed; `null`: there is nothing to compare. */
  why: CurrencyChange | null;
  pending: PendingTotal | null;
  /** The accounts missing from the chosen sums. */
  lacking: readonly LackingAccount[];
  /** Of today. */
  figures: AccountFigures;
  /** Of the last day of the range. */
  shownFigures: AccountFigures;
  range: Range;
  /** All currencies in one; `null`: each is shown by itself. */
  one: OneCurrency | null;
  canExchange: boolean;
  /** The one before this; `null`: there was none. */
  visit: Visit | null;
  /** What came since then, if anything did. */
  news: NewTransactions;
}

function HomePage(props: HomePageProps) {
  const {
    accounts,
    views,
    status,
    attention,
    histories,
    chosen,
    why,
    pending,
    lacking,
    figures,
    shownFigures,
    range,
    one,
    canExchange,
    visit,
    news,
  } = props;
  const untypedCount = untyped(accounts).length;
  return (
    <Page
      title="Overview"
      scripts={['chart']}
      heading="Net worth"
      aside={
        <>
          <form class="find" method="get" action="/transactions" role="search">
            <input type="search" name="search" placeholder="Search transactions" aria-label="Search transactions" />
          </form>
          {chosen && (
            <RangeSwitch
              current={range}
              path="/"
              rest={one ? { in: one.history.currency } : { currency: chosen.currency }}
              visitedOn={visit?.day}
              today={figures.today}
            />
          )}
        </>
      }
    >
      <StatusLine accounts={accounts} views={views} {...status} />
      {untypedCount > 0 && (
        <Notice kind="warn">
          {untypedCount === 1
            ? '1 account has no type yet, and counts as cash. '
            : `${numberText(untypedCount)} accounts have no type yet, and count as cash. `}
          <a href="/account-types">Review</a>
        </Notice>
      )}
      {attention.map(({ text, path }) => (
        <Notice key={path} kind="warn">
          {text} <a href={path}>See what to do</a>
        </Notice>
      ))}
      {chosen && (
        <>
          <CurrencyList
            histories={histories}
            chosen={one ? one.history.currency : chosen.currency}
            isOne={one !== null}
            canExchange={canExchange}
            range={range}
            figures={shownFigures}
          />
          {one ? (
            <>
              <RatesProblem {...one} />
              <NetWorthCard {...one} pendingOf="" range={range} note={<RatesNote {...one} />} />
            </>
          ) : (
            <NetWorthCard
              history={chosen}
              why={why}
              pending={pending}
              pendingOf={`&currency=${chosen.currency}`}
              figures={shownFigures}
              totalToday={totalsOf(chosen, figures).total}
              lacking={lacking}
              range={range}
            />
          )}
        </>
      )}
      <AccountQuestions views={views} />
      {!chosen && <p class="quiet">No account has a balance that counts in net worth yet.</p>}
      {news.rows.length > 0 && <NewTransactionsCard {...news} visit={visit} />}
      {range.last < figures.today && (
        <p class="quiet small">The accounts as they are today, each with its change within the chosen days:</p>
      )}
      <AccountTables accounts={accounts} figures={figures} shares={one?.today ?? figures} range={range} />
      <WaysToAdd withBank />
    </Page>
  );
}
