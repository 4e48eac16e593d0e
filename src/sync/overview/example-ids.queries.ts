import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import pg from 'pg';
import { reader } from '../../database/reader.js';
import { rawRows } from '../../database/raw-rows.js';
import { Installed } from '../../platform/module.js';
import { Account, OWN } from '../../balances/accounts/account.entity.js';
import { suggestMerges } from '../../balances/accounts/duplicates/merge-suggestions.js';
import { StatedBalance } from '../../balances/own-knowledge/own-knowledge.entities.js';
import type { Transaction } from '../../balances/transactions/transaction.entity.js';
import type { Balance } from '../../balances/record/balance.entity.js';
import type { Connection } from '../connections/connection.entity.js';
import type { SyncRun } from '../sync-run.entity.js';

type Tables = InferClassEntityDB<
  typeof Account | typeof Balance | typeof Connection | typeof SyncRun | typeof Transaction
>;

/**
 * What the documentation can fill in for a person: an id of each kind, by the part of the path in front of it. For what is
 * done with two accounts, by the path from there: both, and others for each, so that one can be tried after the other.
 */
export type ExampleIds = Record<string, readonly string[]>;

@Injectable()
export class ExampleIdsQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly installed: Installed,
  ) {}

  /** Of a person's own records; what they do not have is left out. */
  async find(userId: string): Promise<ExampleIds> {
    const kysely = this.em.getKysely<Tables>();
    const found = await kysely
      .selectNoFrom((eb) => {
        const own = (table: keyof Tables) => eb.selectFrom(table).select('id').where('user_id', '=', userId).limit(1);
        return [
          own('connections').orderBy('created_at').orderBy('id').as('connections'),
          own('sync_runs').orderBy('queued_at', 'desc').as('syncs'),
          own('transactions').orderBy('date', 'desc').as('transactions'),
          own('balances').orderBy('date', 'desc').orderBy('account_id').as('balances'),
        ];
      })
      .executeTakeFirstOrThrow();
    const accounts = await kysely
      .selectFrom('accounts')
      .select('id')
      .where('user_id', '=', userId)
      .where('closed_on', 'is', null)
      .orderBy('name')
      .orderBy('id')
      .limit(4)
      .execute();
    const [pair] = await suggestMerges(this.em, userId);
    const merge = pair ? [pair.disconnected.id, pair.replacement.id] : [];
    const kept = [...accounts.map(({ id }) => id).filter((id) => !merge.includes(id)), ...merge.slice(0, 1)];
    const ids = Object.entries<string | null>({
      ...found,
      ...(await this.#ofModules(userId)),
      accounts: kept[0] ?? null,
    });
    return {
      ...Object.fromEntries(ids.flatMap(([kind, id]) => (id === null ? [] : [[kind, [id]]]))),
      ...(await this.#stated(userId)),
      'accounts/merge': merge,
      'accounts/keep_separate': kept.length > 1 ? kept.slice(0, 2) : [],
    };
  }

  /** An account by hand, and the newest balance that the person states. */
  async #stated(userId: string): Promise<ExampleIds> {
    const em = reader(this.em);
    const [own] = await em.find(
      Account,
      { userId, provider: OWN, closedOn: null },
      { orderBy: { id: 'asc' }, limit: 1 },
    );
    const newest = { orderBy: { createdAt: 'desc', id: 'asc' }, limit: 1 } as const;
    const [stated] = await em.find(StatedBalance, { userId }, newest);
    return {
      'accounts/values': own ? [own.id] : [],
      ...(stated && { 'accounts/statements': [stated.accountId], statement_id: [stated.id] }),
    };
  }

  async #ofModules(userId: string): Promise<Record<string, string | null>> {
    const found: Record<string, string | null> = {};
    for (const { table, path } of this.installed.modules.flatMap(({ personalData = [] }) => personalData)) {
      if (path === undefined) continue;
      const newest = `select id from ${pg.escapeIdentifier(table)} where user_id = $1 order by created_at desc, id limit 1`;
      found[path] = (await rawRows<{ id: string }>(this.em, newest, [userId]))[0]?.id ?? null;
    }
    return found;
  }
}
