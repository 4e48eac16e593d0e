import { EntityManager, LockMode } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Account } from '../../accounts/account.entity.js';
import { ApiError, recordNotFound, validationFailed } from '../../http/errors/api-error.js';
import { deriveAccountHistory } from '../../balances/history/derive-account-history.js';
import { usingSessionsFor } from '../../database/sessions/session-limits.js';
import type { CalendarDate } from '../../time/calendar-date.js';
import { Clock } from '../../time/clock.js';
import { Connection } from '../../connections/connection.entity.js';
import { mergeFacts, takeOver } from './merge-transactions.js';
import { isListed } from './merge-suggestions.js';

/** An account, and the other one that it is said to be or not to be. */
export interface Pair {
  accountId: string;
  otherId: string;
}

/** Makes one account of two when a person says that they are one, and never otherwise. */
@Injectable()
export class MergeAccountsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * An account that its provider does not list any more continues as another one that is listed: it keeps its id, what
   * a person chose and its history, takes over what came for the other one, and is synced from now on. The other one
   * ceases to be. Of several pairs all are relinked or none.
   *
   * @param today where the person is
   * @throws ApiError `record_not_found`, `validation_failed`; `conflict` when not exactly the other one is listed
   */
  async relink(userId: string, pairs: readonly Pair[], today: CalendarDate): Promise<void> {
    const relinkAll = async (em: EntityManager) => {
      const working = await holdConnections(em, userId);
      await lockAccounts(em, userId, pairs);
      for (const pair of pairs) {
        const { account, other } = await findBoth(em, userId, pair, { lockMode: LockMode.PESSIMISTIC_WRITE });
        checkOne(account, other, working);
        await mergeFacts(em, account, other);
        // Its place at the connection must be free before it is taken.
        await em.nativeDelete(Account, { userId, id: other.id });
        takeOver(account, other);
        account.updatedAt = this.clock.now();
        await em.flush();
        await deriveAccountHistory(em, account, today);
      }
    };
    await usingSessionsFor('background', () => this.em.fork().transactional(relinkAll));
  }

  /** Remembers that two accounts are two, so that relinking them is not offered again. */
  async keepApart(userId: string, pair: Pair): Promise<void> {
    const em = this.em.fork();
    const { account, other } = await findBoth(em, userId, pair);
    await sql`
      insert into accounts_kept_apart (user_id, account_id, other_account_id)
      values (${userId}, ${account.id}, ${other.id}) on conflict do nothing
    `.execute(em.getKysely());
  }
}

/**
 * Holds all connections of a person until the transaction ends, so that no account is being written meanwhile.
 *
 * @returns those that work
 */
async function holdConnections(em: EntityManager, userId: string): Promise<Set<string>> {
  const { rows } = await sql<Pick<Connection, 'id' | 'status'>>`
    select id, status from connections where user_id = ${userId} order by id for no key update
  `.execute(em.getKysely());
  return new Set(rows.filter(({ status }) => status === 'active').map(({ id }) => id));
}

/** @throws ApiError when they cannot be one account */
function checkOne(account: Account, other: Account, working: ReadonlySet<string>): void {
  if (isListed(account, working)) throw new ApiError('conflict', `“${account.name}” is still listed: they are two.`);
  if (!isListed(other, working)) throw new ApiError('conflict', `“${other.name}” is not listed by any provider.`);
  if (account.currency !== other.currency) throw validationFailed(['account_id must be of the same currency']);
}

/** The accounts of all pairs before anything of the first one is written. */
async function lockAccounts(em: EntityManager, userId: string, pairs: readonly Pair[]): Promise<void> {
  const ids = pairs.flatMap(({ accountId, otherId }) => [accountId, otherId]);
  await sql`
    select from accounts where user_id = ${userId} and id = any(${ids}::uuid[]) order by id for update
  `.execute(em.getKysely());
}

async function findBoth(
  em: EntityManager,
  userId: string,
  { accountId, otherId }: Pair,
  held: { lockMode?: LockMode } = {},
) {
  const account = await em.findOne(Account, { userId, id: accountId }, held);
  if (!account) throw recordNotFound('account');
  const other = await em.findOne(Account, { userId, id: otherId }, held);
  if (!other || other === account) throw validationFailed(['account_id must be the id of another account of yours']);
  return { account, other };
}
