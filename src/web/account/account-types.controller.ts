import { Body, Post } from '@nestjs/common';
import type { Session } from '../../auth/sessions.service.js';
import { ACCOUNT_TYPES } from '../../balance-engine/ledger.js';
import { EditAccountService } from '../../balances/edit-account/edit-account.service.js';
import { type PageReply, redirectTo } from '../layout/page-reply.js';
import { CurrentSession, WebPage } from '../layout/web-page.js';
import { ignoreRemoved } from '../layout/sent-twice.js';
import { type FormBody, textOf } from '../components/form-body.js';

const FIELD = /^type-(.+)$/;

/** Sets the types that are chosen in the list of accounts; `type-{id}` of each. */
@WebPage('account-types')
export class AccountTypesPageController {
  constructor(private readonly edits: EditAccountService) {}

  @Post()
  async save(@CurrentSession() session: Session, @Body() body: FormBody): Promise<PageReply> {
    for (const field of Object.keys(body ?? {})) {
      const id = FIELD.exec(field)?.[1];
      const accountType = ACCOUNT_TYPES.find((type) => type === textOf(body, field));
      if (id && accountType) await this.edits.edit(session, id, { accountType }).catch(ignoreRemoved);
    }
    return redirectTo('/');
  }
}
