import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Account } from '../../balances/accounts/account.entity.js';
import { atOneMoment } from '../../database/one-moment.js';
import { reader } from '../../database/reader.js';
import { ProviderRegistry, UnknownProviderError } from '../../providers/provider-registry.js';
import { offsetOf } from '../../http/pagination/page.js';
import { Clock } from '../../platform/time/clock.js';
import { Connection } from '../connections/connection.entity.js';
import { type MergeSuggestion, suggestMerges } from '../../balances/accounts/duplicates/merge-suggestions.js';
import { DeletedAccount } from '../ingest/delete-account/deleted-account.entity.js';
import { type BudgetState, budgetState, requestsOfDay } from '../connections/request-budget.service.js';
import { NEWEST_FIRST, OPEN, type SyncProblem, SyncRun, type SyncStatus } from '../sync-run.entity.js';

/** A connection with everything that its page shows. */
export interface ConnectionView {
  connection: Connection;
  /** The newest run; `null`: there was none. */
  latest: SyncRun | null;
  /** Of the newest run that ended by itself; or that the provider is not installed. */
  problems: readonly SyncProblem[];
  accounts: Account[];
  budget: BudgetState;
  /** Merge suggestions that concern an account of this connection. */
  offers: MergeSuggestion[];
  /** Accounts that a person deleted: syncs leave them out. */
  deleted: DeletedAccount[];
  /** When all this was read. */
  at: Date;
}

/**
 * Reads connections together with what belongs to them, so that a sync which ends meanwhile is seen whole or not at all: a
 * few statements, however many connections.
 */
@Injectable()
export class ConnectionOverviewQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly providers: ProviderRegistry,
    private readonly clock: Clock,
  ) {}

  /** Oldest first. */
  async list(
    userId: string,
    page: { page: number; per_page: number },
  ): Promise<{ rows: ConnectionView[]; totalCount: number }> {
    return atOneMoment(this.em, async (em) => {
      const [connections, totalCount] = await em.findAndCount(
        Connection,
        { userId },
        { orderBy: { createdAt: 'asc', id: 'asc' }, limit: page.per_page, offset: offsetOf(page) },
      );
      return { rows: await this.#view(em, userId, connections), totalCount };
    });
  }

  /** @returns `null`: unknown, or of another person */
  async find(userId: string, id: string): Promise<ConnectionView | null> {
    return atOneMoment(this.em, async (em) => {
      const connection = await em.findOne(Connection, { userId, id });
      return connection && (await this.#view(em, userId, [connection]))[0]!;
    });
  }

  /** How many syncs of the person are under way. */
  countOpenRuns(userId: string): Promise<number> {
    return reader(this.em).count(SyncRun, { userId, ...OPEN });
  }

  /** The connection alone. @returns `null`: unknown, or of another person */
  get(userId: string, id: string): Promise<Connection | null> {
    return reader(this.em).findOne(Connection, { userId, id });
  }

  /** Reads in the transaction of the caller. */
  async findByIds(userId: string, ids: readonly string[]): Promise<ConnectionView[]> {
    const connections = await this.em.find(Connection, { userId, id: { $in: [...ids] } }, { orderBy: { id: 'asc' } });
    return this.#view(this.em, userId, connections);
  }

  async #view(em: EntityManager, userId: string, connections: Connection[]): Promise<ConnectionView[]> {
    const at = this.clock.now();
    const ids = connections.map(({ id }) => id);
    const runs = await newestRuns(em, userId, ids);
    const accounts = await em.find(Account, { userId, connectionId: { $in: ids } }, { orderBy: { name: 'asc' } });
    const offers = await suggestMerges(em, userId);
    const deleted = await em.find(
      DeletedAccount,
      { userId, connectionId: { $in: ids } },
      { orderBy: { name: 'asc', accountId: 'asc' } },
    );
    const requests = await requestsOfDay(em, userId, ids, at);
    return connections.map((connection) => {
      const { id } = connection;
      const installed = this.providers.find(connection.provider);
      const ownRuns = runs.filter(({ connectionId }) => connectionId === id);
      return {
        connection,
        at,
        latest: ownRuns[0] ?? null,
        problems: installed ? (ownRuns.find(hasEnded)?.problems ?? []) : [unknownProvider(connection)],
        accounts: accounts.filter(({ connectionId }) => connectionId === id),
        offers: offers.filter(
          ({ disconnected, replacement }) => disconnected.connectionId === id || replacement.connectionId === id,
        ),
        deleted: deleted.filter(({ connectionId }) => connectionId === id),
        budget: budgetState(requests.get(id)!, installed?.descriptor.requestLimit ?? null),
      };
    });
  }
}

function unknownProvider({ provider }: Connection): SyncProblem {
  const { message } = new UnknownProviderError(provider);
  return { kind: 'unknown_provider', message, accountId: null, accountExternalId: null };
}

const ENDED: readonly SyncStatus[] = ['succeeded', 'partial', 'failed'];

/** Cancelled runs report no problems. */
function hasEnded({ status }: SyncRun): boolean {
  return ENDED.includes(status);
}

/** The newest run of each connection, and its newest one that ended by itself; newest first. */
async function newestRuns(em: EntityManager, userId: string, connectionIds: string[]): Promise<SyncRun[]> {
  const rows = await em
    .getKysely<InferClassEntityDB<typeof SyncRun>>()
    .selectFrom((from) =>
      from
        .selectFrom('sync_runs')
        .select((eb) => ['id', 'connection_id', 'queued_at', 'event_id', eb('status', 'in', ENDED).as('has_ended')])
        .where('user_id', '=', userId)
        .where((eb) => eb('connection_id', '=', eb.fn.any(eb.val(connectionIds))))
        .as('run'),
    )
    .distinctOn(['connection_id', 'has_ended'])
    .select('id')
    .orderBy('connection_id')
    .orderBy('has_ended')
    .orderBy('queued_at', 'desc')
    .orderBy('event_id', 'desc')
    .orderBy('id')
    .execute();
  const ids = rows.map(({ id }) => id);
  return em.find(SyncRun, { userId, id: { $in: ids } }, { orderBy: NEWEST_FIRST });
}
