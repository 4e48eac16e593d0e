import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { sql } from 'kysely';
import { pruneAuditEvents } from '../auth/audit/prune-audit-events.js';
import type { User } from '../auth/user.entity.js';
import { pruneChangeLog } from '../change-log/prune-change-log.js';
import { Config } from '../config/config.js';
import { NIL_UUID } from '../database/nil-uuid.js';
import { usingSessionsFor } from '../database/sessions/bounded-client.js';
import { ScheduledTasks } from '../schedule/scheduled-tasks.service.js';
import { DAY_MS } from '../time/calendar-date.js';
import { Clock } from '../time/clock.js';
import { pruneDeliveries } from '../webhooks/deliveries/prune-deliveries.js';
import { foldReports } from './fold-reports.js';
import { type Prune, pruneApiKeys, pruneExpired, pruneSyncRuns } from './prune-rows.js';

const TASK = 'retention';
/** In UTC. */
const EVERY_NIGHT = '41 2 * * *';
const CLAIM = '12 hours';
/** A machine that is off at night makes up for it in the day. */
const EVERY_HOUR = '11 * * * *';
const MISSED = '36 hours';
const PEOPLE_AT_A_TIME = 500;
/** After so many failures the database is at fault, and not the rows of one person. */
const MAX_FAILURES = 10;

/** Removes rows that grow with time, by the name in the log. All other rows are bounded or kept for a reason. */
const PRUNES: Readonly<Record<string, Prune>> = {
  syncs: pruneSyncRuns,
  api_keys: pruneApiKeys,
  expired: pruneExpired,
  repeated_reports: foldReports,
  change_log: pruneChangeLog,
  audit_events: pruneAuditEvents,
  webhook_deliveries: pruneDeliveries,
};

/**
 * Removes rows older than RETENTION_DAYS every night, except those that balances are derived from. One instance does it
 * for all, person by person, in short transactions.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap {
  readonly #log = new Logger('Retention');

  constructor(
    private readonly config: Config,
    private readonly scheduled: ScheduledTasks,
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.scheduled.add(TASK, EVERY_NIGHT, (_, stopping) => this.run(stopping));
    this.scheduled.add(`missed ${TASK}`, EVERY_HOUR, (_, stopping) => this.run(stopping, MISSED));
  }

  /**
   * @param stopping ends it after the current person; the next run, of any instance, continues there
   * @param pause since the last one began, or it is left out
   * @returns how many rows were removed, by name; `null`: another instance does it, or it failed or was interrupted, which is
   *   logged
   */
  async run(stopping?: AbortSignal, pause = CLAIM): Promise<Record<string, number> | null> {
    try {
      return await usingSessionsFor('background', async () => {
        const after = await this.#claim(pause);
        return after === null ? null : this.#prune(after, stopping);
      });
    } catch (error) {
      this.#log.error(`Removing old rows failed; retrying tomorrow: ${(error as Error).message}`);
      await this.#record((error as Error).message).catch(() => undefined);
      return null;
    }
  }

  /**
   * A claim that a stop has interrupted is given back. One that never finished was killed: where it was is unknown, and the
   * mark is that of the run before it. Raw here and below, because the table has no entity, and the database's clock
   * decides.
   *
   * @returns the last person of the run that was interrupted, which this one continues after; `null`: another instance does it
   */
  async #claim(pause: string): Promise<string | null> {
    const { rows } = await sql<{ interrupted_after: string | null }>`
      insert into nightly_tasks (name, started_at) values (${TASK}, now())
      on conflict (name) do update set started_at = now(), finished_at = null, problem = null,
          interrupted_after = case when nightly_tasks.finished_at is not null then nightly_tasks.interrupted_after end
        where nightly_tasks.started_at < now() - ${pause}::interval
          or (nightly_tasks.finished_at is not null and nightly_tasks.interrupted_after is not null)
      returning interrupted_after`.execute(this.em.getKysely());
    const [row] = rows;
    return row ? (row.interrupted_after ?? NIL_UUID) : null;
  }

  async #prune(after: string, stopping?: AbortSignal): Promise<Record<string, number> | null> {
    const before = new Date(this.clock.now().getTime() - this.config.retentionDays * DAY_MS);
    const removed = Object.fromEntries(Object.keys(PRUNES).map((name) => [name, 0]));
    const failures: unknown[] = [];
    let last = after;
    for await (const userId of this.#people(after)) {
      if (stopping?.aborted) return this.#interrupt(last, removed);
      await this.#pruneOf(userId, before, removed).catch((error: unknown) => {
        this.#log.warn(`Removing old rows of a person failed: ${String(error)}`);
        failures.push(error);
      });
      if (failures.length >= MAX_FAILURES) throw failures[0];
      last = userId;
    }
    if (failures.length > 0) throw failures[0];
    await this.#record(null);
    this.#log.log({ message: `Removed what is older than ${this.config.retentionDays} days.`, ...removed });
    return removed;
  }

  async #interrupt(last: string, removed: Record<string, number>): Promise<null> {
    await this.#record('The instance was stopped meanwhile.', last);
    this.#log.log({
      message: 'Stopped before all old rows were removed; the rest is removed within the hour.',
      ...removed,
    });
    return null;
  }

  async #pruneOf(userId: string, before: Date, removed: Record<string, number>): Promise<void> {
    for (const [name, prune] of Object.entries(PRUNES)) removed[name]! += await prune(this.em, userId, before);
  }

  async *#people(after: string): AsyncGenerator<string> {
    for (let last = after; ;) {
      const people = await this.em
        .getKysely<InferClassEntityDB<typeof User>>()
        .selectFrom('users')
        .select('id')
        .where('id', '>', last)
        .orderBy('id')
        .limit(PEOPLE_AT_A_TIME)
        .execute();
      for (const { id } of people) yield id;
      if (people.length < PEOPLE_AT_A_TIME) return;
      last = people.at(-1)!.id;
    }
  }

  async #record(problem: string | null, interruptedAfter: string | null = null): Promise<void> {
    await sql`
      update nightly_tasks set finished_at = now(), problem = ${problem}, interrupted_after = ${interruptedAfter}
      where name = ${TASK}
    `.execute(this.em.getKysely());
  }
}
