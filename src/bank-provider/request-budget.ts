export interface RequestLimit {
  perDay: number;
  /** How many of them a usual sync takes, of accounts that are known. */
  perSync: number;
}

/** How many requests a connection may still make. */
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
