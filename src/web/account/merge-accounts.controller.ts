import { Body, Param, Post } from '@nestjs/common';
import { isUuid } from '../../http/input/validators.js';
import type { Session } from '../../auth/sessions.service.js';
import { type Pair, MergeAccountsService } from '../../ingest/merge/merge-accounts.service.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { pageNotFound } from '../layout/page-problem.js';
import { type PageReply, redirectTo } from '../layout/page-reply.js';
import { CurrentSession } from '../layout/page-session.js';
import { WebPage } from '../layout/web-page.decorator.js';
import { type FormBody, textOf, textsOf } from '../components/form-body.js';

/** Answers merge suggestions. */
@WebPage('accounts')
export class MergeAccountsPageController {
  constructor(
    private readonly mergeAccounts: MergeAccountsService,
    private readonly clock: Clock,
  ) {}

  @Post(':id/merge')
  async merge(
    @CurrentSession() session: Session,
    @Param('id') accountId: string,
    @Body() body: FormBody,
  ): Promise<PageReply> {
    await this.#merge(session, [pairOf(accountId, textOf(body, 'other'))]);
    return backTo(body);
  }

  /** Merges all pairs of a notice, or none. */
  @Post('merge/all')
  async mergeAll(@CurrentSession() session: Session, @Body() body: FormBody): Promise<PageReply> {
    const pairs = textsOf(body, 'pair').map((text) => {
      const [accountId, otherId] = text.split(' ');
      return pairOf(accountId, otherId);
    });
    await this.#merge(session, pairs);
    return backTo(body);
  }

  async #merge({ userId, timeZone }: Session, pairs: readonly Pair[]): Promise<void> {
    await this.mergeAccounts.merge(userId, pairs, dateInTimeZone(this.clock.now(), timeZone));
  }

  @Post(':id/keep-separate')
  async keepSeparate(
    @CurrentSession() { userId }: Session,
    @Param('id') accountId: string,
    @Body() body: FormBody,
  ): Promise<PageReply> {
    await this.mergeAccounts.keepSeparate(userId, pairOf(accountId, textOf(body, 'other')));
    return backTo(body);
  }
}

/** Where the remaining suggestions are. */
function backTo(body: FormBody): PageReply {
  return redirectTo(textOf(body, 'then') === 'home' ? '/' : '/connections');
}

function pairOf(accountId = '', otherId = ''): Pair {
  if (!isUuid(accountId) || !isUuid(otherId)) throw pageNotFound();
  return { accountId, otherId };
}
