import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { sql } from 'kysely';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

interface Sample {
  labels: Record<string, string>;
  value: number;
}

/** What is asked of the database at each scrape: the same on every instance. */
const GAUGES = [
  {
    name: 'tidemark_connections',
    help: 'Connections by provider and status.',
    query: sql<Sample>`
      select json_build_object('provider', provider, 'status', status) as labels, count(*)::float8 as value
      from connections group by provider, status`,
  },
  {
    name: 'tidemark_oldest_sync_age_seconds',
    help: 'Time since the last good sync of the active connection that has waited longest.',
    query: sql<Sample>`
      select json_build_object('provider', provider) as labels,
        extract(epoch from now() - min(coalesce(last_synced_at, created_at)))::float8 as value
      from connections where status = 'active' group by provider`,
  },
  {
    name: 'tidemark_syncs_last_day',
    help: 'Syncs queued within the last 24 hours, by status.',
    query: sql<Sample>`
      select json_build_object('status', status) as labels, count(*)::float8 as value
      from sync_runs where queued_at > now() - interval '1 day' group by status`,
  },
  {
    name: 'tidemark_provider_requests_last_day',
    help: 'Requests to the connection of each provider that used most of its budget within the last 24 hours.',
    query: sql<Sample>`
      select json_build_object('provider', provider) as labels, max(requests)::float8 as value from (
        select c.provider, count(*) as requests
        from provider_requests r join connections c on c.user_id = r.user_id and c.id = r.connection_id
        where r.sent_at > now() - interval '1 day' group by c.provider, r.user_id, r.connection_id
      ) used group by provider`,
  },
];

/** The numbers of this instance and of its database, for Prometheus. */
@Injectable()
export class Metrics {
  readonly #registry = new Registry();
  readonly #seconds = new Histogram({
    name: 'tidemark_http_request_seconds',
    help: 'Time to answer requests, by method, route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [this.#registry],
  });

  constructor(private readonly em: EntityManager) {
    collectDefaultMetrics({ register: this.#registry });
    for (const { name, help, query } of GAUGES) {
      const labelNames = ['provider', 'status'];
      const gauge: Gauge = new Gauge({
        ...{ name, help, labelNames, registers: [this.#registry] },
        collect: async () => {
          const { rows } = await query.execute(this.em.fork().getKysely());
          gauge.reset();
          for (const { labels, value } of rows) gauge.set(labels, value);
        },
      });
    }
  }

  /** Middleware. Requests that only middleware or nothing answers share one label: their paths have no end. */
  observe(request: Request, response: Response, next: NextFunction): void {
    const end = this.#seconds.startTimer();
    response.on('finish', () => {
      const { path = '' } = (request.route ?? {}) as { path?: string };
      const route = path.includes('{*') ? 'none' : path || 'none';
      end({ method: request.method, route, status: String(response.statusCode) });
    });
    next();
  }

  async read(): Promise<{ type: string; text: string }> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }
}
