import type { BankSnapshot, SnapshotAccount } from '../bank-provider/bank-provider.js';
import type { CalendarDate } from '../time/calendar-date.js';

type DaysById = ReadonlyMap<string, CalendarDate>;

/**
 * Completes the answer about an account whose whole history was fetched again. An answer that reaches back to what was
 * known before is complete, even when the requests ran out in the search for more.
 *
 * @param knownUntil until which day each such account was complete, by external id
 */
export function completeWithKnownHistory(account: SnapshotAccount, knownUntil: DaysById): SnapshotAccount {
  const { externalId, coveredFrom } = account;
  const known = knownUntil.get(externalId);
  const reachesBack = known !== undefined && coveredFrom !== null && coveredFrom <= known;
  return reachesBack ? { ...account, complete: true } : account;
}

/** The same for all accounts of an answer. It has no rate limit problem then, unless an account stays incomplete. */
export function completeAllWithKnownHistory(snapshot: BankSnapshot, knownUntil: DaysById): BankSnapshot {
  const accounts = snapshot.accounts.map((account) => completeWithKnownHistory(account, knownUntil));
  const isWhole = accounts.every(({ complete }) => complete);
  const problems = snapshot.problems.filter(
    ({ kind, accountExternalId }) => !isWhole || kind !== 'rate_limited' || accountExternalId !== undefined,
  );
  return { ...snapshot, accounts, problems };
}
