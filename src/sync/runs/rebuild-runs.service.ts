import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Account } from '../../balances/accounts/account.entity.js';
import { HistoryRebuildService, type RebuiltHistories } from '../../balances/history/history-rebuild.service.js';
import type { Connection } from '../connections/connection.entity.js';
import { Clock } from '../../platform/time/clock.js';
import { noteEndedRuns } from '../events/run-events.js';
import { SyncRun } from '../sync-run.entity.js';

/** Rebuilds histories, and lists for each connection a run that says what was written. */
@Injectable()
export class RebuildRunsService {
  constructor(
    private readonly em: EntityManager,
    private readonly rebuild: HistoryRebuildService,
    private readonly clock: Clock,
  ) {}

  /** @param accountId one account; `null`: every account of everybody */
  async run(accountId: string | null): Promise<RebuiltHistories> {
    const startedAt = this.clock.now();
    const runs = new Map<string, SyncRun>();
    const result = await this.rebuild.run(accountId, (account, written) => {
      const { connectionId } = account;
      if (!connectionId) return;
      const run = runs.get(connectionId) ?? this.#begin(account, startedAt);
      runs.set(connectionId, run);
      const { id, externalId, name } = account;
      const balancesWritten = typeof written === 'number' ? written : 0;
      if (written instanceof Error) {
        const { message } = written;
        run.status = 'partial';
        run.problems.push({ kind: 'account_failed', message, accountId: id, accountExternalId: externalId });
      }
      const unasked = { fetched: 0, added: 0, updated: 0, removed: 0 };
      run.accounts.push({ externalId, accountId: id, name, ...unasked, balancesWritten });
      run.balancesWritten += balancesWritten;
      run.accountsDone = run.accountsTotal = run.accounts.length;
    });
    const finishedAt = this.clock.now();
    for (const run of runs.values()) await this.#store(Object.assign(run, { finishedAt }));
    return result;
  }

  #begin({ userId, connectionId }: Account, startedAt: Date): SyncRun {
    return Object.assign(new SyncRun(), {
      userId,
      id: randomUUID(),
      connectionId,
      trigger: 'rebuild',
      status: 'succeeded',
      step: 'done',
      queuedAt: startedAt,
      startedAt,
    });
  }

  /** Leaves out the run of a connection that was removed meanwhile. Locked, so that it is not removed until then. */
  async #store(run: SyncRun): Promise<void> {
    await this.em.transactional(async (em) => {
      const locked = await em
        .getKysely<InferClassEntityDB<typeof Connection>>()
        .selectFrom('connections')
        .select('id')
        .where('user_id', '=', run.userId)
        .where('id', '=', run.connectionId!)
        .forKeyShare()
        .executeTakeFirst();
      if (!locked) return;
      await em.persist(run).flush();
      noteEndedRuns([run]);
    });
  }
}
