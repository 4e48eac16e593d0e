import { contradictingAccount } from './account-problems.js';
import type { ProviderProblem } from './provider-error.js';
import { accountNameOf } from './read-values.js';

/** What a listing states of its account. */
export interface StatedFact {
  /** In words: "balance". */
  fact: string;
  /** Comparable as text; `null`: not stated. */
  value: string | null;
  /** Of which moment; absent: of any. */
  moment?: number | null | undefined;
}

/**
 * Compares the listings of one account in one answer. Two accounts that a provider lists under one id cannot be told
 * apart, so that no listing may count in place of the other.
 *
 * @returns `null`: they agree
 */
export function contradictionOf<Listing extends { name?: string | null | undefined }>(
  externalId: string,
  listings: readonly Listing[],
  statementsOf: (listing: Listing) => StatedFact[],
): ProviderProblem | null {
  if (listings.length < 2) return null;
  const comparable = Map.groupBy(
    listings.flatMap(statementsOf).filter(({ value }) => value !== null),
    ({ fact, moment }) => JSON.stringify([fact, moment]),
  );
  const contradicting = [...comparable.values()].filter((same) => new Set(same.map(({ value }) => value)).size > 1);
  if (contradicting.length === 0) return null;
  const facts = new Set(contradicting.map(([first]) => first!.fact));
  return contradictingAccount(externalId, [...facts], [...new Set(listings.map(({ name }) => accountNameOf(name)))]);
}
