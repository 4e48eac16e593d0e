import { type EntityManager, LockMode } from '@mikro-orm/postgresql';
import { DAY_MS, type Exchange } from '../../../kit.js';
import { WebhookDelivery } from '../deliveries/webhook-delivery.entity.js';
import { AFRESH, WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import type { NextDelivery } from './outbox.js';

const GONE = 410;

interface Attempt extends Pick<NextDelivery, 'endpoint' | 'delivery'> {
  exchange: Exchange;
  at: Date;
  /** From 0 to 1. */
  random: number;
}

/**
 * Stores the result of an attempt, and what it means for the endpoint.
 *
 * @param em with a transaction
 * @returns the endpoint if the result disabled it; else `null`
 */
export async function recordAttempt(em: EntityManager, attempt: Attempt): Promise<WebhookEndpoint | null> {
  const { exchange, at } = attempt;
  const { userId, id, attemptId } = attempt.endpoint;
  const lock = { lockMode: LockMode.PESSIMISTIC_WRITE };
  const endpoint = await em.findOne(WebhookEndpoint, { userId, id, attemptId }, lock);
  const delivery = await em.findOne(WebhookDelivery, { userId, id: attempt.delivery.id });
  // It was removed or changed, or another worker has begun an attempt: then the result of that one counts.
  if (!endpoint || !delivery) return null;
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
  // Any success counts, that of a test too: waiting messages are sent at once.
  if (!isFailure) Object.assign(endpoint, AFRESH);
  else if (isTriedAgain) countFailure(endpoint, attempt);
  const isDisabledNow = endpoint.status === 'enabled' && shouldDisable(endpoint, attempt, isFailure);
  if (isDisabledNow) {
    const disabledReason = exchange.status === GONE ? 'gone' : 'failing';
    Object.assign(endpoint, { status: 'disabled', disabledReason, disabledAt: at, nextAttemptAt: null });
  }
  await em.flush();
  return isDisabledNow ? endpoint : null;
}

function countFailure(endpoint: WebhookEndpoint, { at, exchange, random }: Attempt): void {
  endpoint.failures++;
  endpoint.failingSince ??= at;
  const waitMs = nextDelayMs(endpoint.failures, random, exchange.retryAfterSeconds);
  endpoint.nextAttemptAt = new Date(at.getTime() + waitMs);
}

function shouldDisable({ failingSince }: WebhookEndpoint, { at, exchange }: Attempt, isFailure: boolean): boolean {
  if (!isFailure) return false;
  return exchange.status === GONE || (failingSince !== null && hasFailedForTooLong(failingSince, at));
}

const SECOND_MS = 1_000;

/** After the first attempt, the second, and so on; the example of Standard Webhooks. The last one repeats. */
const DELAYS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
/** Share of each delay, up or down, so that endpoints that failed together are not retried together. */
const JITTER = 0.2;

/** Before the next attempt, also if the endpoint asks for more. */
const MAX_RETRY_WAIT_MS = DAY_MS;
/** An endpoint that has failed for so long is disabled. */
const MAX_FAILING_MS = 3 * DAY_MS;

/**
 * How long to wait after a failure.
 *
 * @param failures in a row, this one included
 * @param random from 0 to 1
 * @param askedSeconds what the endpoint asked for in `Retry-After`, if it did
 */
export function nextDelayMs(failures: number, random: number, askedSeconds: number | null): number {
  const usualSeconds = DELAYS_S[Math.min(failures, DELAYS_S.length) - 1]! * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.min(MAX_RETRY_WAIT_MS, Math.max(usualSeconds, askedSeconds ?? 0) * SECOND_MS));
}

export function hasFailedForTooLong(failingSince: Date, now: Date): boolean {
  return now.getTime() - failingSince.getTime() >= MAX_FAILING_MS;
}
