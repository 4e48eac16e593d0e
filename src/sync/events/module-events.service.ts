import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import pg from 'pg';
import { CHANGES_CHANNEL } from '../../database/change-log/note-changes.js';
import type { PlannedEvent } from '../../database/change-log/plan-events.js';
import { Config } from '../../platform/config/config.js';
import { DatabaseListener } from '../../database/listener.js';
import { rawRows } from '../../database/raw-rows.js';
import { type EventType, getterOf, Installed, type TidemarkModule } from '../../platform/module.js';
import { Clock } from '../../platform/time/clock.js';
import { JobQueue } from '../jobs/job-queue.js';
import { readEvents } from './read-events.js';

/** Its jobs name a module and a person; what has happened is in the log. */
export const EVENTS_QUEUE = 'module-events';
/** A notification may be lost with the process that had it. */
const SEARCH_MS = 60_000;
const OPTIONS = { retryLimit: 100, retryDelay: 5, retryBackoff: true, retryDelayMax: 3_600, expireInSeconds: 900 };

interface Subscriber {
  module: string;
  userId: string;
}

type Listening = Required<Pick<TidemarkModule, 'name' | 'on'>> & Pick<TidemarkModule, 'onlyFor'>;

/**
 * Notifies modules of what has happened. Nothing is stored when it happens: the change log has it, and each module has a cursor
 * for each person, which moves in the transaction of its handlers. A job only says that somebody is behind.
 */
@Injectable()
export class ModuleEvents implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #modules: readonly Listening[];
  #search: NodeJS.Timeout | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly config: Config,
    private readonly moduleRef: ModuleRef,
    private readonly clock: Clock,
    listener: DatabaseListener,
    installed: Installed,
  ) {
    this.#modules = installed.modules.flatMap(({ name, on, onlyFor }) => (on ? [{ name, on, onlyFor }] : []));
    if (this.#isSilent) return;
    const enqueue = (userId?: string) => void this.enqueueBehind(userId).catch(() => undefined);
    listener.subscribe(CHANGES_CHANNEL, { onMessage: enqueue, onGap: () => enqueue() });
  }

  get #isSilent(): boolean {
    return this.#modules.length === 0 || this.config.role === 'api';
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.#isSilent) return;
    await this.jobs.addQueue(EVENTS_QUEUE, OPTIONS);
    await this.jobs.work<Subscriber>(EVENTS_QUEUE, { pollingIntervalSeconds: 10 }, ({ data }, signal) =>
      this.#catchUp(data, signal),
    );
    this.#search = setInterval(() => void this.enqueueBehind().catch(() => undefined), SEARCH_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#search);
  }

  /** Adds a job for each module and person that is behind. @param userId absent: all people */
  async enqueueBehind(userId?: string): Promise<void> {
    const behind = await this.#findBehind(userId);
    const jobs = behind.map((data) => ({ singletonKey: `${data.module} ${data.userId}`, data }));
    if (jobs.length > 0) await this.em.transactional((em) => this.jobs.add(em, EVENTS_QUEUE, jobs));
  }

  /** Notifies all modules of what is due, here and now. For tests. */
  async settle(): Promise<void> {
    for (const subscriber of await this.#findBehind()) await this.#catchUp(subscriber);
  }

  #findBehind(userId?: string): Promise<Subscriber[]> {
    return rawRows<Subscriber>(
      this.em,
      `select module, known.user_id::text as "userId" from user_revisions known
       cross join unnest($1::text[]) module
       left join module_cursors heard using (user_id, module)
       where known.revision > coalesce(heard.revision, 0) and ($2::uuid is null or known.user_id = $2)
       ${this.#modules.map(isWanted).join(' ')}`,
      [this.#modules.map(({ name }) => name), userId ?? null],
    );
  }

  async #catchUp(subscriber: Subscriber, signal?: AbortSignal): Promise<void> {
    const module = this.#modules.find(({ name }) => name === subscriber.module);
    // Of a module that was taken out since.
    if (!module) return;
    while (await this.em.transactional((em) => this.#notify(em, module, subscriber.userId))) signal?.throwIfAborted();
  }

  /** @returns whether there may be more */
  async #notify(em: EntityManager, { name, on }: Listening, userId: string): Promise<boolean> {
    const [cursor] = await rawRows<{ revision: number }>(
      em,
      `insert into module_cursors as heard (user_id, module, revision) select id, $2, 0 from users where id = $1
       on conflict (user_id, module) do update set revision = heard.revision returning revision::float8 as revision`,
      [userId, name],
    );
    // The person is deleted.
    if (!cursor) return false;
    const types = new Set(Object.keys(on) as EventType[]);
    const { events, upto, isExpired } = await readEvents(em, userId, cursor.revision, types);
    if (upto === cursor.revision) return false;
    const all = isExpired ? changesOfAll(upto, this.clock.now()).filter(({ type }) => types.has(type)) : events;
    const get = getterOf(this.moduleRef);
    for (const { type, at, accountIds, subjectId } of all)
      await on[type]!({ type, userId, at, accountIds, subjectId }, get);
    await rawRows(em, `update module_cursors set revision = $3 where user_id = $1 and module = $2 returning 1`, [
      userId,
      name,
      upto,
    ]);
    return true;
  }
}

/** Most people have nothing of a module that hears of a few only: their changes are looked at here, and no more. */
function isWanted({ name, onlyFor }: Listening): string {
  if (onlyFor === undefined) return '';
  const exists = `exists (select 1 from ${pg.escapeIdentifier(onlyFor)} own where own.user_id = known.user_id)`;
  return `and (module <> ${pg.escapeLiteral(name)} or ${exists})`;
}

/** For a module that has rested for longer than the log reaches back. */
function changesOfAll(upto: number, at: Date): PlannedEvent[] {
  const types = ['balances.changed', 'transactions.changed'] as const;
  return types.map((type) => ({ type, from: upto, upto, at, accountIds: null, subjectId: null }));
}
