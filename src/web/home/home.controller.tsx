import { Get, Query } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { sampleDays, worthByCurrency } from '../../balances/worth.js';
import { WorthRepository } from '../../balances/worth.repository.js';
import { Config } from '../../config.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import type { PageReply } from '../frame/page-reply.js';
import { CurrentSession } from '../frame/page-session.js';
import { WebPage } from '../frame/web-page.decorator.js';
import { firstDayOf, rangeOf } from '../parts/range.js';
import { EmptyHome } from './empty-home.js';
import { HomePage } from './home.page.js';

const MAX_SAMPLES = 400;
const ALL = { page: 1, per_page: 1000 };

@WebPage('/')
export class HomeController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly worth: WorthRepository,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() { userId, timeZone }: Session, @Query('range') name: unknown): Promise<PageReply> {
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const range = rangeOf(name, '1y');
    const { rows: accounts } = await this.accounts.listPage(userId, ALL);
    if (accounts.length === 0) return <EmptyHome sandbox={this.config.sandbox} />;
    const oldest = (await this.worth.firstDay(userId)) ?? today;
    const from = firstDayOf(range, today);
    const sampled = sampleDays(from && from > oldest ? from : oldest, today, MAX_SAMPLES);
    const byAccount = await this.worth.byAccount(userId, sampled);
    const currencies = worthByCurrency(byAccount, sampled);
    const worthOf = new Map(byAccount.map((worth) => [worth.accountId, worth]));
    return <HomePage {...{ accounts, currencies, worthOf, range, today }} />;
  }
}
