import { StartupError } from './config/startup-error.js';
import { requireNode } from './config/version.js';
import { unlessAborted } from './time/abort-scope.js';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
/**
 * npm and a process group deliver one signal twice within milliseconds. A later one means that the stop must be faster.
 */
const REPEATED_SIGNAL_MS = 2_000;
const STOP_TIMEOUT_MS = 45_000;
/** For a fast stop, which still shuts the embedded PostgreSQL down. */
const FORCED_STOP_MS = 5_000;

/** @param forced aborted when the stop must be fast */
type Closer = (forced: AbortSignal) => Promise<void>;

/**
 * One run of the program, from its entry point to its exit code. It closes what was opened, newest first, after a
 * signal, a failed start, or the end of its work.
 */
export class Lifecycle {
  readonly #stopping = new AbortController();
  readonly #forced = new AbortController();
  readonly #closers: Closer[] = [];
  #stopTimeoutMs = STOP_TIMEOUT_MS;
  #exitCode = 0;
  #work: Promise<void> = Promise.resolve();
  #limit: NodeJS.Timeout | undefined;
  #exiting: Promise<never> | undefined;

  private constructor(private readonly interruptedCode: number) {}

  /**
   * Runs an entry point. A StartupError is shown as one sentence, any other error with its stack.
   *
   * @param start returns an exit code when its work is done, or nothing if it has started a server
   * @param interruptedCode the exit code after a stop by a signal
   */
  static async run(start: (lifecycle: Lifecycle) => Promise<number | void>, interruptedCode = 0): Promise<void> {
    const lifecycle = new Lifecycle(interruptedCode);
    let firstSignalMs: number | null = null;
    const onSignal = () => {
      if (firstSignalMs === null) {
        firstSignalMs = performance.now();
        void lifecycle.#stop();
      } else if (performance.now() - firstSignalMs > REPEATED_SIGNAL_MS) {
        lifecycle.#force('Second signal to stop: not waiting for work under way.');
      }
    };
    for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
    // Without a listener the process would end at once when nobody reads what it writes, as after `npm start | head`.
    for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);
    lifecycle.#work = lifecycle.#runToEnd(start);
    await lifecycle.#work;
  }

  /** Aborted when the process must stop. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** @param waitMs intended wait, in addition to the timeout of the stop */
  onStop(close: Closer, waitMs = 0): void {
    this.#closers.push(close);
    this.#stopTimeoutMs += waitMs;
  }

  /** The result of work, or a rejection as soon as the process must stop. */
  unlessStopping<T>(work: Promise<T>): Promise<T> {
    return unlessAborted(this.stopping, work);
  }

  /** Stops the process as a signal does. */
  stop(): void {
    void this.#stop();
  }

  /** Stops the process fast because of an error. */
  fail(error: Error): void {
    report(error);
    this.#force();
    void this.#stop();
  }

  async #runToEnd(start: (lifecycle: Lifecycle) => Promise<number | void>): Promise<void> {
    try {
      requireNode();
      const code = await start(this);
      if (typeof code === 'number') await this.#exit(code);
    } catch (error) {
      // Aborted by the stop.
      if (this.stopping.aborted) return;
      report(error as Error);
      await this.#exit(error instanceof StartupError ? error.exitCode : 1);
    }
  }

  async #stop(): Promise<void> {
    if (this.stopping.aborted) return;
    this.#stopping.abort();
    this.#limitStop();
    await Promise.race([this.#work, whenAborted(this.#forced.signal)]);
    await this.#exit(this.interruptedCode);
  }

  /** A stop that must be faster waits for the one under way. */
  #exit(code: number): Promise<never> {
    return (this.#exiting ??= this.#closeAndExit(code));
  }

  async #closeAndExit(code: number): Promise<never> {
    this.#limitStop();
    for (const close of this.#closers.splice(0).reverse()) {
      await close(this.#forced.signal).catch((error: Error) => {
        report(error);
        this.#exitCode = 1;
      });
    }
    process.exit(this.#exitCode || code);
  }

  #limitStop(): void {
    if (this.#limit) return;
    const seconds = this.#stopTimeoutMs / 1_000;
    this.#limit = setTimeout(() => this.#force(`The stop took longer than ${seconds} s.`), this.#stopTimeoutMs);
  }

  #force(reason?: string): void {
    if (this.#forced.signal.aborted) return;
    if (reason) process.stderr.write(`${reason}\n`);
    this.#exitCode = 1;
    this.#forced.abort();
    setTimeout(() => process.exit(1), FORCED_STOP_MS);
  }
}

export function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function report(error: Error): void {
  process.stderr.write(`${error instanceof StartupError ? error.message : (error.stack ?? String(error))}\n`);
}
