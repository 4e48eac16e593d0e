import type { BankSnapshot, SnapshotAccount } from '../bank-provider/bank-provider.js';
import type { CalendarDate } from '../time/calendar-date.js';

type Days = ReadonlyMap<string, CalendarDate>;

/**
 * What an answer is worth for an account whose whole history was asked for again, in case the bank has delivered more of
 * it. One that reaches back to what was known before is complete: that requests ran out in the search for more is no
 * trouble.
 *
 * @param knownUntil the day up to which each such account was complete, by external id
 */
export function completeWithKnownHistory(account: SnapshotAccount, knownUntil: Days): SnapshotAccount {
  const { externalId, coveredFrom } = account;
  const known = knownUntil.get(externalId);
  const reachesBack = known !== undefined && coveredFrom !== null && coveredFrom <= known;
  return reachesBack ? { ...account, complete: true } : account;
}

/** The same for all accounts of an answer, which has no trouble then where nothing of them is missing. */
export function completeAllWithKnownHistory(snapshot: BankSnapshot, knownUntil: Days): BankSnapshot {
  const accounts = snapshot.accounts.map((account) => completeWithKnownHistory(account, knownUntil));
  const isWhole = accounts.every(({ complete }) => complete);
  const problems = snapshot.problems.filter(
    ({ kind, accountExternalId }) => !isWhole || kind !== 'rate_limited' || accountExternalId !== undefined,
  );
  return { ...snapshot, accounts, problems };
}
