import { Amount, Day, Flag, Group, Id, List, Moment, OneOf, responseOf, Text } from '../../http/members.js';
import { instantText } from '../../platform/time/instant-text.js';
import { toTransactionResponse, TransactionResponse, type TransactionRow } from './transaction.response.js';
import type { FoundCorrection } from '../own-knowledge/settle-rows.js';
import { VERSION_END_REASONS, type VersionEndReason } from './transaction-version.entity.js';

const TRANSACTION_STATUSES = ['posted', 'pending', 'withdrawn', 'superseded', 'left_out'] as const;
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

const CORRECTION_STATES = ['applied', 'no_longer_needed', 'waiting'] as const;
type CorrectionState = (typeof CORRECTION_STATES)[number];

/** What a person says of a transaction. */
class CorrectionResponse {
  @Day({ nullable: true, example: '2026-03-01', description: '`null`: as it is listed.' })
  date: string | null;

  @Amount({ nullable: true, example: -1200, description: '`null`: as it is listed.' })
  amount: string | null;
  amount_cents: number | null;

  @Flag({
    nullable: true,
    description: '`true`: it does not count. `false`: it counts, whatever is listed. `null`: as it is listed.',
  })
  excluded: boolean | null;

  @Text({ nullable: true, example: 'The shop charged too much at first.' })
  note: string | null;

  @OneOf(CORRECTION_STATES, {
    description:
      '`no_longer_needed`: the bank has come to list what you say. `waiting`: the transaction is not listed now; the ' +
      'correction applies again if it is.',
  })
  state: CorrectionState;

  @Moment()
  created_at: string;

  @Moment()
  updated_at: string;
}

/** One transaction with its history. */
export class TransactionRecordResponse extends TransactionResponse {
  @OneOf(TRANSACTION_STATUSES, {
    description:
      '`withdrawn`: the bank no longer lists it. `superseded`: another transaction took its place, or the bank lists what ' +
      'you have added or imported. `left_out`: a file has it on a day of the bank, which does not list it. None of these is ' +
      'in any list or total; the other members say what was listed last.',
  })
  status: TransactionStatus;

  @Moment({ nullable: true, description: 'When it left the list; `null`: it is listed.' })
  withdrawn_at: string | null;

  @Id({ nullable: true, description: 'The transaction that took its place, if it is `superseded`.' })
  replaced_by: string | null;

  @Group(CorrectionResponse, { nullable: true, description: '`null`: you have said nothing of it.' })
  correction: CorrectionResponse | null;

  @List(TransactionVersionResponse, { description: 'Newest first.' })
  versions: TransactionVersionResponse[];
}

/** A transaction or a version of it. */
interface VersionRow extends TransactionRow {
  /** Seconds since the epoch. */
  listed_from: number;
}

/** A currently listed transaction. */
export interface ListedRow extends VersionRow {
  /** What is listed, in the holder's view. */
  listed_minor: number;
}

/** A version that ended, with the members of the transaction. */
export interface EndedVersionRow extends VersionRow {
  listed_until: number;
  reason: VersionEndReason;
  replaced_by: string | null;
}

/** A row of a file or a person that does not count. */
export interface UncountedRow extends TransactionRow {
  /** The transaction that is the same one. */
  replaced_by: string | null;
}

interface TransactionFound {
  listed: ListedRow | undefined;
  ended: readonly EndedVersionRow[];
  uncounted: UncountedRow | undefined;
  correction: FoundCorrection | null;
}

/** @returns `null` when there is no such transaction */
export function toTransactionRecordResponse(found: TransactionFound): TransactionRecordResponse | null {
  const { listed, ended, uncounted, correction } = found;
  const [withdrawn] = listed ? [] : ended;
  const row = listed ?? withdrawn ?? uncounted;
  if (!row) return null;
  return {
    ...toTransactionResponse(row),
    status: statusOf(found),
    withdrawn_at: withdrawn ? instantText(withdrawn.listed_until) : null,
    replaced_by: (withdrawn ?? (listed ? undefined : uncounted))?.replaced_by ?? null,
    correction:
      correction && correctionOf({ ...correction, currency: row.currency, state: stateOf(correction, listed) }),
    versions: [...(listed ? [toVersion(listed, null)] : []), ...ended.map((version) => toVersion(version, version))],
  };
}

function statusOf({ listed, ended: [withdrawn], uncounted }: TransactionFound): TransactionStatus {
  if (listed) return listed.pending ? 'pending' : 'posted';
  if (withdrawn) return withdrawn.replaced_by === null ? 'withdrawn' : 'superseded';
  return uncounted?.replaced_by === null ? 'left_out' : 'superseded';
}

const correctionOf = responseOf(CorrectionResponse);

function stateOf({ date, amountMinor, excluded }: FoundCorrection, listed: ListedRow | undefined): CorrectionState {
  if (!listed) return 'waiting';
  const isMet =
    (date === null || date === listed.reported_date) && (amountMinor === null || amountMinor === listed.listed_minor);
  return isMet && !excluded && (date ?? amountMinor) !== null ? 'no_longer_needed' : 'applied';
}

const versionOf = responseOf(TransactionVersionResponse);

/** As it was listed, whatever a person says of it. */
function toVersion(row: ListedRow | EndedVersionRow, end: EndedVersionRow | null): TransactionVersionResponse {
  const amount = 'listed_minor' in row ? row.listed_minor : row.amount_minor;
  const asListed = { ...row, date: row.reported_date, amount_minor: amount };
  return versionOf({ ...asListed, listed_until: end?.listed_until ?? null, reason: end?.reason ?? null });
}
