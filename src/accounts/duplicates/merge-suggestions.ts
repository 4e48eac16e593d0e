import type { EntityManager, InferClassEntityDB } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
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
}

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
  return uniquePairs(disconnected, listed, mayPair).map(([disconnected, replacement]) => ({
    disconnected,
    replacement,
  }));
}

/** In SQL, whether the provider lists an account `a` of a connection `c` now. */
export const IS_LISTED = `a.status = 'active' and c.status is not distinct from 'active'`;

/** Accounts that may continue. A closed one has ended. Raw, since the entity of connections is in a higher folder. */
async function openAccounts(em: EntityManager, userId: string): Promise<(SuggestedAccount & { isListed: boolean })[]> {
  const { rows } = await sql<SuggestedAccount & { isListed: boolean }>`
    select a.id, a.connection_id as "connectionId",
      extract(epoch from a.created_at)::float8 * 1000 as "createdAt", a.name, a.name_chosen as "nameChosen",
      a.institution, a.currency, a.account_type as "accountType",
      ${sql.raw(IS_LISTED)} as "isListed"
    from accounts a left join connections c on c.user_id = ${userId} and c.id = a.connection_id
    where a.user_id = ${userId} and a.closed_on is null order by a.name, a.id
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
