import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Config } from '../config/config.js';
import { clientNetworkOf } from '../http/client-network.js';
import { type DomainError, rateLimitExceeded } from '../errors/domain-error.js';
import { Clock } from '../time/clock.js';

const MINUTE_MS = 60_000;

/** A network may make as many times the requests of one person: a household, an office or a proxy can be behind it. */
const PEOPLE_PER_NETWORK = 10;

/** How many people, and how many networks, are counted apart within one minute. All others share one count. */
const MAX_COUNTED = 50_000;
const EVERYBODY_ELSE = 'everybody else';

/**
 * Counts requests without a valid API key per minute, by the signed-in person or else by the network of the client.
 * Each instance counts in its own memory, so that counting costs no query; who asks was looked up before.
 */
@Injectable()
export class RequestLimiterService {
  #minute = 0;
  /** Apart from networks: a stranger may come from so many that all people would share one count. */
  readonly #people = new Map<string, number>();
  readonly #networks = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** @throws DomainError `rate_limit_exceeded` */
  countUser(userId: string): void {
    this.#count(this.#people, userId, this.config.rateLimitPerMinute);
  }

  /** @throws DomainError `rate_limit_exceeded` */
  countNetwork(request: Pick<Request, 'ip'>): void {
    this.#count(this.#networks, clientNetworkOf(request), this.config.rateLimitPerMinute * PEOPLE_PER_NETWORK);
  }

  #count(counts: Map<string, number>, caller: string, limit: number): void {
    if (limit === 0) return;
    const now = this.clock.now().getTime();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) for (const counted of [this.#people, this.#networks]) counted.clear();
    this.#minute = minute;
    const isCounted = counts.has(caller) || counts.size < MAX_COUNTED;
    const key = isCounted ? caller : EVERYBODY_ELSE;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > limit) throw tooManyRequests(limit, Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000));
  }
}

function tooManyRequests(limit: number, waitSeconds: number): DomainError {
  const wait = `${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}`;
  const message = `Too many requests within one minute. Wait ${wait}, then try again.`;
  return rateLimitExceeded(message, limit, waitSeconds);
}
