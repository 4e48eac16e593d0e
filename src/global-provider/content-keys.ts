import { createHash } from 'node:crypto';
import type { SnapshotTransaction } from '../bank-provider/bank-provider.js';

/**
 * Ids for the pending rows of one answer that come without: made of what a row says, and of how many rows before it say
 * the same, since two equal tickets of one day are two purchases. The same answer always gives the same ids.
 */
export class ContentKeys {
  readonly #seen = new Map<string, number>();

  next({ date, amountMinor, currency, merchant, description }: Omit<SnapshotTransaction, 'externalId'>): string {
    const content = JSON.stringify([date, amountMinor, currency, merchant, description]);
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22);
    const occurrence = (this.#seen.get(hash) ?? 0) + 1;
    this.#seen.set(hash, occurrence);
    return `pending-${hash}-${occurrence}`;
  }
}
