import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type RawBuilder, sql } from 'kysely';
import { ProviderRegistry } from '../../providers/provider-registry.js';
import { DatabasePools } from '../../database/sessions/session-pool.js';
import { unlessAborted } from '../../platform/time/abort-scope.js';
import { Installed } from '../../platform/module.js';
import { MetricsService, type Sample } from '../../platform/metrics/metrics.service.js';

/** A scrape must not wait for a database that is away; Prometheus itself waits 10 seconds. */
const READ_TIMEOUT_MS = 2_000;

/** Columns besides `value` are labels. */
export interface GaugeRow {
  value: number;
  [label: string]: string | number;
}

interface DatabaseGauge {
  name: string;
  help: string;
  labelNames: string[];
  query: RawBuilder<GaugeRow>;
}

/**
 * The same on every instance, since all share one database. Raw, because ages are calculated, and the tables have no entity
 * or one of a higher folder.
 */
const GAUGES: readonly DatabaseGauge[] = [
  {
    name: 'tidemark_connections',
    help: 'Connections by provider and status.',
    labelNames: ['provider', 'status'],
    query: sql<GaugeRow>`
      select provider, status, count(*)::float8 as value from connections group by provider, status`,
  },
  {
    name: 'tidemark_oldest_sync_age_seconds',
    help: 'Time since the last good sync of the active connection that has waited longest.',
    labelNames: ['provider'],
    query: sql<GaugeRow>`
      select provider, extract(epoch from now() - min(coalesce(last_synced_at, created_at)))::float8 as value
      from connections where status = 'active' group by provider`,
  },
  {
    name: 'tidemark_newest_sync_age_seconds',
    help: 'Time since the newest good sync of any connection.',
    labelNames: ['provider'],
    query: sql<GaugeRow>`
      select provider, extract(epoch from now() - max(last_synced_at))::float8 as value
      from connections where last_synced_at is not null group by provider`,
  },
  {
    name: 'tidemark_stale_accounts',
    help: 'Accounts of which their provider brings nothing new, though it reports no error.',
    labelNames: ['provider'],
    query: sql<GaugeRow>`
      select c.provider, count(a.id)::float8 as value
      from connections c left join accounts a on a.user_id = c.user_id and a.connection_id = c.id
        and a.status = 'active' and a.stale_since is not null and a.closed_on is null
      group by c.provider`,
  },
  {
    name: 'tidemark_syncs_last_day',
    help: 'Syncs queued within the last 24 hours, by status.',
    labelNames: ['status'],
    query: sql<GaugeRow>`
      select status, count(*)::float8 as value
      from sync_runs where queued_at > now() - interval '1 day' group by status`,
  },
  {
    name: 'tidemark_sync_jobs',
    help: 'Jobs of the sync queue: due, postponed (their time has not come) and active.',
    labelNames: ['state'],
    // Tables of pg-boss: its own figures are minutes old.
    query: sql<GaugeRow>`
      select listed.state, count(job.id)::float8 as value
      from unnest(array['due', 'postponed', 'active']) as listed(state)
      left join pgboss.job on job.name = 'sync' and listed.state = case
        when job.state = 'active' then 'active'
        when job.state in ('created', 'retry') then case when job.start_after <= now() then 'due' else 'postponed' end
      end
      group by listed.state`,
  },
  {
    name: 'tidemark_sync_oldest_due_job_seconds',
    help: 'How long the oldest due job of the sync queue has waited for a worker; 0 when none waits.',
    labelNames: [],
    query: sql<GaugeRow>`
      select coalesce(extract(epoch from now() - min(start_after)), 0)::float8 as value
      from pgboss.job where name = 'sync' and state in ('created', 'retry') and start_after <= now()`,
  },
];

