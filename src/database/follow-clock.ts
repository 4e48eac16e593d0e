import type pg from 'pg';
import type { Clock } from '../time/clock.js';

/**
 * Lets the clock follow the database's: leases, expiries and the order of what is read are then the same for all
 * instances, however their machines' clocks differ.
 *
 * @returns a warning; `null`: the machine's clock agrees as before
 */
export async function followClock(clock: Clock, session: pg.ClientBase): Promise<string | null> {
  const askedAt = performance.now();
  const { rows } = await session.query<{ now: Date }>('select clock_timestamp() as now');
  const aheadMs = clock.follow?.(rows[0]!.now, performance.now() - askedAt) ?? null;
  if (aheadMs === null) return null;
  const seconds = Math.abs(Math.round(aheadMs / 1_000));
  const differs = aheadMs > 0 ? `${seconds} s behind` : aheadMs < 0 ? `${seconds} s ahead of` : 'as';
  return `The clock of this machine is ${differs} the database's, whose time counts. Synchronise both with NTP.`;
}
