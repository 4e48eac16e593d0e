import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../platform/config/config.js';
import { clientNetworkOf } from '../http/client-network.js';
import { rateLimitExceeded } from '../platform/domain-error.js';
import { Clock } from '../platform/time/clock.js';

const MINUTE_MS = 60_000;

/** A network may make as many times the requests of one person: a household, an office or a proxy can be behind it. */
const PEOPLE_PER_NETWORK = 10;

/** From then on new networks share one count, since a stranger can have any number of them. Keys and people are known. */
const MAX_COUNTED = 100_000;
const OTHER_NETWORKS = 'other networks';

/**
 * Counts requests per minute by API key, else by the signed-in person, else by the network of the client. Each instance
 * counts in its own memory: the limit protects the instance, and counting costs no query.
 */
@Injectable()
export class RequestLimiterService {
  #minute = 0;
  /** By the id of the key or person, or by the network. */
  readonly #counts = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /** Tells the client what the key may still ask. @throws DomainError `rate_limit_exceeded` */
  countKey(apiKeyId: string, response: Response): void {
    const limit = this.config.rateLimitPerMinute;
    if (limit === 0) return;
    const { count, resetSeconds } = this.#count(apiKeyId);
    response.setHeader('RateLimit-Limit', limit);
    response.setHeader('RateLimit-Remaining', Math.max(limit - count, 0));
    response.setHeader('RateLimit-Reset', resetSeconds);
    if (count > limit) {
      throw rateLimitExceeded(`This API key may make ${limit} requests per minute.`, limit, resetSeconds);
    }
  }

  /** @throws DomainError `rate_limit_exceeded` */
  countUser(userId: string): void {
    this.#refuseMany(userId, this.config.rateLimitPerMinute);
  }

  /** @throws DomainError `rate_limit_exceeded` */
  countNetwork(request: Pick<Request, 'ip'>): void {
    const network = clientNetworkOf(request);
    const isCounted = this.#counts.has(network) || this.#counts.size < MAX_COUNTED;
    this.#refuseMany(isCounted ? network : OTHER_NETWORKS, this.config.rateLimitPerMinute * PEOPLE_PER_NETWORK);
  }

  #refuseMany(caller: string, limit: number): void {
    if (limit === 0) return;
    const { count, resetSeconds } = this.#count(caller);
    if (count <= limit) return;
    const wait = `${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}`;
    throw rateLimitExceeded(`Too many requests within one minute. Wait ${wait}, then try again.`, limit, resetSeconds);
  }

  #count(caller: string): { count: number; resetSeconds: number } {
    const now = this.clock.now().getTime();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) this.#counts.clear();
    this.#minute = minute;
    const count = (this.#counts.get(caller) ?? 0) + 1;
    this.#counts.set(caller, count);
    return { count, resetSeconds: Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000) };
  }
}
