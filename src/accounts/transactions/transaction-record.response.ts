import { ApiProperty } from '@nestjs/swagger';
import { amountText } from '../../money/currency-text.js';
import { instantText } from '../../time/instant-text.js';
import { toTransactionResponse, TransactionResponse, type TransactionRow } from './transaction.response.js';
import { VERSION_END_REASONS, type VersionEndReason } from './transaction-version.entity.js';

const TRANSACTION_STATUSES = ['posted', 'pending', 'withdrawn', 'superseded'] as const;
type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

const NULLABLE_INSTANT = { type: String, nullable: true, format: 'date-time' } as const;

/** A transaction as the bank listed it for a period. */
class TransactionVersionResponse {
  @ApiProperty({ format: 'date', example: '2026-03-02' })
  date: string;

  @ApiProperty({ example: '-$64.20' })
  amount: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: -6420, description: 'In minor units.' })
  amount_cents: number;

  @ApiProperty({ example: '-$64.20', description: 'As the bank listed it.' })
  reported_amount: string;

  @ApiProperty({ type: 'integer', format: 'int64', example: -6420, description: 'In minor units.' })
  reported_amount_cents: number;

  @ApiProperty({ example: 'USD' })
  currency: string;

  @ApiProperty({ example: 'CITY WATER AUTOPAY' })
  description: string;

  @ApiProperty({ type: String, nullable: true, example: 'City Water' })
  merchant: string | null;

  @ApiProperty({ format: 'date-time', description: 'When a sync first listed this version.' })
  listed_from: string;

  @ApiProperty({ ...NULLABLE_INSTANT, description: 'When a sync no longer listed it; `null`: it is listed now.' })
  listed_until: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    enum: VERSION_END_REASONS,
    description:
      'Why the version ended. `changed`: the bank changed the transaction. `reissued`: the bank changed it and lists it ' +
      'under another id of its own. `withdrawn`: the bank no longer lists it. `merged`: its account was merged into one ' +
      'that has the same transaction. `null`: it is listed now.',
  })
  end_reason: VersionEndReason | null;
}

/** One transaction with its history. */
export class TransactionRecordResponse extends TransactionResponse {
  @ApiProperty({
    enum: TRANSACTION_STATUSES,
    description:
      '`withdrawn`: the bank no longer lists it. `superseded`: another transaction took its place. Neither is ' +
      'in any list or total; the other members say what the bank listed last.',
  })
  status: TransactionStatus;

  @ApiProperty({ ...NULLABLE_INSTANT, description: 'When it left the list; `null`: it is listed.' })
  withdrawn_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    format: 'uuid',
    description: 'The transaction that took its place, if it is `superseded`.',
  })
  replaced_by: string | null;

  @ApiProperty({ type: [TransactionVersionResponse], description: 'Newest first.' })
  versions: TransactionVersionResponse[];
}

/** A currently listed transaction. */
export interface ListedRow extends TransactionRow {
  /** Seconds since the epoch. */
  listed_from: number;
}

/** A version that ended, with the members of the transaction. */
export interface EndedVersionRow extends ListedRow {
  listed_until: number;
  reason: VersionEndReason;
  replaced_by: string | null;
}

/** @returns `null` when there is no such transaction */
export function toTransactionRecordResponse(
  listed: ListedRow | null,
  ended: readonly EndedVersionRow[],
): TransactionRecordResponse | null {
  const last = ended[0] ?? null;
  const row = listed ?? last;
  if (row === null) return null;
  const withdrawn = listed ? null : last;
  return {
    ...toTransactionResponse(row),
    status: statusOf(row, withdrawn),
    withdrawn_at: withdrawn && instantText(withdrawn.listed_until),
    replaced_by: withdrawn?.replaced_by ?? null,
    versions: [...(listed ? [toVersion(listed, null)] : []), ...ended.map((version) => toVersion(version, version))],
  };
}

function statusOf({ pending }: TransactionRow, withdrawn: EndedVersionRow | null): TransactionStatus {
  if (withdrawn) return withdrawn.replaced_by === null ? 'withdrawn' : 'superseded';
  return pending ? 'pending' : 'posted';
}

function toVersion(row: ListedRow, end: EndedVersionRow | null): TransactionVersionResponse {
  return {
    date: row.date,
    amount: amountText(row.amount_minor, row.currency),
    amount_cents: row.amount_minor,
    reported_amount: amountText(row.reported_minor, row.currency),
    reported_amount_cents: row.reported_minor,
    currency: row.currency,
    description: row.description,
    merchant: row.merchant,
    listed_from: instantText(row.listed_from),
    listed_until: end && instantText(end.listed_until),
    end_reason: end?.reason ?? null,
  };
}
