import { Get, Query } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { AccountSamplesRepository } from '../../balances/net-worth/account-samples.repository.js';
import { evenPoints } from '../../balances/net-worth/net-worth.js';
import { NetWorthService } from '../../balances/net-worth/net-worth.service.js';
import { currenciesOf } from '../../balances/net-worth/net-worth-accounts.js';
import { Config } from '../../config/config.js';
import { type CalendarDate, dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession } from '../layout/page-session.js';
import { WebPage } from '../layout/web-page.decorator.js';
import { firstDayOf, rangeOf } from '../components/range.js';
import { ConnectionViews } from '../connections/connection-views.js';
import { EmptyHome } from './empty-home.js';
import { FirstSync } from './first-sync.js';
import { HomePage } from './home.page.js';

/** More than a screen shows only costs time and bytes. */
const MAX_POINTS = 400;
const MAX_SPARKLINE_POINTS = 60;
const ALL = { page: 1, per_page: 1000 };

@WebPage('/')
export class HomeController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly netWorth: NetWorthService,
    private readonly samples: AccountSamplesRepository,
    private readonly connections: ConnectionViews,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() { userId, timeZone }: Session, @Query('range') name: unknown): Promise<PageReply> {
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const range = rangeOf(name, '1y');
    const { rows: accounts } = await this.accounts.listPage(userId, ALL);
    const views = await this.connections.list(userId);
    if (accounts.length === 0 && views.length > 0) return <FirstSync views={views} timeZone={timeZone} />;
    if (accounts.length === 0) return <EmptyHome sandbox={this.config.sandbox} />;
    const from = firstDayOf(range, today);
    const histories = await this.#histories(userId, from, today);
    const oldest = histories.map(({ points }) => points[0]?.date ?? today).sort()[0] ?? today;
    const samples = await this.samples.read(userId, evenPoints(oldest, today, MAX_SPARKLINE_POINTS));
    const samplesOf = new Map(samples.map((account) => [account.accountId, account]));
    return <HomePage {...{ accounts, views, histories, samplesOf, range, today, timeZone }} />;
  }

  /** One a currency, each from the first day that is known of it. */
  async #histories(userId: string, from: CalendarDate | null, today: CalendarDate) {
    const accounts = await this.netWorth.accounts(userId);
    const histories = await Promise.all(
      currenciesOf(accounts).map((currency) =>
        this.netWorth.read(userId, currency, accounts, (firstDay) =>
          evenPoints(from !== null && from > firstDay ? from : firstDay, today, MAX_POINTS),
        ),
      ),
    );
    return histories.filter((history) => history !== null);
  }
}
