import { Body, Param, Post } from '@nestjs/common';
import { isUuid } from '../../api/validators.js';
import type { Session } from '../../auth/sessions.service.js';
import { Relinks } from '../../sync/relinks/relink.service.js';
import { dateInTimeZone } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { pageNotFound } from '../frame/page-problem.js';
import { type PageReply, redirectTo } from '../frame/page-reply.js';
import { CurrentSession } from '../frame/page-session.js';
import { WebPage } from '../frame/web-page.decorator.js';
import { type FormBody, textOf } from '../parts/form-body.js';

/** A person's answer to the offer that an account which is gone and one that is new are the same. */
@WebPage('accounts/:id')
export class RelinkPageController {
  constructor(
    private readonly relinks: Relinks,
    private readonly clock: Clock,
  ) {}

  @Post('relink')
  async relink(
    @CurrentSession() { userId, timeZone }: Session,
    @Param('id') accountId: string,
    @Body() body: FormBody,
  ): Promise<PageReply> {
    const pair = { userId, accountId: known(accountId), otherId: known(textOf(body, 'other')) };
    await this.relinks.relink(pair, dateInTimeZone(this.clock.now(), timeZone));
    // Where there are more to answer.
    return redirectTo(textOf(body, 'then') === 'connections' ? '/connections' : `/accounts/${accountId}`);
  }

  @Post('keep-apart')
  async keepApart(
    @CurrentSession() { userId }: Session,
    @Param('id') accountId: string,
    @Body() body: FormBody,
  ): Promise<PageReply> {
    await this.relinks.keepApart({ userId, accountId: known(accountId), otherId: known(textOf(body, 'other')) });
    return redirectTo('/connections');
  }
}

function known(id: string): string {
  if (!isUuid(id)) throw pageNotFound();
  return id;
}
