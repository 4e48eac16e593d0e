import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../accounts/account.entity.js';
import { BALANCE_COLUMNS } from '../engine/history.js';
import { nextKeptPart } from '../../database/change-log/note-changes.js';

/** Why a balance was restated. */
export const RESTATEMENT_REASONS = [
  'late_transaction',
  'changed_transaction',
  'removed_transaction',
  'new_reading',
  'corrected_type',
  'merged_account',
  'imported',
  'stated_balance',
  'corrected',
  'recalculated',
] as const;
export type RestatementReason = (typeof RESTATEMENT_REASONS)[number];

/** The columns of the engine's fields: `startCash` is `start_cash`. */
export const AMOUNT_NAMES = BALANCE_COLUMNS.map((field) =>
  field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);

/** The columns of a balance record that a version stores as arrays of daily values, and the names of these arrays. */
export const VERSION_ARRAYS = [
  { column: 'date', array: 'dates' },
  { column: 'id', array: 'ids' },
  ...[...AMOUNT_NAMES, 'created_at', 'updated_at'].map((column) => ({ column, array: column })),
];

const ARRAYS = sql.raw(VERSION_ARRAYS.map(({ array }) => array).join(', '));
const GATHERED = sql.raw(VERSION_ARRAYS.map(({ column }) => `array_agg(${column} order by date)`).join(', '));
const EMPTY = sql.raw(VERSION_ARRAYS.map(() => `'{}'`).join(', '));

/** Separates the parts of one transaction: each statement makes its own. */
const PARTS_OF_ONE = 100;

/**
 * A statement that stores balances before they change: one row per currency and shape, and one for days without a
 * record. Raw, because it is a part of the statements that change them, and gathers arrays.
 *
 * @param before selects the records that will be updated or deleted
 * @param absent selects the `date` of records that will be inserted; `null`: none
 */
export function keepBalanceVersions(
  { userId, id }: Pick<Account, 'userId' | 'id'>,
  reasons: readonly RestatementReason[],
  { before, absent }: { before: RawBuilder<unknown>; absent: RawBuilder<unknown> | null },
): RawBuilder<unknown> {
  const { batchId, part } = nextKeptPart(userId);
  const first = part * PARTS_OF_ONE;
  const which = sql`${userId}::uuid, ${id}::uuid, ${batchId}::uuid`;
  const why = sql`${[...reasons]}::text[]`;
  const changed = sql`
    select ${which}, ${first}::integer + (row_number() over ())::integer, ${why}, min(date), max(date),
      '{}'::datemultirange, currency, flows_factor, has_cash, ${GATHERED}
    from (${before}) before group by currency, flows_factor, has_cash`;
  const added = sql`
    union all
    select ${which}, ${first}::integer, ${why}, min(date), max(date), range_agg(daterange(date, date, '[]')),
      null, null, null, ${EMPTY}
    from (${absent ?? sql`select null::date as date`}) added having count(date) > 0`;
  return sql`
    insert into balance_versions (user_id, account_id, batch_id, part, reasons, first_date, last_date, absent, currency,
      flows_factor, has_cash, ${ARRAYS})
    ${changed} ${absent ? added : sql``}`;
}
