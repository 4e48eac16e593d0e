import { randomUUID } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { PreparedStatements } from '../../database/prepared.js';
import { CLOCK_TOLERANCE_MS } from '../../time/clock.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { type EndpointLease, LATEST_RETRY_MS } from './outbox.js';

/** Longer than an attempt may take, so that nobody else sends while one is under way. */
export const LEASE_MS = 40_000;
/** A lease that lasts longer was taken by a clock that was ahead. */
const LONGEST_LEASE_MS = LEASE_MS + CLOCK_TOLERANCE_MS;
/** More are found the next time. */
const MAX_FOUND = 200;

export interface DueEndpoint {
  userId: string;
  endpointId: string;
}

/** Whether a time is now or past, or so far away that a clock was ahead. $1 now. */
const isOver = (time: string, longestMs: number) =>
  `(${time} is null or ${time} <= $1 or ${time} > $1::timestamptz + interval '${longestMs} ms')`;

/** Not when its retry was due: else whoever never fails is always before those whose retry is due. */
const LAST_TURN = 'coalesce(e.leased_until, e.created_at)';

/** Text, because statements are prepared by it. $1 now, $2 whose. The lookups are by key, so one plan is right for all values. */
const due = (of: (table: string) => string) => `
  select e.user_id as "userId", e.id as "endpointId"
  from webhook_endpoints e
  where ${of('e')} and e.status = 'enabled' and ${isOver('e.leased_until', LONGEST_LEASE_MS)}
    and (
      exists (
        select 1 from webhook_deliveries d
        where ${of('d')} and d.user_id = e.user_id and d.endpoint_id = e.id and d.status = 'pending' and d.trigger <> 'change'
      )
      or ${isOver('e.next_attempt_at', LATEST_RETRY_MS)} and (
        e.position < (select revision from user_revisions known where ${of('known')} and known.user_id = e.user_id) or exists (
          select 1 from webhook_deliveries d
          where ${of('d')} and d.user_id = e.user_id and d.endpoint_id = e.id and d.status = 'pending'
        )
      )
    )
  order by ${LAST_TURN} <= $1, ${LAST_TURN} limit ${MAX_FOUND}`;

const DUE = { name: 'due-webhooks', text: due(() => 'true') };
const DUE_OF_PEOPLE = { name: 'due-webhooks-of-people', text: due((table) => `${table}.user_id = any($2::uuid[])`) };

/** Leases of endpoints: only the instance that has the lease sends. Times are those of the application's clock. */
@Injectable()
export class LeasesQueries {
  constructor(
    private readonly em: EntityManager,
    private readonly prepared: PreparedStatements,
  ) {}

  /**
   * Finds endpoints without a lease that may have something to send, the one whose last turn is longest ago first; before
   * it those whose turn a clock dated that was ahead.
   *
   * @param people only theirs; `null`: everybody's
   */
  findDue(now: Date, people: readonly string[] | null): Promise<DueEndpoint[]> {
    return people
      ? this.prepared.query<DueEndpoint>(DUE_OF_PEOPLE, [now, people])
      : this.prepared.query<DueEndpoint>(DUE, [now]);
  }

  /** @returns `null`: another worker has it */
  async take({ userId, endpointId }: DueEndpoint, now: Date): Promise<EndpointLease | null> {
    const holder = randomUUID();
    const tooLate = new Date(now.getTime() + LONGEST_LEASE_MS);
    const isFree = { $or: [{ leasedUntil: null }, { leasedUntil: { $lte: now } }, { leasedUntil: { $gt: tooLate } }] };
    const free = { userId, id: endpointId, status: 'enabled' as const, ...isFree };
    const taken = await this.em.nativeUpdate(WebhookEndpoint, free, { leaseHolder: holder, leasedUntil: endOf(now) });
    return taken === 1 ? { userId, endpointId, holder } : null;
  }

  /** @returns whether no other worker has taken it over */
  async renew({ userId, endpointId, holder }: EndpointLease, now: Date): Promise<boolean> {
    const own = { userId, id: endpointId, leaseHolder: holder };
    return (await this.em.nativeUpdate(WebhookEndpoint, own, { leasedUntil: endOf(now) })) === 1;
  }

  /** A lease that is not released expires. Its end is kept, since the endpoint whose last turn is longest ago is next. */
  async release({ userId, endpointId, holder }: EndpointLease, now: Date): Promise<void> {
    const own = { userId, id: endpointId, leaseHolder: holder };
    await this.em.nativeUpdate(WebhookEndpoint, own, { leaseHolder: null, leasedUntil: now });
  }
}

function endOf(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}
