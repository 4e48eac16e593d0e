import { z } from 'zod';
import { ProviderError } from './provider-error.js';

// No bank needs more, and more than this a small answer could make us work for minutes.

export const MAX_ACCOUNTS = 500;
/** In one answer, of all its accounts together. */
export const MAX_TRANSACTIONS = 100_000;
export const MAX_HOLDINGS = 10_000;
/** Errors and warnings that an answer lists. */
export const MAX_MESSAGES = 500;

/** Transactions and holdings of one snapshot. A household of 20 accounts has fewer in 20 years. */
const MAX_SNAPSHOT_ROWS = 300_000;

/** @throws ProviderError `answer_too_large` */
export function refuseMore(count: number, max: number, what: string): void {
  if (count <= max) return;
  const limit = max.toLocaleString('en');
  throw new ProviderError('answer_too_large', `The provider’s answer has more than the limit of ${limit} ${what}.`);
}

/** Counts the rows of all answers of a snapshot. Each answer is within its own limit. */
export class SnapshotSize {
  #rows = 0;

  /** After an answer. @throws ProviderError `answer_too_large` */
  add(rows: number): void {
    this.#rows += rows;
    this.refuseMore();
  }

  /** Before one is asked for. @throws ProviderError `answer_too_large` once there was too much */
  refuseMore(): void {
    if (this.#rows <= MAX_SNAPSHOT_ROWS) return;
    const rows = `${MAX_SNAPSHOT_ROWS.toLocaleString('en')} transactions and holdings`;
    throw new ProviderError(
      'answer_too_large',
      `The provider’s answers have more than the limit of ${rows} in one sync. The next sync fetches the rest.`,
    );
  }
}

/** A list whose elements are checked later, or one by one. Its length is checked before anything is done for each. */
export function limitedList(max: number, what: string) {
  return z.array(z.unknown()).transform((list) => {
    refuseMore(list.length, max, what);
    return list;
  });
}
