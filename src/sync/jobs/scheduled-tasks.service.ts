import { hash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { Config } from '../../platform/config/config.js';
import { DrainService } from '../../http/drain.service.js';
import { getterOf, Installed, type Task } from '../../platform/module.js';
import { Clock } from '../../platform/time/clock.js';
import { lastTick } from '../../platform/time/cron-ticks.js';
import { JobQueue } from './job-queue.js';

/** A timer may fire so early. */
const EARLY_MS = 500;
const DAY_SECONDS = 24 * 60 * 60;
const OPTIONS = {
  retryLimit: 3,
  retryDelay: 60,
  retryBackoff: true,
  expireInSeconds: 12 * 60 * 60,
  /** How long one can look up how a task went. */
  deleteAfterSeconds: 400 * DAY_SECONDS,
};
const POLL_SECONDS = 10;

/**
 * Work at certain times. A tick of any instance adds a job, and one instance does it. The job has an id that follows from
 * the tick, so that the tick of another instance, however late, adds none.
 */
@Injectable()
export class ScheduledTasks implements OnApplicationBootstrap {
  readonly #log = new Logger('Schedule');

  constructor(
    private readonly config: Config,
    private readonly registry: SchedulerRegistry,
    private readonly drain: DrainService,
    private readonly clock: Clock,
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly installed: Installed,
    private readonly moduleRef: ModuleRef,
  ) {}

  /** Adds the tasks of all parts. */
  async onApplicationBootstrap(): Promise<void> {
    const get = getterOf(this.moduleRef);
    for (const { name, cron, isDaily, run } of this.installed.parts.flatMap(({ tasks = [] }) => tasks)) {
      const cronTime = cron(this.config);
      if (cronTime !== null) await this.add(name, cronTime, (stopping) => run(get, stopping), { isDaily });
    }
  }

  /**
   * @param cronTime in UTC
   * @param task gets a signal that aborts when the instance stops; the job is then done again. What it returns is stored
   * @param isDaily whether the first tick of a day does it for the day, and the others only if that one was missed
   */
  async add(
    name: string,
    cronTime: string,
    task: (stopping: AbortSignal) => Promise<unknown>,
    { isDaily = false }: Pick<Task, 'isDaily'> = {},
  ): Promise<void> {
    await this.jobs.addQueue(name, OPTIONS);
    if (this.config.role === 'api' || !this.config.hasSchedule) return;
    await this.jobs.work(name, { pollingIntervalSeconds: POLL_SECONDS }, (_, signal) => task(signal));
    const tick = CronJob.from({
      name,
      cronTime,
      timeZone: 'UTC',
      onTick: async () => {
        const planned = lastTick(cronTime, new Date(this.clock.now().getTime() + EARLY_MS)).toISOString();
        await this.#enqueue(name, isDaily ? planned.slice(0, 10) : planned);
      },
    });
    this.registry.addCronJob(name, tick);
    tick.start();
    this.drain.begun.addEventListener('abort', () => void tick.stop());
  }

  async #enqueue(name: string, moment: string): Promise<void> {
    try {
      const job = { id: hash('sha256', `${name} ${moment}`).slice(0, 32), singletonKey: name };
      await this.em.transactional((em) => this.jobs.add(em, name, [job]));
    } catch (error) {
      this.#log.warn(`The tick of “${name}” could not be stored: ${(error as Error).message}`);
    }
  }
}
