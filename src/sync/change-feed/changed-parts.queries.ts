import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type ChangeKind, RECORDS_OF_MODULES } from '../../database/change-log/change.js';
import { rawRows } from '../../database/raw-rows.js';
import type { CalendarDate } from '../../platform/time/calendar-date.js';
import { inFeedOrder, type PlannedPart } from './plan-parts.js';

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

/** Raw, for ranges of days. $1 person, $2 and $3 revisions, $4 kinds, $5 accounts or null. */
const CHANGES = `
  with part as (
    select * from changes
    where user_id = $1 and revision > $2 and revision <= $3 and kind = any($4::text[])
      and (kind <> 'transactions' or ids is null or $5::uuid[] is null or account_id = any($5))
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
  select kind, null::text, null::text, null::text, array_agg(distinct id::text) from part, unnest(ids) id group by kind`;

/** Of the kinds that a copy has by ids. */
const TABLES_BY_ID: Partial<Record<ChangeKind, string>> = {
  accounts: 'accounts',
  connections: 'connections',
  syncs: 'sync_runs',
};

/** Finds which parts of a person's copy have to be replaced, in the transaction of the caller. */
@Injectable()
export class ChangedPartsQueries {
  constructor(private readonly em: EntityManager) {}

  /** The changes of a range of the log. Each record is in one part, however often it changed. */
  async listChanged(
    { userId, accountIds, after, upto }: LogRange,
    kinds: readonly ChangeKind[],
  ): Promise<PlannedPart[]> {
    const rows = await rawRows<PartRow>(this.em, CHANGES, [userId, after, upto, kinds, accountIds]);
    const whole = rows.filter(({ accountId, ids }) => accountId === null && ids === null).map(({ kind }) => kind);
    const named = rows.filter(({ kind, ids }) => ids !== null || !whole.includes(kind)).map(toPart);
    return inFeedOrder(withMergedIds([...(await this.listWhole(userId, whole)), ...named]));
  }

  /** All existing records of some kinds. */
  async listWhole(userId: string, kinds: readonly ChangeKind[]): Promise<PlannedPart[]> {
    const parts: PlannedPart[] = [];
    for (const kind of kinds) {
      const table = TABLES_BY_ID[kind] ?? RECORDS_OF_MODULES.get(kind)?.table;
      if (table) parts.push({ kind, ids: await this.#ids(table, userId) });
      else for (const accountId of await this.#ids('accounts', userId)) parts.push(wholeAccount(kind, accountId));
    }
    return inFeedOrder(parts);
  }

  /** Raw, because the tables have the columns and not their entities in common. */
  async #ids(table: string, userId: string): Promise<string[]> {
    const text = `select id from ${table} where user_id = $1 order by id`;
    return (await rawRows<{ id: string }>(this.em, text, [userId])).map(({ id }) => id);
  }
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

function toPart({ kind, accountId, from, to, ids }: PartRow): PlannedPart {
  if (ids) return { kind, ids };
  if (kind === 'balances') return { kind: 'balances', accountId: accountId!, from, to };
  return wholeAccount(kind, accountId!);
}

function wholeAccount(kind: ChangeKind, accountId: string): PlannedPart {
  if (kind === 'balances') return { kind: 'balances', accountId, from: null, to: null };
  return kind === 'holdings' ? { kind: 'holdings', accountId } : { kind: 'transactions', accountId, after: null };
}
