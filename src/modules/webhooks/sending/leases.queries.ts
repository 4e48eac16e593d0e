import { randomUUID } from 'node:crypto';
import { EntityManager, type InferClassEntityDB } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { type Kysely, sql, type UpdateObject } from 'kysely';
import { PlainPool } from '../../../database/plain-pool.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { EndpointLease } from './outbox.js';

/** Longer than an attempt may take, so that nobody else sends while one is under way. */
export const LEASE_MS = 40_000;
/** More are found the next time. */
const MAX_FOUND = 200;

export interface DueEndpoint {
  userId: string;
  endpointId: string;
}

const isOver = (time: string, now = 'now()') => `(${time} is null or ${time} <= ${now})`;

/** Not when its retry was due: else whoever never fails is always before those whose retry is due. */
const LAST_TURN = 'coalesce(e.leased_until, e.created_at)';

/**
 * Text, because statements are prepared by it. $1 the application's now, $2 whose. The lookups are by key, so one plan is
 * right for all values.
 */
const due = (of: (table: string) => string) => `
  select e.user_id as "userId", e.id as "endpointId"
  from webhook_endpoints e
  where ${of('e')} and e.status = 'enabled' and ${isOver('e.leased_until')}
    and (
      exists (
        select 1 from webhook_deliveries d
        where ${of('d')} and d.user_id = e.user_id and d.endpoint_id = e.id and d.status = 'pending' and d.trigger <> 'change'
      )
      or ${isOver('e.next_attempt_at', '$1::timestamptz')} and (
        e.position < (select revision from user_revisions known where ${of('known')} and known.user_id = e.user_id) or exists (
          select 1 from webhook_deliveries d
          where ${of('d')} and d.user_id = e.user_id and d.endpoint_id = e.id and d.status = 'pending'
        )
      )
    )
  order by ${LAST_TURN} limit ${MAX_FOUND}`;

const DUE = { name: 'due-webhooks', text: due(() => 'true') };
const DUE_OF_PEOPLE = { name: 'due-webhooks-of-people', text: due((table) => `${table}.user_id = any($2::uuid[])`) };

/**
 * Leases of endpoints: only the instance that has the lease sends. They go by the database's clock, since those of two
 * instances may differ, and each would take the lease of the other for one that is over. Raw where they are compared.
 */
@Injectable()
export class LeasesQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly pool: PlainPool,
  ) {}

  /**
   * Finds endpoints without a lease that may have something to send, the one whose last turn is longest ago first.
   *
   * @param now by which attempts are due
   * @param people only theirs; `null`: everybody's
   */
  findDue(now: Date, people: readonly string[] | null): Promise<DueEndpoint[]> {
    return people
      ? this.pool.query<DueEndpoint>(DUE_OF_PEOPLE, [now, people])
      : this.pool.query<DueEndpoint>(DUE, [now]);
  }

  /** @returns `null`: another worker has it */
  async take({ userId, endpointId }: DueEndpoint): Promise<EndpointLease | null> {
    const holder = randomUUID();
    const { numUpdatedRows } = await this.#endpoints()
      .updateTable('webhook_endpoints')
      .set({ lease_holder: holder, leased_until: LEASE_END })
      .where((eb) => eb.and({ user_id: userId, id: endpointId, status: 'enabled' }))
      .where(sql<boolean>`${sql.raw(isOver('leased_until'))}`)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n ? { userId, endpointId, holder } : null;
  }

  /** @returns whether no other worker has taken it over */
  async renew(lease: EndpointLease): Promise<boolean> {
    const { numUpdatedRows } = await this.#update(lease, { leased_until: LEASE_END });
    return numUpdatedRows === 1n;
  }

  /** A lease that is not released expires. Its end is kept, since the endpoint whose last turn is longest ago is next. */
  async release(lease: EndpointLease): Promise<void> {
    await this.#update(lease, { lease_holder: null, leased_until: sql<Date>`now()` });
  }

  #update({ userId, endpointId, holder }: EndpointLease, changed: UpdateObject<Tables, 'webhook_endpoints'>) {
    return this.#endpoints()
      .updateTable('webhook_endpoints')
      .set(changed)
      .where((eb) => eb.and({ user_id: userId, id: endpointId, lease_holder: holder }))
      .executeTakeFirstOrThrow();
  }

  #endpoints(): Kysely<Tables> {
    return this.em.getKysely<Tables>();
  }
}

type Tables = InferClassEntityDB<typeof WebhookEndpoint>;

const LEASE_END = sql<Date>`now() + ${sql.lit(`${LEASE_MS} ms`)}::interval`;
