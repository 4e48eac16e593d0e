import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { Exchange } from '../message/webhook-sender.js';
import type { EndpointLease } from './outbox.js';
import { hasFailedForTooLong, nextDelayMs } from './retry-schedule.js';

const GONE = 410;

export interface Attempt {
  deliveryId: string;
  exchange: Exchange;
  at: Date;
  /** From 0 to 1. */
  random: number;
}

/**
 * Writes down what came of an attempt, and what that means for the endpoint.
 *
 * @param em with a transaction
 * @returns the endpoint where it was disabled by this; else `null`
 */
export async function recordAttempt(
  em: EntityManager,
  lease: EndpointLease,
  attempt: Attempt,
): Promise<WebhookEndpoint | null> {
  const { userId, endpointId, holder: leaseHolder } = lease;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const endpoint = await em.findOne(WebhookEndpoint, { userId, id: endpointId, leaseHolder }, lock);
  const delivery = await em.findOne(WebhookDelivery, { userId, id: attempt.deliveryId });
  // Removed, or somebody else sends the same message by now: then theirs counts.
  if (!endpoint || !delivery) return null;
  const { exchange, at } = attempt;
  const isFailure = exchange.problem !== null;
  const isTriedAgain = isFailure && delivery.trigger === 'change';
  Object.assign(delivery, {
    status: isTriedAgain ? 'pending' : isFailure ? 'failed' : 'delivered',
    attempts: delivery.attempts + 1,
    responseStatus: exchange.status,
    responseBody: exchange.body,
    problem: exchange.problem,
    durationMs: exchange.durationMs,
    attemptedAt: at,
  });
  if (!isFailure) forgetFailures(endpoint);
  else if (isTriedAgain) countFailure(endpoint, attempt);
  const isDisabledNow = endpoint.status === 'enabled' && mustEnd(endpoint, attempt, isFailure);
  if (isDisabledNow) {
    const disabledReason = exchange.status === GONE ? 'gone' : 'failing';
    Object.assign(endpoint, { status: 'disabled', disabledReason, disabledAt: at, nextAttemptAt: null });
  }
  await em.flush();
  return isDisabledNow ? endpoint : null;
}

/** It answers, also where that was a test only: what waits is sent at once. */
function forgetFailures(endpoint: WebhookEndpoint): void {
  Object.assign(endpoint, { failures: 0, failingSince: null, nextAttemptAt: null });
}

function countFailure(endpoint: WebhookEndpoint, { at, exchange, random }: Attempt): void {
  endpoint.failures++;
  endpoint.failingSince ??= at;
  const waitMs = nextDelayMs(endpoint.failures, random, exchange.retryAfterSeconds);
  endpoint.nextAttemptAt = new Date(at.getTime() + waitMs);
}

function mustEnd({ failingSince }: WebhookEndpoint, { at, exchange }: Attempt, isFailure: boolean): boolean {
  if (!isFailure) return false;
  return exchange.status === GONE || (failingSince !== null && hasFailedForTooLong(failingSince, at));
}
