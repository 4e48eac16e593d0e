import { Body, Param, Post } from '@nestjs/common';
import type { DuplicatePair } from '../../balances/accounts/duplicates/merge-suggestions.js';
import { AccountsRepository } from '../../balances/accounts/accounts.repository.js';
import { recordNotFound } from '../../platform/domain-error.js';
import { isUuid } from '../../http/input/validators.js';
import type { Session } from '../../auth/sessions.service.js';
import { MergeAccountsService } from '../../sync/ingest/merge/merge-accounts.service.js';
import { dateInTimeZone } from '../../platform/time/calendar-date.js';
import { Clock } from '../../platform/time/clock.js';
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
    @Param('id') disconnectedId: string,
    @Body() body: Fields,
  ): Promise<PageReply> {
    await this.#merge(session, [pairOf(disconnectedId, textOf(body, 'other'))]);
    return backTo(body, disconnectedId);
  }

  /** Merges all pairs of a notice, or none. */
  @Post('account-merges')
  async mergeAll(@CurrentSession() session: Session, @Body() body: Fields): Promise<PageReply> {
    const pairs = textsOf(body, 'pair').map((text) => {
      const [disconnectedId, replacementId] = text.split(' ');
      return pairOf(disconnectedId, replacementId);
    });
    await this.#merge(session, pairs);
    return backTo(body);
  }

  /** Skips what the same form, sent twice, has just merged. */
  async #merge({ userId, timeZone }: Session, pairs: readonly DuplicatePair[]): Promise<void> {
    const remaining: DuplicatePair[] = [];
    for (const pair of pairs) if (await this.accounts.findById(userId, pair.replacementId)) remaining.push(pair);
    await this.mergeAccounts.merge(userId, remaining, dateInTimeZone(this.clock.now(), timeZone));
  }

  @Post('accounts/:id/keep-separate')
  async keepSeparate(
    @CurrentSession() { userId }: Session,
    @Param('id') disconnectedId: string,
    @Body() body: Fields,
  ): Promise<PageReply> {
    await this.mergeAccounts.keepSeparate(userId, pairOf(disconnectedId, textOf(body, 'other')));
    return backTo(body);
  }
}

/** The page with the remaining suggestions, or that of the merged account. */
function backTo(body: Fields, disconnectedId?: string): PageReply {
  if (disconnectedId !== undefined && textOf(body, 'then') === 'account')
    return redirectTo(`/accounts/${disconnectedId}`);
  return redirectTo(textOf(body, 'then') === 'home' ? '/' : '/connections');
}

function pairOf(disconnectedId = '', replacementId = ''): DuplicatePair {
  if (!isUuid(disconnectedId) || !isUuid(replacementId)) throw recordNotFound('account');
  return { disconnectedId, replacementId };
}
