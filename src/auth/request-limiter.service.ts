import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../platform/config/config.js';
import { clientNetworkOf } from '../http/client-network.js';
import { rateLimitExceeded } from '../platform/domain-error.js';
import { Clock } from '../platform/time/clock.js';

const MINUTE_MS = 60_000;

/** A network may make as many times the requests of one person: a household, an office or a proxy can be behind it. */
const PEOPLE_PER_NETWORK = 10;

/** How many keys, people and networks each are counted apart within one minute. All others share one count. */
const MAX_COUNTED = 30_000;
const EVERYBODY_ELSE = 'everybody else';

/** What a caller may still ask in this minute. */
export interface Allowance {
  limit: number;
  remaining: number;
  resetSeconds: number;
  /** Whether this request is one too many. */
  isExceeded: boolean;
}

/**
 * Counts requests per minute by API key, else by the signed-in person, else by the network of the client. Each instance
 * counts in its own memory: the limit protects the instance, and counting costs no query.
 */
@Injectable()
export class RequestLimiterService {
  #minute = 0;
  /** Apart from each other: a stranger may come from so many networks that all keys or people would share one count. */
  readonly #keys = new Map<string, number>();
  readonly #people = new Map<string, number>();
  readonly #networks = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Counts one request of an API key. `null`: there is no limit. */
  countKey(apiKeyId: string): Allowance | null {
    return this.#count(this.#keys, apiKeyId, this.config.rateLimitPerMinute);
  }

  /** @throws DomainError `rate_limit_exceeded` */
  countUser(userId: string): void {
    refuseTooMany(this.#count(this.#people, userId, this.config.rateLimitPerMinute));
  }

  /** @throws DomainError `rate_limit_exceeded` */
  countNetwork(request: Pick<Request, 'ip'>): void {
    const limit = this.config.rateLimitPerMinute * PEOPLE_PER_NETWORK;
    refuseTooMany(this.#count(this.#networks, clientNetworkOf(request), limit));
  }

  #count(counts: Map<string, number>, caller: string, limit: number): Allowance | null {
    if (limit === 0) return null;
    const now = this.clock.now().getTime();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) for (const counted of [this.#keys, this.#people, this.#networks]) counted.clear();
    this.#minute = minute;
    const isCounted = counts.has(caller) || counts.size < MAX_COUNTED;
    const key = isCounted ? caller : EVERYBODY_ELSE;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    const resetSeconds = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000);
    return { limit, remaining: Math.max(limit - count, 0), resetSeconds, isExceeded: count > limit };
  }
}

function refuseTooMany(allowance: Allowance | null): void {
  if (!allowance?.isExceeded) return;
  const { limit, resetSeconds } = allowance;
  const wait = `${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}`;
  throw rateLimitExceeded(`Too many requests within one minute. Wait ${wait}, then try again.`, limit, resetSeconds);
}
