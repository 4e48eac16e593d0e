import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { PreparedStatements } from '../database/prepared.js';
import { Clock } from '../time/clock.js';
import type { Caller } from '../http/caller.js';

const MINUTE_MS = 60_000;

/** An instance reserves at most this share of what is left of a minute. */
const LEASE_DIVISOR = 50;

interface Allowance {
  isAllowed: boolean;
  limit: number;
  /** Requests left in this minute, as far as this instance knows. */
  remaining: number;
  resetSeconds: number;
}

/** Requests of one key in one minute that this instance has reserved and not spent yet. */
interface Lease {
  left: number;
  /** The shared count when this instance last reserved. */
  spent: number;
  refill: Promise<void> | null;
}

const IS_THIS_MINUTE = 'stored.minute >= excluded.minute';

/**
 * $1 person, $2 key, $3 minute, $4 how many. The clocks of instances differ a little: the latest minute counts. Raw,
 * because prepared statements are text.
 */
const TAKE = {
  name: 'take-from-rate-limit',
  text: `
    insert into rate_limits as stored (user_id, api_key_id, minute, spent)
    select user_id, id, $3::integer, $4::bigint from api_keys where user_id = $1 and id = $2
    on conflict (user_id, api_key_id) do update set
      minute = case when ${IS_THIS_MINUTE} then stored.minute else excluded.minute end,
      spent = case when ${IS_THIS_MINUTE} then stored.spent else 0 end + excluded.spent
    returning spent::float8 as spent`,
};

/**
 * Limits the requests of each API key per minute across all instances. The count is in the database. An instance
 * reserves several requests at once, fewer the less is left, so that most requests cost no query. A key never exceeds
 * its limit; what another instance reserved and did not spend is lost to it.
 */
@Injectable()
export class RateLimiterService {
  #minute = 0;
  readonly #leases = new Map<string, Lease>();

  constructor(
    private readonly prepared: PreparedStatements,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Counts one request. `null`: there is no limit. */
  async take(caller: Caller): Promise<Allowance | null> {
    const limit = this.config.rateLimitPerMinute;
    if (limit === 0) return null;
    const now = this.clock.now().getTime();
    const lease = this.#leaseOf(caller, Math.floor(now / MINUTE_MS));
    // Many requests may wait for one reservation, which may not suffice for all of them.
    while (lease.left === 0 && lease.spent < limit) await (lease.refill ??= this.#refill(lease, caller, limit));
    const isAllowed = lease.left > 0;
    if (isAllowed) lease.left--;
    const remaining = Math.max(limit - lease.spent, 0) + lease.left;
    return { isAllowed, limit, remaining, resetSeconds: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000) };
  }

  #leaseOf({ apiKeyId }: Caller, minute: number): Lease {
    if (minute !== this.#minute) this.#leases.clear();
    this.#minute = minute;
    let lease = this.#leases.get(apiKeyId);
    if (!lease) this.#leases.set(apiKeyId, (lease = { left: 0, spent: 0, refill: null }));
    return lease;
  }

  async #refill(lease: Lease, { userId, apiKeyId }: Caller, limit: number): Promise<void> {
    try {
      const wanted = Math.max(Math.floor((limit - lease.spent) / LEASE_DIVISOR), 1);
      const [row] = await this.prepared.query<{ spent: number }>(TAKE, [userId, apiKeyId, this.#minute, wanted]);
      // The key was deleted meanwhile.
      const spent = row?.spent ?? Infinity;
      lease.left = Math.max(Math.min(wanted, limit - (spent - wanted)), 0);
      lease.spent = spent;
    } finally {
      lease.refill = null;
    }
  }
}
