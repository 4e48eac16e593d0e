import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { VERSION } from '../config/version.js';

const REQUEST_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const SYNC_BUCKETS_SECONDS = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800];

export interface Sample {
  labels: Record<string, string>;
  value: number;
}

interface GaugeDefinition {
  name: string;
  help: string;
  labelNames: string[];
  /** Called at each scrape. When it fails, the gauge has no samples. */
  read: () => Promise<readonly Sample[]> | readonly Sample[];
}

interface FinishedSync {
  provider: string;
  status: string;
  /** Of its first problem; `none` without one. */
  kind: string;
  seconds: number;
}

/**
 * The metrics of this instance. The code that sees an event counts it here; what can be read at any time is a gauge. All
 * labels have few values: routes, statuses, providers, kinds. Nothing here queries the database, so that there are
 * metrics while it is away.
 */
@Injectable()
export class MetricsService {
  readonly #registry = new Registry();
  readonly #registers = [this.#registry];
  readonly #requestSeconds = new Histogram({
    name: 'tidemark_http_request_seconds',
    help: 'Time to answer requests, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS_SECONDS,
    registers: this.#registers,
  });
  readonly #rateLimited = new Counter({
    name: 'tidemark_rate_limited_total',
    help: 'Requests refused with 429, by route.',
    labelNames: ['route'],
    registers: this.#registers,
  });
  readonly #signInFailures = new Counter({
    name: 'tidemark_sign_in_failures_total',
    help: 'Refused passwords: wrong, or limited after too many attempts.',
    labelNames: ['reason'],
    registers: this.#registers,
  });
  readonly #syncSeconds = new Histogram({
    name: 'tidemark_sync_seconds',
    help: 'Duration of syncs that this instance ended, by provider and result.',
    labelNames: ['provider', 'status'],
    buckets: SYNC_BUCKETS_SECONDS,
    registers: this.#registers,
  });
  readonly #syncs = new Counter({
    name: 'tidemark_syncs_total',
    help: 'Syncs that this instance ended, by provider, result and the kind of the first problem.',
    labelNames: ['provider', 'status', 'kind'],
    registers: this.#registers,
  });
  readonly #openStreams = new Map<string, () => number>();

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    // Counters that have not counted yet are 0, not missing: an alert on their increase needs that.
    for (const reason of ['wrong', 'limited']) this.#signInFailures.inc({ reason }, 0);
    this.addGauge({
      name: 'tidemark_build_info',
      help: 'Version of Tidemark and of Node.js; always 1.',
      labelNames: ['version', 'node'],
      read: () => [{ labels: { version: VERSION, node: process.versions.node }, value: 1 }],
    });
    this.addGauge({
      name: 'tidemark_open_streams',
      help: 'Event streams and exports under way.',
      labelNames: ['kind'],
      read: () => [...this.#openStreams].map(([kind, count]) => ({ labels: { kind }, value: count() })),
    });
  }

  /** Middleware. Requests that only middleware or nothing answers share one label: their paths have no end. */
  observeRequest(request: Request, response: Response, next: NextFunction): void {
    const end = this.#requestSeconds.startTimer();
    response.on('finish', () => {
      const route = routeOf(request);
      end({ method: request.method, route, status: String(response.statusCode) });
      if (response.statusCode === 429) this.#rateLimited.inc({ route });
    });
    next();
  }

  /** Begins the count of syncs that may end so at 0, not at the first one. */
  expectSync({ provider, status, kind }: Omit<FinishedSync, 'seconds'>): void {
    this.#syncs.inc({ provider, status, kind }, 0);
  }

  countSync({ provider, status, kind, seconds }: FinishedSync): void {
    this.#syncs.inc({ provider, status, kind });
    this.#syncSeconds.observe({ provider, status }, seconds);
  }

  countSignInFailure(reason: 'wrong' | 'limited'): void {
    this.#signInFailures.inc({ reason });
  }

  /** @param count how many streams of this kind are open now */
  watchOpenStreams(kind: string, count: () => number): void {
    this.#openStreams.set(kind, count);
  }

  /**
   * A counter of a module with one label.
   *
   * @param values of the label, which begin at 0
   * @returns counts one
   */
  addCounter<Value extends string>(
    about: { name: string; help: string },
    label: string,
    values: readonly Value[],
  ): (value: Value) => void {
    const counter = new Counter({ ...about, labelNames: [label], registers: this.#registers });
    for (const value of values) counter.inc({ [label]: value }, 0);
    return (value) => counter.inc({ [label]: value });
  }

  addGauge({ name, help, labelNames, read }: GaugeDefinition): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: this.#registers,
      collect: async () => {
        const samples = await Promise.resolve()
          .then(read)
          .catch(() => []);
        gauge.reset();
        // Without labels the library resets it to 0.
        if (labelNames.length === 0) gauge.remove({});
        for (const { labels, value } of samples) gauge.set(labels, value);
      },
    });
  }

  async read(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }
}

/** The pattern of the route that answers; a catch-all names nothing. */
export function routeOf(request: Request): string {
  const { path = '' } = (request.route ?? {}) as { path?: string };
  return path.includes('{*') ? 'none' : path || 'none';
}
