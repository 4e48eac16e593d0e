import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
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

/** Of several instances one sends to an endpoint: who has its lease. Times are those of the application's clock. */
@Injectable()
export class LeasesQueries {
  constructor(private readonly em: EntityManager) {}

  /** Endpoints that nobody sends to although there may be something to send, the longest waiting first. */
  async findDue(now: Date): Promise<DueEndpoint[]> {
    const { rows } = await sql<DueEndpoint>`
      select e.user_id as "userId", e.id as "endpointId"
      from webhook_endpoints e left join user_revisions known on known.user_id = e.user_id
      where e.status = 'enabled' and (e.leased_until is null or e.leased_until <= ${now})
        and (
          exists (
            select from webhook_deliveries d
            where d.user_id = e.user_id and d.endpoint_id = e.id and d.status = 'pending' and d.trigger <> 'change'
          )
          or (e.next_attempt_at is null or e.next_attempt_at <= ${now}) and (
            e.position < known.revision or exists (
              select from webhook_deliveries d
              where d.user_id = e.user_id and d.endpoint_id = e.id and d.status = 'pending'
            )
          )
        )
      order by e.next_attempt_at nulls first, e.leased_until nulls first limit ${MAX_FOUND}
    `.execute(this.em.getKysely());
    return rows;
  }

  /** @returns `null`: another worker was faster */
  async take({ userId, endpointId }: DueEndpoint, now: Date): Promise<EndpointLease | null> {
    const holder = randomUUID();
    const isFree = { $or: [{ leasedUntil: null }, { leasedUntil: { $lte: now } }] };
    const free = { userId, id: endpointId, status: 'enabled' as const, ...isFree };
    const taken = await this.em.nativeUpdate(WebhookEndpoint, free, { leaseHolder: holder, leasedUntil: endOf(now) });
    return taken === 1 ? { userId, endpointId, holder } : null;
  }

  /** @returns whether it still lasts: nobody has taken it over */
  async renew({ userId, endpointId, holder }: EndpointLease, now: Date): Promise<boolean> {
    const own = { userId, id: endpointId, leaseHolder: holder };
    return (await this.em.nativeUpdate(WebhookEndpoint, own, { leasedUntil: endOf(now) })) === 1;
  }

  /** What is not released ends by itself. */
  async release({ userId, endpointId, holder }: EndpointLease): Promise<void> {
    const own = { userId, id: endpointId, leaseHolder: holder };
    await this.em.nativeUpdate(WebhookEndpoint, own, { leaseHolder: null, leasedUntil: null });
  }
}

function endOf(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
