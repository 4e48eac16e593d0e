import { Group, List, Moment, responseOf, SomeOf } from '../../http/members.js';
import { BalanceResponse } from './balance.response.js';
import type { BalanceVersion } from './balance-versions.repository.js';
import { RESTATEMENT_REASONS, type RestatementReason } from './keep-versions.js';

/** A replaced value of a balance record. */
class BalanceRevisionResponse {
  @Group(BalanceResponse, { from: 'row' })
  balance: BalanceResponse;

  @Moment({ nullable: true, description: 'When this version began; `null`: before versions were kept.' })
  from: string | null;

  @Moment({ description: 'When this version was replaced.' })
  until: string;

  @SomeOf(RESTATEMENT_REASONS, {
    description:
      'What had changed. `late_transaction`: one came that was not listed before. `changed_transaction`: its date or ' +
      'amount. `removed_transaction`: the bank no longer lists it. `new_reading`: another figure of the bank. ' +
      '`corrected_type`: the type or currency of the account. `merged_account`: another account was merged into it. ' +
      '`imported`: a file was imported or taken back. `stated_balance`: a person stated a balance. `corrected`: a person ' +
      'corrected or added a transaction. `recalculated`: derived again from the same facts.',
    example: ['late_transaction'],
  })
  reasons: RestatementReason[];
}

export class BalanceRevisions {
  @List(BalanceRevisionResponse, { description: 'Newest first. Empty: it was never changed.' })
  revisions: BalanceRevisionResponse[];
}

export const toBalanceRevision: (version: BalanceVersion) => BalanceRevisionResponse =
  responseOf(BalanceRevisionResponse);
