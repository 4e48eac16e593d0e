import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ChangeKind } from '../change-log/change.js';
import type { CalendarDate } from '../time/calendar-date.js';
import { inFeedOrder, type PlannedPart } from './planned-part.js';

/** The revisions of a person after `after`, up to and including `upto`. */
interface LogRange {
  userId: string;
  after: number;
  upto: number;
}

interface PartRow {
  kind: ChangeKind;
  account_id: string | null;
  from_date: CalendarDate | null;
  to_date: CalendarDate | null;
  /** `null`: all of the account, or without an account everything of the kind. */
  ids: string[] | null;
}

/** The changes of a range of the log. Each record is in one part, however often it changed. */
export async function planChanges(
  em: EntityManager,
  { userId, after, upto }: LogRange,
  kinds: readonly ChangeKind[],
): Promise<PlannedPart[]> {
  const { rows } = await sql<PartRow>`
    with part as (
      select * from changes
      where user_id = ${userId} and revision > ${after} and revision <= ${upto} and kind = any(${[...kinds]}::text[])
    )
    select kind, null::text as account_id, null::text as from_date, null::text as to_date, null::text[] as ids
    from part where account_id is null and ids is null group by kind
    union all
    select kind, account_id::text, lower(days)::text, (upper(days) - 1)::text, null::text[]
    from (
      select kind, account_id, unnest(range_agg(daterange(from_date, to_date, '[]'))) as days
      from part where account_id is not null and ids is null group by kind, account_id
    ) of_account
    union all
    select kind, null::text, null::text, null::text, array_agg(distinct id::text) from part, unnest(ids) id group by kind
  `.execute(em.getKysely());
  const whole = rows.filter(({ account_id, ids }) => account_id === null && ids === null).map(({ kind }) => kind);
  const named = rows.filter(({ kind, ids }) => ids !== null || !whole.includes(kind)).map(toPart);
  return inFeedOrder(withMergedIds([...(await planWhole(em, userId, whole)), ...named]));
}

/** For a kind that changed as a whole and by ids: only the ids reveal which records are deleted. */
function withMergedIds(parts: readonly PlannedPart[]): PlannedPart[] {
  const byIds = parts.filter((part) => 'ids' in part);
  const idsOf = (kind: ChangeKind) => new Set(byIds.flatMap((part) => (part.kind === kind ? part.ids : [])));
  const kinds = [...new Set(byIds.map(({ kind }) => kind))];
  return [
    ...parts.filter((part) => !('ids' in part)),
    ...kinds.map((kind): PlannedPart => ({ kind, ids: [...idsOf(kind)].sort() })),
  ];
}

/** All existing records of some kinds. */
export async function planWhole(
  em: EntityManager,
  userId: string,
  kinds: readonly ChangeKind[],
): Promise<PlannedPart[]> {
  const idsIn = async (table: string) => {
    const { rows } = await sql<{
      id: string;
    }>`select id from ${sql.table(table)} where user_id = ${userId} order by id`.execute(em.getKysely());
    return rows.map(({ id }) => id);
  };
  const parts: PlannedPart[] = [];
  for (const kind of kinds) {
    if (kind === 'accounts' || kind === 'connections') parts.push({ kind, ids: await idsIn(kind) });
    else if (kind === 'syncs') parts.push({ kind, ids: await idsIn('sync_runs') });
    else for (const accountId of await idsIn('accounts')) parts.push(wholeAccount(kind, accountId));
  }
  return inFeedOrder(parts);
}

function wholeAccount(kind: 'balances' | 'holdings' | 'transactions', accountId: string): PlannedPart {
  if (kind === 'balances') return { kind, accountId, from: null, to: null };
  return kind === 'holdings' ? { kind, accountId } : { kind, accountId, after: null };
}

function toPart({ kind, account_id: accountId, from_date: from, to_date: to, ids }: PartRow): PlannedPart {
  if (ids) return { kind: kind as 'syncs', ids };
  if (kind === 'balances') return { kind, accountId: accountId!, from, to };
  return wholeAccount(kind as 'holdings', accountId!);
}
