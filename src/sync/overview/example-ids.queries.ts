import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Account } from '../../accounts/account.entity.js';
import { suggestMerges } from '../../accounts/duplicates/merge-suggestions.js';
import type { Transaction } from '../../accounts/transactions/transaction.entity.js';
import type { Balance } from '../../balances/record/balance.entity.js';
import type { Connection } from '../../connections/connection.entity.js';
import type { SyncRun } from '../sync-run.entity.js';

/** Their entities are in a higher folder. */
interface WebhookTables {
  webhook_endpoints: { user_id: string; id: string; created_at: Date };
  webhook_deliveries: { user_id: string; id: string; number: string };
}

type Tables = WebhookTables &
  InferClassEntityDB<typeof Account | typeof Balance | typeof Connection | typeof SyncRun | typeof Transaction>;

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
    const example = await this.em
      .getKysely<Tables>()
      .selectNoFrom((eb) => {
        const own = (table: keyof Tables) => eb.selectFrom(table).select('id').where('user_id', '=', userId).limit(1);
        const openAccount = own('accounts').where('closed_on', 'is', null).orderBy('name').orderBy('id');
        return [
          openAccount.as('accounts'),
          openAccount.offset(1).as('replacement'),
          own('connections').orderBy('created_at').orderBy('id').as('connections'),
          own('sync_runs').orderBy('queued_at', 'desc').as('syncs'),
          own('transactions').orderBy('date', 'desc').as('transactions'),
          own('balances').orderBy('date', 'desc').orderBy('account_id').as('balances'),
          own('webhook_endpoints').orderBy('created_at').orderBy('id').as('webhooks'),
          own('webhook_deliveries').orderBy('number', 'desc').orderBy('id').as('deliveries'),
        ];
      })
      .executeTakeFirstOrThrow();
    const [pair] = await suggestMerges(this.em, userId);
    const suggested = pair && { disconnected: pair.disconnected.id, replacement: pair.replacement.id };
    const found = Object.entries<string | null>({ ...example, ...suggested });
    return Object.fromEntries(found.filter((entry): entry is [string, string] => entry[1] !== null));
  }
}
