import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import type { SnapshotTransaction } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { incomingRows } from './incoming-rows.js';
import { storedText, storedTexts } from './stored-texts.js';

/** What of an answer is not stored exactly so. */
export interface News {
  /** Rows whose id is not known. */
  fresh: ReadonlySet<SnapshotTransaction>;
  /** Known rows that differ. */
  changed: ReadonlySet<SnapshotTransaction>;
  /** The first day of any row. */
  since: CalendarDate;
  /** How many stored rows of that day and later the answer does not list. */
  unlistedCount: number;
}

interface Positions {
  /** Counted from 1, separated by commas; `null`: none. */
  fresh: string | null;
  changed: string | null;
  /** How many of the known ones are stored since the first day. */
  knownSince: number;
}

/** Compares an answer with what is stored. */
export async function findNews(
  em: EntityManager,
  account: Account,
  transactions: readonly SnapshotTransaction[],
): Promise<News> {
  if (transactions.length === 0) return allNews([]);
  const since = transactions.reduce((first, { date }) => (date < first ? date : first), '9999-12-31');
  const unlisted = await storedTexts(em, account, since);
  const others = transactions.filter((row) => !unlisted.delete(storedText(row)));
  const { fresh, changed, knownSince } = await compare(em, account, others, since);
  return {
    ...{ fresh: pick(others, fresh), changed: pick(others, changed) },
    ...{ since, unlistedCount: unlisted.size - knownSince },
  };
}

/** In one pass, by the database: a guessed day is no difference, and a known row may be stored at an earlier day. */
async function compare(
  em: EntityManager,
  { userId, id }: Account,
  transactions: readonly SnapshotTransaction[],
  since: CalendarDate,
): Promise<Positions> {
  if (transactions.length === 0) return { fresh: null, changed: null, knownSince: 0 };
  const { rows } = await sql<Positions>`
    with incoming as (${incomingRows(transactions)}),
    compared as (
      select incoming.position, stored.id is not null as is_known, stored.date >= ${since} as is_since,
        (stored.date, stored.amount_minor, stored.currency, stored.description, stored.merchant, stored.pending)
          is distinct from (case when date_is_guess then stored.date else incoming.date end, incoming.amount_minor,
            incoming.currency, incoming.description, incoming.merchant, incoming.pending) as differs
      from incoming left join transactions stored
        on stored.user_id = ${userId} and stored.account_id = ${id} and stored.external_id = incoming.external_id
    )
    select string_agg(position::text, ',') filter (where not is_known) as fresh,
      string_agg(position::text, ',') filter (where is_known and differs) as changed,
      (count(*) filter (where is_since))::integer as "knownSince"
    from compared
  `.execute(em.getKysely());
  return rows[0]!;
}

/** Of an account that was never written nothing is known. */
export function allNews(transactions: readonly SnapshotTransaction[]): News {
  return { fresh: new Set(transactions), changed: new Set(), since: '0001-01-01', unlistedCount: 0 };
}

function pick(rows: readonly SnapshotTransaction[], positions: string | null): Set<SnapshotTransaction> {
  return new Set(positions?.split(',').map((position) => rows[Number(position) - 1]!));
}
