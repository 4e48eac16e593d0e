import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import type pg from 'pg';
import { Config } from '../platform/config/config.js';
import { DomainError } from '../platform/domain-error.js';
import { type Clock, CorrectedClock } from '../platform/time/clock.js';
import { PlainPool } from './plain-pool.js';

export const MAX_CLOCK_DIFFERENCE_MS = 5_000;
/** Half of it is how wrong the difference may be. */
const QUICK_ANSWER_MS = 100;
const ANSWERS = 3;
const MAX_ANSWER_MS = 1_000;
const CHECK_EVERY_SECONDS = 10;

const DATABASE_TIME = {
  name: 'database-time',
  text: 'select round(extract(epoch from clock_timestamp()) * 1000)::text as ms',
};

/** In milliseconds. */
export async function readDatabaseTime(session: pg.ClientBase): Promise<number> {
  const { rows } = await session.query<{ ms: string }>(DATABASE_TIME);
  return Number(rows[0]!.ms);
}

/**
 * Compares the clock of this machine with the database's, at the middle of a quick request, else of the fastest of some.
 *
 * @param askDatabase its time in milliseconds
 * @returns how far this machine is ahead, in milliseconds; negative: behind; `null`: each answer took too long to tell
 */
export async function measureClock(clock: Clock, askDatabase: () => Promise<number>): Promise<number | null> {
  let fastestMs = MAX_ANSWER_MS;
  let aheadMs: number | null = null;
  for (let answer = 0; answer < ANSWERS; answer++) {
    const askedAt = clock.now().getTime();
    const begun = performance.now();
    const databaseMs = await askDatabase();
    const tookMs = performance.now() - begun;
    if (tookMs >= fastestMs) continue;
    fastestMs = tookMs;
    aheadMs = askedAt + tookMs / 2 - databaseMs;
    if (tookMs <= QUICK_ANSWER_MS) break;
  }
  return aheadMs;
}

/** What follows {@link clockProblem} for whoever would write. */
export const NOTHING_WRITTEN = 'Until then nothing is written.';

/** What is wrong with a clock, and the remedy, in a sentence; `null`: nothing. */
export function clockProblem(aheadMs: number): string | null {
  if (Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS) return null;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return `The clock of this machine is ${seconds} s ${side} the database's: set the time with NTP.`;
}

/**
 * Whether the clock of this machine agrees with the database's. While it does not, the instance is not ready, begins no
 * work of its own and refuses changes, and {@link CorrectedClock} gives the database's time: what it still serves, such
 * as a sign-in, judges and stores no wrong moment. Without an answer of the database nothing is known, and the last result
 * stays.
 */
@Injectable()
export class ClockCheck implements OnModuleInit {
  readonly #log = new Logger('Clock');
  #problem: string | null = null;

  constructor(
    private readonly config: Config,
    private readonly pool: PlainPool,
    private readonly clock: CorrectedClock,
  ) {}

  /** See {@link clockProblem}. */
  get problem(): string | null {
    return this.#problem;
  }

  /** @throws DomainError `unavailable` with what is wrong */
  assertRight(): void {
    if (this.#problem) throw new DomainError('unavailable', this.#problem, { retryAfterSeconds: CHECK_EVERY_SECONDS });
  }

  /** Looks at the clocks first, which may have jumped since the last time. @throws Error with what is wrong */
  async requireRight(): Promise<void> {
    await this.look();
    if (this.#problem) throw new Error(this.#problem);
  }

  async onModuleInit(): Promise<void> {
    await this.look();
  }

  /** Compares the clocks now, if this instance compares them. */
  @Interval('clock', CHECK_EVERY_SECONDS * 1_000)
  async look(): Promise<void> {
    if (this.config.clockCheck) await this.check().catch(() => undefined);
  }

  /** @throws when the database does not answer */
  async check(): Promise<void> {
    const aheadMs = await measureClock(this.clock.machine, async () => {
      const [row] = await this.pool.query<{ ms: string }>(DATABASE_TIME, []);
      return Number(row!.ms);
    });
    if (aheadMs === null) return;
    const before = this.#problem;
    this.#problem = clockProblem(aheadMs);
    this.clock.machineAheadMs = this.#problem ? aheadMs : 0;
    if (before === null && this.#problem) this.#log.error(`${this.#problem} ${NOTHING_WRITTEN}`);
    if (before !== null && !this.#problem) this.#log.log('The clock of this machine is right again.');
  }
}
