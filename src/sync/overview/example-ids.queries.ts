import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type ExpressionBuilder, sql } from 'kysely';
import type { Account } from '../../accounts/account.entity.js';
import { suggestMerges } from '../../accounts/duplicates/merge-suggestions.js';
import type { Transaction } from '../../accounts/transactions/transaction.entity.js';
import type { Balance } from '../../balances/record/balance.entity.js';
import type { Connection } from '../../connections/connection.entity.js';
import type { SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<
  typeof Account | typeof Balance | typeof Connection | typeof SyncRun | typeof Transaction
>;

/**
 * What the documentation can fill in for a person: an id of each kind, by the part of the path in front of it.
 * `disconnected` and `replacement` are two accounts that may be one, or at least two.
 */
export type ExampleIds = Record<string, string>;

@Injectable()
export class ExampleIdsQueries {
  constructor(private readonly em: EntityManager) {}

  /** Of a person's own records; what they do not have is left out. */
  async find(userId: string): Promise<ExampleIds> {
    const openAccounts = (eb: ExpressionBuilder<Tables, never>) =>
      eb
        .selectFrom('accounts')
        .select('id')
        .where('user_id', '=', userId)
        .where('closed_on', 'is', null)
        .orderBy('name')
        .orderBy('id')
        .limit(1);
    const example = await this.em
      .getKysely<Tables>()
      .selectNoFrom((eb) => [
        openAccounts(eb).as('accounts'),
        openAccounts(eb).offset(1).as('replacement'),
        eb
          .selectFrom('connections')
          .select('id')
          .where('user_id', '=', userId)
          .orderBy('created_at')
          .orderBy('id')
          .limit(1)
          .as('connections'),
        eb
          .selectFrom('sync_runs')
          .select('id')
          .where('user_id', '=', userId)
          .orderBy('queued_at', 'desc')
          .limit(1)
          .as('syncs'),
        eb
          .selectFrom('transactions')
          .select('id')
          .where('user_id', '=', userId)
          .orderBy('date', 'desc')
          .limit(1)
          .as('transactions'),
        eb
          .selectFrom('balances')
          .select('id')
          .where('user_id', '=', userId)
          .orderBy('date', 'desc')
          .orderBy('account_id')
          .limit(1)
          .as('balances'),
        // Raw, since the entities of webhooks are in a higher folder.
        sql<string | null>`(
          select id from webhook_endpoints where user_id = ${userId} order by created_at, id limit 1
        )`.as('webhooks'),
        sql<string | null>`(
          select id from webhook_deliveries where user_id = ${userId} order by number desc, id limit 1
        )`.as('deliveries'),
      ])
      .executeTakeFirstOrThrow();
    const [pair] = await suggestMerges(this.em, userId);
    const suggested = pair && { disconnected: pair.disconnected.id, replacement: pair.replacement.id };
    const found = Object.entries<string | null>({ ...example, ...suggested });
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}
