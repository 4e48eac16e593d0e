import { Injectable } from '@nestjs/common';
import type pg from 'pg';

interface PoolUsage {
  pool: string;
  used: number;
  idle: number;
  /** Callers waiting for a session. */
  waiting: number;
}

/** The pools of one instance, for metrics. */
@Injectable()
export class DatabasePools {
  readonly #pools = new Map<string, pg.Pool>();

  /** @param currentPerson whose request the calling code serves; `null`: nobody's */
  constructor(readonly currentPerson: () => string | null = () => null) {}

  add(name: string, pool: pg.Pool): void {
    this.#pools.set(name, pool);
  }

  usage(): PoolUsage[] {
    return [...this.#pools].map(([pool, { totalCount, idleCount, waitingCount }]) => {
      return { pool, used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
    });
  }
}
