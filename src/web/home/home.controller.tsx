import { Get, Query } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import type { Session } from '../../auth/sessions.service.js';
import { evenPoints } from '../../balances/net-worth/net-worth.js';
import { NetWorthService } from '../../balances/net-worth/net-worth.service.js';
import { contributionsOn, currenciesOf, hasHistory } from '../../balances/net-worth/net-worth-accounts.js';
import { Config } from '../../config/config.js';
import { ConnectionHealthQueries } from '../../sync/overview/connection-health.queries.js';
import { dateInTimeZone, daysBetween } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { WebhookEndpointsService } from '../../webhooks/endpoints/webhook-endpoints.service.js';
import type { PageReply } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { type FormBody, textOf } from '../components/form-body.js';
import { firstDayOf, rangeOf } from '../components/range.js';
import { ConnectionViews } from '../connections/connection-views.js';
import { EmptyHome } from './empty-home.js';
import { FirstSync } from './first-sync.js';
import { lackingOf } from './lacking-accounts.js';
import { HomePage } from './home.page.js';

/** A year is drawn day by day, a longer time by so many points, of which a phone shows no more. */
const MAX_DAYS = 366;
const MAX_POINTS = 100;

@WebPage('/')
export class HomeController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly netWorth: NetWorthService,
    private readonly connections: ConnectionViews,
    private readonly health: ConnectionHealthQueries,
    private readonly webhooks: WebhookEndpointsService,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  @Get()
  async show(@CurrentSession() { userId, timeZone }: Session, @Query() query: FormBody): Promise<PageReply> {
    const today = dateInTimeZone(this.clock.now(), timeZone);
    const range = rangeOf(textOf(query, 'range'), '1y');
    const [accounts, counted, { hasTrouble, unhealthy }, stoppedWebhooks] = await Promise.all([
      this.accounts.list(userId),
      this.netWorth.accounts(userId),
      this.health.read(userId),
      this.webhooks.listStopped(userId),
    ]);
    // Connections that are well have nothing to say here, and are most of what this page could read.
    const showsConnections = accounts.length === 0 || counted.duplicates.length > 0 || hasTrouble;
    const views = showsConnections ? await this.connections.list(userId) : [];
    if (accounts.length === 0 && views.length > 0) return <FirstSync views={views} />;
    if (accounts.length === 0) return <EmptyHome sandbox={this.config.sandbox} />;
    const from = firstDayOf(range, today);
    const histories = await this.netWorth.read(userId, currenciesOf(counted), counted, (firstDay, knownFrom) => {
      const first = from !== null && from > firstDay ? from : firstDay;
      const days = evenPoints(first, today, daysBetween(first, today) < MAX_DAYS ? MAX_DAYS : MAX_POINTS);
      // The change is counted from this day, whatever the range.
      const lacksKnown = knownFrom > first && knownFrom < today && !days.includes(knownFrom);
      return lacksKnown ? [...days, knownFrom].sort() : days;
    });
    const wanted = textOf(query, 'currency');
    const chosen = histories.find(({ currency }) => currency === wanted) ?? histories[0] ?? null;
    // Of several histories of an account the newest comes last.
    const newestOf = new Map(counted.all.filter(hasHistory).map((history) => [history.id, history]));
    const samplesOf = new Map(
      [...newestOf.values()].map(({ id, currency, factor }) => {
        const balances = histories.find((history) => history.currency === currency)?.samplesOf.get(id) ?? [];
        return [id, balances.map((balance) => balance * factor)];
      }),
    );
    const contributions = new Map(contributionsOn(counted, today).map((one) => [one.accountId, one]));
    const duplicates = new Set(counted.duplicates.map(({ disconnectedId }) => disconnectedId));
    const lacking = chosen ? lackingOf(counted.all, duplicates, chosen.currency, today) : [];
    const figures = { samplesOf, newestOf, contributions, duplicates, today };
    const shown = { stoppedWebhooks, accounts, views, histories, chosen, lacking, figures, range };
    return { page: <HomePage {...shown} />, status: 200, unhealthy };
  }
}
