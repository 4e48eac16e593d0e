import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { EventType } from '../../platform/module.js';
import type { ChangeEvent, ChangeKind } from './change.js';

/** A part of the change log, as far as events show it. */
export interface LoggedPart {
  revision: number;
  committedAt: Date;
  kind: ChangeKind;
  accountId: string | null;
  ids: readonly string[] | null;
  event: ChangeEvent | null;
}

/** What a subscriber is notified of: the changes from one revision to another, both inclusive. */
export interface PlannedEvent<Type extends EventType = EventType> {
  type: Type;
  from: number;
  upto: number;
  at: Date;
  /** Of changes: the accounts; `null`: any account may have changed. */
  accountIds: readonly string[] | null;
  /** Of what happened to one record: the sync, connection or account. */
  subjectId: string | null;
}

/** An event with more accounts names none, so that it stays small. */
const MAX_ACCOUNT_IDS = 100;

/**
 * Plans the events of a part of the log, in its order. Changes of one kind with nothing else between them are one event,
 * so that a subscriber that was down for a day gets one and not a thousand.
 *
 * @param parts in the order of the log
 */
export function planEvents<Type extends EventType>(
  parts: readonly LoggedPart[],
  wanted: ReadonlySet<Type>,
): readonly PlannedEvent<Type>[] {
  const isWanted = (type: EventType): type is Type => (wanted as ReadonlySet<EventType>).has(type);
  const events: PlannedEvent<Type>[] = [];
  let open = new Map<EventType, PlannedEvent<Type>>();
  for (const part of parts) {
    if (part.event !== null) {
      if (!isWanted(part.event)) continue;
      for (const subjectId of part.ids ?? []) events.push({ ...eventOf(part, part.event), subjectId });
      open = new Map();
      continue;
    }
    const type = changeTypeOf(part.kind);
    if (!type || !isWanted(type)) continue;
    const known = open.get(type);
    if (known) {
      extend(known, part);
      continue;
    }
    const event = { ...eventOf(part, type), accountIds: part.accountId ? [part.accountId] : null };
    open.set(type, event);
    events.push(event);
  }
  return events;
}

function changeTypeOf(kind: ChangeKind): EventType | null {
  if (kind === 'balances') return 'balances.changed';
  return kind === 'transactions' ? 'transactions.changed' : null;
}

function eventOf<Type extends EventType>({ revision, committedAt }: LoggedPart, type: Type): PlannedEvent<Type> {
  return { type, from: revision, upto: revision, at: committedAt, accountIds: null, subjectId: null };
}

function extend(event: PlannedEvent, { revision, committedAt, accountId }: LoggedPart): void {
  event.upto = revision;
  event.at = committedAt;
  const accountIds = accountId && event.accountIds ? new Set([...event.accountIds, accountId]) : null;
  event.accountIds = accountIds && accountIds.size <= MAX_ACCOUNT_IDS ? [...accountIds] : null;
}

/** How many entries of the log are read in one step. */
const REVISIONS_AT_A_TIME = 500;

/**
 * The log after a revision, oldest first: whole revisions, a bounded number. Raw, because the log has no entities and
 * instants are read as milliseconds.
 */
export async function readLog(em: EntityManager, userId: string, after: number): Promise<LoggedPart[]> {
  const { rows } = await sql<Omit<LoggedPart, 'committedAt'> & { committed_ms: number }>`
    select r.revision::float8 as revision, (extract(epoch from r.committed_at) * 1000)::float8 as committed_ms,
      c.kind, c.account_id as "accountId", c.ids::text[] as ids, c.event
    from (
      select * from revisions where user_id = ${userId} and revision > ${after}
      order by revision limit ${REVISIONS_AT_A_TIME}
    ) r
    join changes c on c.user_id = ${userId} and c.revision = r.revision
    order by r.revision, c.part
  `.execute(em.getKysely());
  return rows.map(({ committed_ms, ...part }) => ({ ...part, committedAt: new Date(committed_ms) }));
}
