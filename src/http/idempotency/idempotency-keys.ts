/** A POST under an `Idempotency-Key`. */
export interface KeyedRequest {
  userId: string;
  key: string;
  /** The same for the same method, address and body only. */
  digest: string;
}

export interface StoredAnswer {
  status: number;
  /** Absent: it has none. */
  body?: unknown;
}

/** Remembers what was answered under which key. */
export abstract class IdempotencyKeys {
  /**
   * Executes a request unless that was done before under its key.
   *
   * @param execute a failure of it frees the key, unless it has committed something by then
   * @throws ApiError `idempotency_conflict` while the key is in use, `validation_failed` when it was used for another
   * request; and what `execute` throws
   */
  abstract once(
    request: KeyedRequest,
    execute: () => Promise<StoredAnswer>,
  ): Promise<{ answer: StoredAnswer; isReplayed: boolean }>;
}
