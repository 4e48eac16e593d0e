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

/** A person's answer to the offer that accounts which are gone and some that are new are the same. */
@WebPage('accounts')
export class MergeAccountsPageController {
  constructor(
    private readonly relinks: MergeAccountsService,
    private readonly clock: Clock,
  ) {}

  @Post(':id/relink')
  async relink(
    @CurrentSession() session: Session,
    @Param('id') accountId: string,
    @Body() body: FormBody,
  ): Promise<PageReply> {
    await this.#relink(session, [pairOf(accountId, textOf(body, 'other'))]);
    // Where there are more to answer.
    return redirectTo(textOf(body, 'then') === 'connections' ? '/connections' : `/accounts/${accountId}`);
  }

  /** All of one notice, or none. */
  @Post('relink/all')
  async relinkAll(@CurrentSession() session: Session, @Body() body: FormBody): Promise<PageReply> {
    const pairs = textsOf(body, 'pair').map((text) => {
      const [accountId, otherId] = text.split(' ');
      return pairOf(accountId, otherId);
    });
    await this.#relink(session, pairs);
    return redirectTo('/connections');
  }

  async #relink({ userId, timeZone }: Session, pairs: readonly Pair[]): Promise<void> {
    await this.relinks.relink(userId, pairs, dateInTimeZone(this.clock.now(), timeZone));
  }

  @Post(':id/keep-apart')
  async keepApart(
    @CurrentSession() { userId }: Session,
    @Param('id') accountId: string,
    @Body() body: FormBody,
  ): Promise<PageReply> {
    await this.relinks.keepApart(userId, pairOf(accountId, textOf(body, 'other')));
    return redirectTo('/connections');
  }
}

function pairOf(accountId = '', otherId = ''): Pair {
  if (!isUuid(accountId) || !isUuid(otherId)) throw pageNotFound();
  return { accountId, otherId };
}
