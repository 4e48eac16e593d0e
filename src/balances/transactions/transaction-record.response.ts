import { Amount, Day, Id, List, Moment, OneOf, responseOf, Text } from '../../http/members.js';
import { instantText } from '../../platform/time/instant-text.js';
import { toTransactionResponse, TransactionResponse, type TransactionRow } from './transaction.response.js';
import { VERSION_END_REASONS, type VersionEndReason } from './transaction-version.entity.js';

const TRANSACTION_STATUSES = ['posted', 'pending', 'withdrawn', 'superseded'] as const;
type TransactionStatus = (typeof TRANSACTION_STATUSES)[number];

/** A transaction as the bank listed it for a period. */
class TransactionVersionResponse {
  @Day({ example: '2026-03-02' })
  date: string;

  @Amount({ example: -6420 })
  amount: string;
  amount_cents: number;

  @Amount({ from: 'reported_minor', example: -6420, description: 'As the bank listed it.' })
  reported_amount: string;
  reported_amount_cents: number;

  @Text({ example: 'USD' })
  currency: string;

  @Text({ example: 'CITY WATER AUTOPAY' })
  description: string;

  @Text({ nullable: true, example: 'City Water' })
  merchant: string | null;

  @Moment({ description: 'When a sync first listed this version.' })
  listed_from: string;

  @Moment({ nullable: true, description: 'When a sync no longer listed it; `null`: it is listed now.' })
  listed_until: string | null;

  @OneOf(VERSION_END_REASONS, {
    from: 'reason',
    nullable: true,
    description:
      'Why the version ended. `changed`: the bank changed the transaction. `reissued`: the bank changed it and lists it ' +
      'under another id of its own. `withdrawn`: the bank no longer lists it. `merged`: its account was merged into one ' +
      'that has the same transaction. `null`: it is listed now.',
  })
  end_reason: VersionEndReason | null;
}

/** One transaction with its history. */
export class TransactionRecordResponse extends TransactionResponse {
  @OneOf(TRANSACTION_STATUSES, {
    description:
      '`withdrawn`: the bank no longer lists it. `superseded`: another transaction took its place. Neither is ' +
      'in any list or total; the other members say what the bank listed last.',
  })
  status: TransactionStatus;

  @Moment({ nullable: true, description: 'When it left the list; `null`: it is listed.' })
  withdrawn_at: string | null;

  @Id({ nullable: true, description: 'The transaction that took its place, if it is `superseded`.' })
  replaced_by: string | null;

  @List(TransactionVersionResponse, { description: 'Newest first.' })
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

const versionOf = responseOf(TransactionVersionResponse);

function toVersion(row: ListedRow, end: EndedVersionRow | null): TransactionVersionResponse {
  return versionOf({ ...row, listed_until: end?.listed_until ?? null, reason: end?.reason ?? null });
}
