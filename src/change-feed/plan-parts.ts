import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { ChangeKind } from '../change-log/change.js';
import { addDays, type CalendarDate } from '../time/calendar-date.js';
import type { CursorPage } from '../change-log/cursor.js';

/** The revisions of a person after `after`, up to and including `upto`. */
interface LogRange {
  userId: string;
  /** Transactions of these accounts only; `null`: of all. */
  accountIds: readonly string[] | null;
  after: number;
  upto: number;
}

interface PartRow {
  kind: ChangeKind;
  accountId: string | null;
  from: CalendarDate | null;
  to: CalendarDate | null;
  /** `null`: all of the account, or without an account everything of the kind. */
  ids: string[] | null;
}

/** The changes of a range of the log. Each record is in one part, however often it changed. Raw, for ranges of days. */
export async function planChanges(
  em: EntityManager,
  { userId, accountIds, after, upto }: LogRange,
  kinds: readonly ChangeKind[],
): Promise<PlannedPart[]> {
  const isOfAccounts = accountIds ? sql`account_id = any(${[...accountIds]}::uuid[])` : sql`true`;
  const { rows } = await sql<PartRow>`
    with part as (
      select * from changes
      where user_id = ${userId} and revision > ${after} and revision <= ${upto} and kind = any(${[...kinds]}::text[])
        and (kind <> 'transactions' or ids is null or ${isOfAccounts})
    )
    select kind, null::text as "accountId", null::text as "from", null::text as "to", null::text[] as ids
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
  const whole = rows.filter(({ accountId, ids }) => accountId === null && ids === null).map(({ kind }) => kind);
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
  // Raw, because the tables have the columns and not their entities in common.
  const idsIn = async (table: string) => {
    const query = sql<{ id: string }>`select id from ${sql.table(table)} where user_id = ${userId} order by id`;
    return (await query.execute(em.getKysely())).rows.map(({ id }) => id);
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

function toPart({ kind, accountId, from, to, ids }: PartRow): PlannedPart {
  if (ids) return { kind: kind as 'syncs', ids };
  if (kind === 'balances') return { kind, accountId: accountId!, from, to };
  return wholeAccount(kind as 'holdings', accountId!);
}

/** The order in which a copy is filled: referenced records come first. */
const FEED_ORDER: readonly ChangeKind[] = ['accounts', 'connections', 'holdings', 'balances', 'transactions', 'syncs'];

/** No day is earlier, or later. */
const FIRST_DAY = '0001-01-01';
export const LAST_DAY = '9999-12-31';

/** What a copy has to replace: all of an account, some of its days, or records by their ids. */
export type PlannedPart =
  | { kind: 'accounts' | 'connections' | 'syncs' | 'transactions'; ids: readonly string[] }
  | { kind: 'holdings'; accountId: string }
  | { kind: 'balances'; accountId: string; from: CalendarDate | null; to: CalendarDate | null }
  | { kind: 'transactions'; accountId: string; after: string | null };

function inFeedOrder(parts: readonly PlannedPart[]): PlannedPart[] {
  return [...parts].sort(compareParts);
}

/** What of the parts belongs to some accounts. Transactions that parts name by ids do, as they were planned. */
export function partsOfAccounts(parts: readonly PlannedPart[], accountIds: readonly string[]): PlannedPart[] {
  const isAmong = (id: string) => accountIds.includes(id);
  return parts.flatMap((part): PlannedPart[] => {
    if ('accountId' in part) return isAmong(part.accountId) ? [part] : [];
    return part.kind === 'accounts' ? [{ ...part, ids: part.ids.filter(isAmong) }] : [part];
  });
}

/** The parts that are left after a page. */
export function partsFrom(parts: readonly PlannedPart[], page: CursorPage): PlannedPart[] {
  return parts.flatMap((part) => {
    const order = compareKeys(keyOf(part), [page.kind, page.accountId]);
    if (order < 0) return [];
    return order > 0 || page.after === null ? [part] : [restOf(part, page.after)];
  });
}

/** The start of the next page, if it begins with this part. */
export function pageStartOf(part: PlannedPart): Omit<CursorPage, 'upto'> {
  const [kind, accountId] = keyOf(part);
  // No day precedes the first one, and no part of the account its part.
  if ('from' in part)
    return { kind, accountId, after: part.from === FIRST_DAY ? null : part.from && addDays(part.from, -1) };
  return { kind, accountId, after: 'after' in part ? part.after : null };
}

/** The rest of the part after the record with this key: an id, a day, or a day and an id. */
function restOf(part: PlannedPart, after: string): PlannedPart {
  if ('ids' in part) return { ...part, ids: part.ids.filter((id) => id > after) };
  if (part.kind === 'transactions') return { ...part, after };
  if (part.kind === 'holdings') return part;
  const next = after === LAST_DAY ? LAST_DAY : addDays(after, 1);
  return part.from !== null && part.from >= next ? part : { ...part, from: next };
}

/** Whether a part by days has no day left. */
export function hasNoDayLeft(part: PlannedPart): boolean {
  if ('ids' in part) return part.ids.length === 0;
  return part.kind === 'balances' && part.from !== null && part.from > (part.to ?? LAST_DAY);
}

type Key = readonly [kind: ChangeKind, accountId: string | null];

function keyOf(part: PlannedPart): Key {
  return [part.kind, 'accountId' in part ? part.accountId : null];
}

function compareParts(one: PlannedPart, other: PlannedPart): number {
  return compareKeys(keyOf(one), keyOf(other)) || compareTexts(firstDay(one), firstDay(other));
}

/** Parts of accounts come before parts of ids. */
function compareKeys([kind, account]: Key, [otherKind, otherAccount]: Key): number {
  if (kind !== otherKind) return FEED_ORDER.indexOf(kind) - FEED_ORDER.indexOf(otherKind);
  return compareTexts(account ?? '~', otherAccount ?? '~');
}

function firstDay(part: PlannedPart): string {
  return 'from' in part ? (part.from ?? '') : '';
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
