import { Body, Param, Post } from '@nestjs/common';
import { AccountsRepository } from '../../accounts/accounts.repository.js';
import { recordNotFound } from '../../errors/domain-error.js';
import { isUuid } from '../../http/input/validators.js';
import type { Session } from '../../auth/sessions.service.js';
import { type Pair, MergeAccountsService } from '../../ingest/merge/merge-accounts.service.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { type PageReply, redirectTo } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { type Fields, textOf, textsOf } from '../components/form-fields.js';

/** Answers merge suggestions. */
@WebPage('/')
export class MergeAccountsPageController {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly mergeAccounts: MergeAccountsService,
    private readonly clock: Clock,
  ) {}

  @Post('accounts/:id/merge')
  async merge(
    @CurrentSession() session: Session,
    @Param('id') accountId: string,
    @Body() body: Fields,
  ): Promise<PageReply> {
    await this.#merge(session, [pairOf(accountId, textOf(body, 'other'))]);
    return backTo(body);
  }

  /** Merges all pairs of a notice, or none. */
  @Post('account-merges')
  async mergeAll(@CurrentSession() session: Session, @Body() body: Fields): Promise<PageReply> {
    const pairs = textsOf(body, 'pair').map((text) => {
      const [accountId, otherId] = text.split(' ');
      return pairOf(accountId, otherId);
    });
    await this.#merge(session, pairs);
    return backTo(body);
  }

  /** Skips what the same form, sent twice, has just merged. */
  async #merge({ userId, timeZone }: Session, pairs: readonly Pair[]): Promise<void> {
    const remaining: Pair[] = [];
    for (const pair of pairs) if (await this.accounts.findById(userId, pair.otherId)) remaining.push(pair);
    await this.mergeAccounts.merge(userId, remaining, dateInTimeZone(this.clock.now(), timeZone));
  }

  @Post('accounts/:id/keep-separate')
  async keepSeparate(
    @CurrentSession() { userId }: Session,
    @Param('id') accountId: string,
    @Body() body: Fields,
  ): Promise<PageReply> {
    await this.mergeAccounts.keepSeparate(userId, pairOf(accountId, textOf(body, 'other')));
    return backTo(body);
  }
}

/** The page with the remaining suggestions. */
function backTo(body: Fields): PageReply {
  return redirectTo(textOf(body, 'then') === 'home' ? '/' : '/connections');
}

function pairOf(accountId = '', otherId = ''): Pair {
  if (!isUuid(accountId) || !isUuid(otherId)) throw recordNotFound('account');
  return { accountId, otherId };
}
