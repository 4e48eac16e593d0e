import type { BankSnapshot, SnapshotAccount } from '../bank-provider/bank-provider.js';
import type { CalendarDate } from '../time/calendar-date.js';

type DaysById = ReadonlyMap<string, CalendarDate>;

/**
 * Completes the answer of a backfill. An answer that reaches back to the stored history is complete, even if the requests
 * ran out before its beginning.
 *
 * @param knownUntil by external id: the day up to which the account was complete
 */
export function completeWithKnownHistory(account: SnapshotAccount, knownUntil: DaysById): SnapshotAccount {
  const { externalId, coveredFrom } = account;
  const known = knownUntil.get(externalId);
  const reachesBack = known !== undefined && coveredFrom !== null && coveredFrom <= known;
  return reachesBack ? { ...account, complete: true } : account;
}

/** The same for all accounts. If all are complete, a rate limit is no problem. */
export function completeAllWithKnownHistory(snapshot: BankSnapshot, knownUntil: DaysById): BankSnapshot {
  const accounts = snapshot.accounts.map((account) => completeWithKnownHistory(account, knownUntil));
  const isWhole = accounts.every(({ complete }) => complete);
  const problems = snapshot.problems.filter(
    ({ kind, accountExternalId }) => !isWhole || kind !== 'rate_limited' || accountExternalId !== undefined,
  );
  return { ...snapshot, accounts, problems };
}
