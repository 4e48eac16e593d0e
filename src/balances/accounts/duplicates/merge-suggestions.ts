import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { OWN } from '../account.entity.js';
import { type AccountTraits, uniquePairs } from './match-accounts.js';
import type { SeparateAccounts } from './separate-accounts.entity.js';

/** An account of a suggestion, with the traits that were compared. */
interface SuggestedAccount extends AccountTraits {
  id: string;
  connectionId: string | null;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

/** A disconnected account and a newer one that looks like it. */
export interface MergeSuggestion {
  disconnected: SuggestedAccount;
  replacement: SuggestedAccount;
  /** Whether the newer one lists the transactions of the other; their names may differ. */
  sharesTransactions: boolean;
}

/** So many transactions in common are no coincidence. */
const MIN_SHARED = 3;

/** The ids of a disconnected account and of the account that may be its replacement. */
export interface DuplicatePair {
  disconnectedId: string;
  replacementId: string;
}

/** Finds pairs that are probably one account, listed under another id by now. */
export async function suggestMerges(em: EntityManager, userId: string): Promise<MergeSuggestion[]> {
  const accounts = await openAccounts(em, userId);
  const listed = accounts.filter(({ isListed }) => isListed);
  const disconnected = accounts.filter(({ isListed }) => !isListed);
  if (disconnected.length === 0 || listed.length === 0) return [];
  const separatePairs = await listSeparatePairs(em, userId);
  const mayPair = (a: SuggestedAccount, b: SuggestedAccount) =>
    a.createdAt < b.createdAt && !separatePairs.has(`${a.id} ${b.id}`) && !separatePairs.has(`${b.id} ${a.id}`);
  const sharing = await accountsSharingTransactions(em, userId);
  const shares = (a: SuggestedAccount, b: SuggestedAccount) => sharing.get(a.id)?.has(b.id) ?? false;
  const byTransactions = onlyPairs(disconnected, listed, (a, b) => shares(a, b) && mayPair(a, b));
  const paired = new Set<SuggestedAccount>(byTransactions.flat());
  const others = (accounts: SuggestedAccount[]) => accounts.filter((account) => !paired.has(account));
  const byTraits = uniquePairs(others(disconnected), others(listed), mayPair);
  return [...byTransactions, ...byTraits].map(([disconnected, replacement]) => ({
    disconnected,
    replacement,
    sharesTransactions: shares(disconnected, replacement),
  }));
}

/** Pairs of which neither account has a second candidate. */
function onlyPairs<T>(disconnected: readonly T[], listed: readonly T[], mayPair: (a: T, b: T) => boolean): [T, T][] {
  return disconnected.flatMap((a): [T, T][] => {
    const [b, second] = listed.filter((candidate) => mayPair(a, candidate));
    const isOnly = b !== undefined && second === undefined && disconnected.every((c) => c === a || !mayPair(c, b));
    return isOnly ? [[a, b]] : [];
  });
}

/**
 * Finds newer listed accounts of the same bank and currency that list every posted transaction of a disconnected account
 * since their own first one, as the new card of an account does. Raw, since equal transactions of a day are numbered.
 *
 * @returns by the ids of disconnected accounts
 */
async function accountsSharingTransactions(em: EntityManager, userId: string): Promise<Map<string, Set<string>>> {
  const { rows } = await sql<{ oldId: string; newId: string }>`
    with pairs as (
      select old.id as old_id, new.id as new_id,
        (select min(date) from transactions where user_id = ${userId} and account_id = new.id and not pending and source = 'bank') as since
      from accounts new
      join connections nc on nc.user_id = ${userId} and nc.id = new.connection_id and nc.status = 'active'
      join accounts old on old.user_id = ${userId} and old.created_at < new.created_at and old.closed_on is null
        and old.currency = new.currency and old.institution = new.institution
      left join connections oc on oc.user_id = ${userId} and oc.id = old.connection_id
      where new.user_id = ${userId} and new.status = 'active' and new.closed_on is null
        and not (old.status = 'active' and oc.status is not distinct from 'active')
    ), numbered as (
      select account_id, date, amount_minor, row_number() over (partition by account_id, date, amount_minor) as number
      from (
        select account_id, coalesce(listed_date, date) as date, coalesce(listed_minor, amount_minor) as amount_minor
        from transactions where user_id = ${userId} and source = 'bank' and not pending
      ) listed
      where account_id in (select old_id from pairs union select new_id from pairs)
    )
    select pairs.old_id as "oldId", pairs.new_id as "newId"
    from pairs
    join numbered old on old.account_id = pairs.old_id and old.date >= pairs.since
    left join numbered new on new.account_id = pairs.new_id and new.date = old.date
      and new.amount_minor = old.amount_minor and new.number = old.number
    group by pairs.old_id, pairs.new_id
    having count(*) >= ${MIN_SHARED}::int and count(*) = count(new.account_id)
  `.execute(em.getKysely());
  const byOld = Map.groupBy(rows, ({ oldId }) => oldId);
  return new Map([...byOld].map(([oldId, found]) => [oldId, new Set(found.map(({ newId }) => newId))]));
}

/** In SQL, whether the provider lists an account `a` of a connection `c` now. */
export const IS_LISTED = `a.status = 'active' and c.status is not distinct from 'active'`;

/**
 * Accounts that may continue. A closed one has ended, and one by hand continues beside those of banks. Raw, since the entity of
 * connections is in a higher folder.
 */
async function openAccounts(em: EntityManager, userId: string): Promise<(SuggestedAccount & { isListed: boolean })[]> {
  const { rows } = await sql<SuggestedAccount & { isListed: boolean }>`
    select a.id, a.connection_id as "connectionId",
      extract(epoch from a.created_at)::float8 * 1000 as "createdAt", a.name, a.name_chosen as "nameChosen",
      a.institution, a.currency, a.account_type as "accountType",
      ${sql.raw(IS_LISTED)} as "isListed"
    from accounts a left join connections c on c.user_id = ${userId} and c.id = a.connection_id
    where a.user_id = ${userId} and a.closed_on is null and a.provider <> ${OWN} order by a.name, a.id
  `.execute(em.getKysely());
  return rows;
}

async function listSeparatePairs(em: EntityManager, userId: string): Promise<Set<string>> {
  const pairs = await em
    .getKysely<InferClassEntityDB<typeof SeparateAccounts>>()
    .selectFrom('accounts_kept_apart')
    .select(['account_id', 'other_account_id'])
    .where('user_id', '=', userId)
    .execute();
  return new Set(pairs.map(({ account_id: id, other_account_id: otherId }) => `${id} ${otherId}`));
}
