import type { RequestLimit } from '../../bank-provider/bank-provider.js';

const DAY_MS = 86_400_000;

export interface BudgetState {
  /** Requests a day; `null`: the provider publishes no limit. */
  limit: number | null;
  /** Requests left in the rolling 24 hours; `null` without a limit. */
  remaining: number | null;
  /** When there is room for a sync again; `null`: now. */
  nextAllowedAt: Date | null;
}

/**
 * When `wanted` more requests stay below a limit; `null`: now.
 *
 * @param sentAt in the last 24 hours, newest first
 */
export function allowedAt(sentAt: readonly Date[], limit: number, wanted = 1): Date | null {
  const oldestThatCounts = sentAt[limit - wanted];
  return oldestThatCounts ? new Date(oldestThatCounts.getTime() + DAY_MS) : null;
}

/** What is left of a limit after these requests of the last 24 hours, newest first. */
export function budgetState(sentAt: readonly Date[], limit: RequestLimit | null): BudgetState {
  if (limit === null) return { limit, remaining: null, nextAllowedAt: null };
  const { perDay, perSync } = limit;
  return {
    limit: perDay,
    remaining: Math.max(0, perDay - sentAt.length),
    nextAllowedAt: allowedAt(sentAt, perDay, perSync),
  };
}
