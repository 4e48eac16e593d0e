import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Account } from '../../accounts/account.entity.js';
import { Connection } from '../../connections/connection.entity.js';
import { uniquePairs } from '../matching/match-accounts.js';

/** An account that is gone, and one that came later and looks like it. */
export interface RelinkOffer {
  gone: Account;
  here: Account;
}

/** What a person is offered: pairs that are probably one account, listed anew by the provider under another id. */
export async function relinkOffers(em: EntityManager, userId: string): Promise<RelinkOffer[]> {
  const accounts = await em.find(Account, { userId }, { orderBy: { name: 'asc', id: 'asc' } });
  const connections = await em.find(Connection, { userId }, { fields: ['status'] });
  const working = new Set(connections.filter(({ status }) => status === 'active').map(({ id }) => id));
  const here = accounts.filter((account) => isListed(account, working));
  const gone = accounts.filter((account) => !isListed(account, working));
  if (gone.length === 0 || here.length === 0) return [];
  const keptApart = await pairsKeptApart(em, userId);
  const mayPair = (a: Account, b: Account) => a.createdAt < b.createdAt && !keptApart.has(`${a.id} ${b.id}`);
  return uniquePairs(gone, here, mayPair).map(([gone, here]) => ({ gone, here }));
}

/** Whether a connection that works brings the account. */
export function isListed({ connectionId, status }: Account, workingConnectionIds: ReadonlySet<string>): boolean {
  return connectionId !== null && workingConnectionIds.has(connectionId) && status === 'active';
}

async function pairsKeptApart(em: EntityManager, userId: string): Promise<Set<string>> {
  const { rows } = await sql<{ pair: string }>`
    select account_id || ' ' || other_account_id as pair from accounts_kept_apart where user_id = ${userId}
  `.execute(em.getKysely());
  return new Set(rows.map(({ pair }) => pair));
}
