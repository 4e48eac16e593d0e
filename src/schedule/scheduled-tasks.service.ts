import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { SchedulerRegistry } from '@nestjs/schedule';
import { CronJob } from 'cron';
import { Config } from '../config/config.js';
import { ClockCheck } from '../database/clock-check.service.js';
import { DrainService } from '../http/drain.service.js';
import { Clock } from '../time/clock.js';
import { nextTick } from '../time/cron-ticks.js';

/**
 * @param untilNextTickMs how long it is until this instance, and any other with the same setting, does it again
 * @param stopping aborted when the instance stops: it waits for the task to end
 */
type ScheduledTask = (untilNextTickMs: number, stopping: AbortSignal) => Promise<unknown>;

/**
 * Scheduled work of an instance, unless its ROLE is `api`. A tick that comes while the one before is at work is left
 * out, and so is one while the clock is wrong. When the instance drains nothing begins any more; what is under way ends
 * before the database goes away.
 */
@Injectable()
export class ScheduledTasks implements BeforeApplicationShutdown {
  readonly #log = new Logger('Schedule');
  readonly #stopping = new AbortController();
  readonly #jobs: CronJob[] = [];

  constructor(
    private readonly config: Config,
    private readonly registry: SchedulerRegistry,
    private readonly drain: DrainService,
    private readonly clock: Clock,
    private readonly clockCheck: ClockCheck,
  ) {}

  /** @param cronTime in UTC */
  add(name: string, cronTime: string, task: ScheduledTask): void {
    if (this.config.role === 'api') return;
    const job = CronJob.from({
      name,
      cronTime,
      timeZone: 'UTC',
      waitForCompletion: true,
      onTick: async () => {
        if (this.clockCheck.problem) return;
        const now = this.clock.now();
        try {
          await task(nextTick(cronTime, now).getTime() - now.getTime(), this.#stopping.signal);
        } catch (error) {
          if (this.#stopping.signal.aborted) return;
          // The scheduler would print the whole error, with the rows that the driver quotes.
          this.#log.warn(`The scheduled task “${name}” failed; retrying at its next tick: ${(error as Error).message}`);
        }
      },
    });
    this.registry.addCronJob(name, job);
    this.#jobs.push(job);
    job.start();
    this.drain.begun.addEventListener('abort', () => void job.stop());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping.abort();
    for (const job of this.#jobs) await job.stop();
  }
}
