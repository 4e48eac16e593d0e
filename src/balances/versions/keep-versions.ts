import { type RawBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { nextKeptPart } from '../../change-log/note-changes.js';
import type { RestatementReason } from './restatement-reason.js';
import { VERSION_ARRAYS } from './version-arrays.js';

const ARRAYS = sql.raw(VERSION_ARRAYS.map(({ array }) => array).join(', '));
const GATHERED = sql.raw(VERSION_ARRAYS.map(({ column }) => `array_agg(${column} order by date)`).join(', '));
const EMPTY = sql.raw(VERSION_ARRAYS.map(() => `'{}'`).join(', '));

/** Between two parts of one transaction: those that one statement makes. */
const PARTS_OF_ONE = 100;

/**
 * A statement that keeps balances as they are before they change: one row for each currency and form of them, and one for
 * the days that have none.
 *
 * @param before selects the records that will be changed or deleted
 * @param absent selects the \`date\` of those that will be added; \`null\`: none will
 */
export function keepVersions(
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
