/** A POST under an `Idempotency-Key`. */
export interface KeyedRequest {
  userId: string;
  key: string;
  /** Equal only for the same API key, method, address and body. */
  digest: string;
}

export interface StoredAnswer {
  status: number;
  /** Absent: the answer has no body. */
  body?: unknown;
}

/** Stores the answers to requests by their keys. */
export abstract class IdempotencyKeys {
  /**
   * Executes a request unless its key has an answer.
   *
   * @param execute its failure frees the key, unless it has committed something
   * @throws DomainError `idempotency_conflict` while the key is in use, `validation_failed` when it was used for
   * another request; and what `execute` throws
   */
  abstract once(
    request: KeyedRequest,
    execute: () => Promise<StoredAnswer>,
  ): Promise<{ answer: StoredAnswer; isReplayed: boolean }>;
}
