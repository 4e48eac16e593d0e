import { ApiProperty } from '@nestjs/swagger';
import { instantText } from '../../platform/time/instant-text.js';
import { BalanceResponse, toBalanceResponse } from './balance.response.js';
import type { BalanceVersion } from './balance-versions.repository.js';
import { RESTATEMENT_REASONS, type RestatementReason } from './keep-versions.js';

/** A replaced value of a balance record. */
class BalanceRevisionResponse {
  @ApiProperty({ type: BalanceResponse })
  balance: BalanceResponse;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When this version began; `null`: before versions were kept.',
  })
  from: string | null;

  @ApiProperty({ format: 'date-time', description: 'When this version was replaced.' })
  until: string;

  @ApiProperty({
    enum: RESTATEMENT_REASONS,
    isArray: true,
    description:
      'What had changed. `late_transaction`: one came that was not listed before. `changed_transaction`: its date or ' +
      'amount. `removed_transaction`: the bank no longer lists it. `new_reading`: another figure of the bank. ' +
      '`corrected_type`: the type or currency of the account. `merged_account`: another account was merged into it. ' +
      '`recalculated`: derived again from the same facts.',
    example: ['late_transaction'],
  })
  reasons: RestatementReason[];
}

export class BalanceRevisions {
  @ApiProperty({ type: [BalanceRevisionResponse], description: 'Newest first. Empty: it was never changed.' })
  revisions: BalanceRevisionResponse[];
}

export function toBalanceRevision({ row, from, until, reasons }: BalanceVersion): BalanceRevisionResponse {
  return {
    balance: toBalanceResponse(row),
    from: from === null ? null : instantText(from),
    until: instantText(until),
    reasons,
  };
}