const PROVIDER_REQUESTS = {
  name: 'tidemark_provider_requests_last_day',
  help: 'Requests within the last 24 hours to the connection of each provider that used most of its budget.',
  labelNames: ['provider'],
  query: sql<GaugeRow>`
    select provider, max(requests)::float8 as value from (
      select c.provider, count(r.sent_at) as requests
      from connections c left join provider_requests r
        on r.user_id = c.user_id and r.connection_id = c.id and r.sent_at > now() - interval '1 day'
      group by c.provider, c.user_id, c.id
    ) used group by provider`,
};

/** Gauges that are read from the database at each scrape, and those of its sessions. */
@Injectable()
export class DatabaseGaugesService {
  readonly #underWay = new Map<RawBuilder<GaugeRow>, Promise<readonly Sample[]>>();

  constructor(
    metrics: MetricsService,
    pools: DatabasePools,
    installed: Installed,
    private readonly em: EntityManager,
    private readonly providers: ProviderRegistry,
  ) {
    metrics.addGauge({
      name: 'tidemark_database_up',
      help: 'Whether the database answered this scrape within 2 seconds.',
      labelNames: [],
      read: () => this.read(ONE).catch(() => [{ labels: {}, value: 0 }]),
    });
    metrics.addGauge({
      name: 'tidemark_database_writable',
      help: 'Whether the database takes changes: 0 on a standby, or where transactions are read-only.',
      labelNames: [],
      read: () => this.read(IS_WRITABLE),
    });
    const ofModules = installed.parts.flatMap(({ gauges = [] }) => gauges);
    const own = ofModules.map(({ sql: text, labelNames, ...about }) => ({
      ...about,
      labelNames: [...labelNames],
      query: sql.raw<GaugeRow>(text),
    }));
    for (const { query, ...definition } of [...GAUGES, PROVIDER_REQUESTS, ...own]) {
      metrics.addGauge({ ...definition, read: () => this.read(query) });
    }
    metrics.addGauge({
      name: 'tidemark_provider_budget_left',
      help: 'Requests that the connection of each provider that used most of its budget may still send today.',
      labelNames: ['provider'],
      read: () => this.#budgetLeft(),
    });
    metrics.addGauge({
      name: 'tidemark_database_sessions',
      help: 'Open sessions with the database, by pool and state.',
      labelNames: ['pool', 'state'],
      read: () =>
        pools.usage().flatMap(({ pool, used, idle }) => [
          { labels: { pool, state: 'used' }, value: used },
          { labels: { pool, state: 'idle' }, value: idle },
        ]),
    });
    metrics.addGauge({
      name: 'tidemark_database_waiting',
      help: 'Callers who wait for a session, by pool.',
      labelNames: ['pool'],
      read: () => pools.usage().map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    });
  }

  async #budgetLeft(): Promise<Sample[]> {
    const used = await this.read(PROVIDER_REQUESTS.query);
    return used.flatMap(({ labels, value }) => {
      const limit = this.providers.find(labels['provider'] ?? '')?.descriptor.requestLimit;
      return limit ? [{ labels, value: Math.max(0, limit.perDay - value) }] : [];
    });
  }

  /**
   * What a gauge of a query shows. Scrapes that come while one is under way share it: a database that hangs must not
   * collect them.
   */
  async read(query: RawBuilder<GaugeRow>): Promise<readonly Sample[]> {
    let reading = this.#underWay.get(query);
    if (!reading) {
      reading = query
        .execute(this.em.getKysely())
        .then(({ rows }) => rows.map(({ value, ...labels }) => ({ labels: labels as Sample['labels'], value })))
        .finally(() => this.#underWay.delete(query));
      this.#underWay.set(query, reading);
    }
    return unlessAborted(AbortSignal.timeout(READ_TIMEOUT_MS), reading);
  }
}

/** Raw here and below, because no table is involved. */
const ONE = sql<GaugeRow>`select 1 as value`;
/** On a standby every transaction is read-only. */
const IS_WRITABLE = sql<GaugeRow>`
  select (not current_setting('transaction_read_only')::boolean)::integer as value`;
