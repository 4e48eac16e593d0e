import { Logger } from '@nestjs/common';
import { setTimeout as wait } from 'node:timers/promises';
import { StartupError } from '../../config/startup-error.js';
import { DATABASE, ensureRunning, openLease } from './ensure-running.js';
import { findInstallation, type Installation } from './installation.js';
import type { Lease } from './lease.js';
import { readPostmasterPid } from './postmaster-pid.js';
import { stopServer } from './server.js';

/** Delays before the attempts to restart a dead server. */
const RESTART_DELAYS_MS = [100, 250, 500, 1_000, 2_000, 4_000, 8_000];
/** After so long the attempts count from zero again. */
const HEALTHY_MS = 60_000;

const NEVER = new AbortController().signal;

interface EmbeddedOptions {
  dataDir: string;
  /** `false` only for test data. */
  durable: boolean;
  /** Aborts the start. */
  signal?: AbortSignal;
  /** Called when the server died and cannot be restarted. */
  onGivenUp?: (error: StartupError) => void;
}

export interface EmbeddedPostgres {
  /** Folder of the Unix socket. */
  host: string;
  port: number;
  user: string;
  dbName: string;
  /** Whether this process started it; otherwise it was running already. */
  startedHere: boolean;
  /** Stops the server unless another process uses it. @param forced once aborted, only other Tidemark processes count */
  stop: (forced?: AbortSignal) => Promise<void>;
}

/**
 * Starts or joins the embedded PostgreSQL of a data directory. Any number of processes share it. The last one stops it,
 * and each restarts it if it dies.
 *
 * @throws StartupError with a sentence that says what to do
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, durable, signal = NEVER, onGivenUp } = options;
  const installation = await findInstallation(dataDir, durable);
  const { lease, server, startedHere } = await ensureRunning(installation, signal);
  const keeper = new LeaseKeeper(installation, lease, onGivenUp);
  return { ...server, dbName: DATABASE, startedHere, stop: (forced) => keeper.end(forced) };
}

/** Holds the lease of this process until the end. If the server dies, it starts it again and takes a new lease. */
class LeaseKeeper {
  readonly #log = new Logger('EmbeddedPostgres');
  readonly #ending = new AbortController();
  #lease: Lease;
  #recovering: Promise<void> = Promise.resolve();
  #tries = 0;

  constructor(
    private readonly installation: Installation,
    lease: Lease,
    private readonly onGivenUp: EmbeddedOptions['onGivenUp'],
  ) {
    this.#lease = this.#watch(lease);
  }

  async end(forced: AbortSignal = NEVER): Promise<void> {
    this.#ending.abort();
    await this.#recovering;
    const lease = this.#lease.isHeld ? this.#lease : await this.#newLease();
    if (!lease) return;
    try {
      // On an error the server is not stopped: another process has probably done it.
      if (await lease.isLast(forced).catch(() => false)) await stopServer(this.installation.cluster);
    } finally {
      await lease.end();
    }
  }

  #watch(lease: Lease): Lease {
    const since = performance.now();
    void lease.ended.then(() => {
      if (this.#ending.signal.aborted) return;
      if (performance.now() - since > HEALTHY_MS) this.#tries = 0;
      this.#recovering = this.#recover();
    });
    return lease;
  }

  /** The lease has ended, because the server died or only the session was lost. */
  async #recover(): Promise<void> {
    let lastError: unknown;
    while (this.#tries < RESTART_DELAYS_MS.length) {
      try {
        return await this.#tryToRecover(RESTART_DELAYS_MS[this.#tries]!);
      } catch (error) {
        if (this.#ending.signal.aborted) return;
        this.#tries++;
        this.#log.warn(`Restarting the embedded PostgreSQL failed: ${(error as Error).message}`);
        lastError = error;
      }
    }
    const reason = lastError instanceof Error ? lastError.message : 'it keeps exiting.';
    this.onGivenUp?.(new StartupError(`The embedded PostgreSQL died and cannot be started again: ${reason}`));
  }

  async #tryToRecover(delayMs: number): Promise<void> {
    const { signal } = this.#ending;
    await wait(delayMs, undefined, { signal });
    const attempt = `try ${this.#tries + 1} of ${RESTART_DELAYS_MS.length}`;
    this.#log.warn(`Lost the session with the embedded PostgreSQL; restarting it if it exited (${attempt}).`);
    const { lease, startedHere } = await ensureRunning(this.installation, signal);
    if (startedHere) this.#tries++;
    this.#log.warn(startedHere ? 'Restarted the embedded PostgreSQL.' : 'The embedded PostgreSQL is running.');
    this.#lease = this.#watch(lease);
  }

  async #newLease(): Promise<Lease | null> {
    const running = await readPostmasterPid(this.installation.cluster);
    return running?.ready ? openLease(running.socketDir).catch(() => null) : null;
  }
}
