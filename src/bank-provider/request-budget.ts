export interface RequestLimit {
  perDay: number;
  /** How many of them a usual sync of known accounts takes. */
  perSync: number;
}

/** Counts the requests of a connection against its limit. */
export interface RequestBudget {
  /**
   * Counts one request, before it is sent.
   *
   * @throws ProviderError of kind `rate_limited` when none is left
   */
  spend(): Promise<void>;
}

/** For a provider that publishes no limit. */
export const UNLIMITED: RequestBudget = { spend: () => Promise.resolve() };
