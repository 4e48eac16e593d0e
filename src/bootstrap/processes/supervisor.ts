import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { StartupError } from '../../config/startup-error.js';
import { addUpMetrics } from '../../observability/metrics/all-processes.js';
import { type Lifecycle, whenAborted } from '../lifecycle.js';
import { addressIn, LEAVE } from './messages.js';

/** Asks for new processes in place of the running ones, one after the other. */
export const REPLACE_SIGNAL = 'SIGUSR2';
/** Delays before the attempts to start a process in place of one that died. */
const RESTART_DELAYS_MS = [100, 1_000, 5_000, 30_000];
/** A process that served for so long had a good start: the delays begin anew. */
const HEALTHY_MS = 60_000;
const LOG_CONTEXT = 'Processes';

/**
 * Serves with several processes behind one port, so that requests and syncs use several cores. Each is an instance as it
 * would be on a machine of its own; this process only starts them, replaces those that die, and stops them. They
 * accept connections from one queue of the kernel. With Node.js' own turns, a process that is killed would leave
 * connections behind in this one, which nobody reads.
 */
export class Supervisor {
  readonly #serving = new Set<Worker>();
  /** Processes that were told to stop, whose exit is expected. */
  readonly #leaving = new Set<Worker>();
  #isBusy = true;

  constructor(
    private readonly config: Config,
    private readonly log: LoggerService,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Resolves when all processes serve.
   *
   * @returns the address they share
   * @throws StartupError when one does not start; it has said why itself. The others wait for the first one, which
   *   migrates the database
   */
  async start(): Promise<string> {
    this.lifecycle.onStop((forced) => this.#stopAll(forced), this.config.shutdownDrainMs);
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    addUpMetrics(this.#serving);
    const address = await this.lifecycle.unlessStopping(this.#startOne());
    const others = Array.from({ length: this.config.webConcurrency - 1 }, () => this.#startOne());
    await this.lifecycle.unlessStopping(Promise.all(others));
    this.#isBusy = false;
    return address;
  }

  /**
   * Resolves with the address when it serves.
   *
   * @param deaths how many before it died young in its place
   */
  #startOne(deaths = 0): Promise<string> {
    const worker = cluster.fork();
    return new Promise((resolve, reject) => {
      worker.on('message', (message) => {
        const address = addressIn(message);
        if (address === null) return;
        this.#serving.add(worker);
        const since = performance.now();
        worker.once('exit', (code, signal) => {
          this.#serving.delete(worker);
          if (this.#leaving.delete(worker)) return;
          const isYoung = performance.now() - since < HEALTHY_MS;
          void this.#restart(`A process died (${signal || `exit ${code}`}).`, isYoung ? deaths : 0);
        });
        resolve(address);
      });
      worker.once('exit', (code: number) => reject(new ProcessNotStartedError(code)));
      // Without a listener the supervisor would end, and all processes with it.
      worker.on('error', ({ code }: NodeJS.ErrnoException) => {
        reject(new StartupError(`A process could not be started (${code}).`));
      });
    });
  }

  async #restart(reason: string, deaths: number): Promise<void> {
    const { stopping } = this.lifecycle;
    let why = reason;
    for (let attempt = deaths; ; attempt++) {
      const delayMs = RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)]!;
      this.log.error(
        `${why} Starting another in ${delayMs / 1_000} s; ${this.#serving.size} still serve.`,
        LOG_CONTEXT,
      );
      await wait(delayMs, undefined, { signal: stopping }).catch(() => undefined);
      if (stopping.aborted) return;
      const hasStarted = await this.#startOne(attempt + 1).then(
        () => true,
        () => false,
      );
      if (hasStarted) {
        this.log.log('A new process has replaced the one that died.', LOG_CONTEXT);
        return;
      }
      why = 'It did not start.';
    }
  }

  /** The new one serves before the old one leaves, so that no request is refused. */
  async replaceAll(): Promise<void> {
    if (this.#isBusy) {
      this.log.warn('The processes are being started or replaced already.', LOG_CONTEXT);
      return;
    }
    this.#isBusy = true;
    let replaced = 0;
    try {
      for (const old of [...this.#serving]) {
        this.lifecycle.stopping.throwIfAborted();
        if (!this.#serving.has(old)) continue;
        await this.#startInPlaceOf(old);
        await this.#leave(old);
        replaced++;
      }
      this.log.log(`Replaced ${replaced} processes.`, LOG_CONTEXT);
    } catch (error) {
      if (this.lifecycle.stopping.aborted) return;
      this.log.error(
        `Replaced ${replaced} processes; the others keep serving. ${(error as Error).message}`,
        LOG_CONTEXT,
      );
    } finally {
      this.#isBusy = false;
    }
  }

  /** If it dies meanwhile, it gets no other one in its place, unless this one does not start. */
  async #startInPlaceOf(old: Worker): Promise<void> {
    this.#leaving.add(old);
    try {
      await this.#startOne();
    } catch (error) {
      const isOver = this.#leaving.delete(old) || this.lifecycle.stopping.aborted;
      if (!isOver) void this.#restart('A process died while it was being replaced.', 0);
      throw error;
    }
  }

  async #leave(worker: Worker): Promise<void> {
    if (worker.isDead()) return;
    const ended = exitOf(worker);
    worker.send(LEAVE, () => undefined);
    await ended;
  }

  async #stopAll(forced: AbortSignal): Promise<void> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    const stopEach = () => {
      for (const worker of workers) if (!worker.isDead()) worker.process.kill('SIGTERM');
    };
    for (const worker of workers) this.#leaving.add(worker);
    stopEach();
    void whenAborted(forced).then(stopEach);
    await Promise.all(workers.filter((worker) => !worker.isDead()).map(exitOf));
  }
}

/** The process has said why by itself. */
class ProcessNotStartedError extends StartupError {
  constructor(code: number) {
    super('A process did not start.', code || 1);
  }
}

function exitOf(worker: Worker): Promise<void> {
  return new Promise((resolve) => worker.once('exit', () => resolve()));
}
