import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Account } from '../../accounts/account.entity.js';
import { Connection } from '../../connections/connection.entity.js';
import { uniquePairs } from '../matching/match-accounts.js';

/** A disconnected account, and a newer one that looks like it. */
export interface MergeSuggestion {
  disconnected: Account;
  replacement: Account;
}

/** Finds pairs that are probably one account, which the provider now lists under another id. */
export async function suggestMerges(em: EntityManager, userId: string): Promise<MergeSuggestion[]> {
  const accounts = await em.find(Account, { userId }, { orderBy: { name: 'asc', id: 'asc' } });
  const connections = await em.find(Connection, { userId }, { fields: ['status'] });
  const working = new Set(connections.filter(({ status }) => status === 'active').map(({ id }) => id));
  const listed = accounts.filter((account) => isListed(account, working));
  const disconnected = accounts.filter((account) => !isListed(account, working));
  if (disconnected.length === 0 || listed.length === 0) return [];
  const separatePairs = await listSeparatePairs(em, userId);
  const mayPair = (a: Account, b: Account) => a.createdAt < b.createdAt && !separatePairs.has(`${a.id} ${b.id}`);
  return uniquePairs(disconnected, listed, mayPair).map(([disconnected, replacement]) => ({
    disconnected,
    replacement,
  }));
}

/** Whether an active connection lists the account. */
export function isListed({ connectionId, status }: Account, workingConnectionIds: ReadonlySet<string>): boolean {
  return connectionId !== null && workingConnectionIds.has(connectionId) && status === 'active';
}

async function listSeparatePairs(em: EntityManager, userId: string): Promise<Set<string>> {
  const { rows } = await sql<{ pair: string }>`
    select account_id || ' ' || other_account_id as pair from accounts_kept_apart where user_id = ${userId}
  `.execute(em.getKysely());
  return new Set(rows.map(({ pair }) => pair));
}
