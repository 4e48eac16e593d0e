import type { BankSnapshot, SnapshotAccount } from '../../bank-provider/bank-provider.js';
import type { CalendarDate } from '../../time/calendar-date.js';

/**
 * What an answer is worth for accounts whose whole history was asked for again, in case the bank has delivered more of it.
 * One that reaches back to what was known before is complete: that requests ran out in the search for more is no trouble.
 *
 * @param knownUntil the day up to which each of them was complete, by external id
 */
export function askedAgain(snapshot: BankSnapshot, knownUntil: ReadonlyMap<string, CalendarDate>): BankSnapshot {
  const accounts = snapshot.accounts.map((account) => ({
    ...account,
    complete: account.complete || reachesBack(account, knownUntil),
  }));
  const isWhole = accounts.every(({ complete }) => complete);
  const problems = snapshot.problems.filter(
    ({ kind, accountExternalId }) => !isWhole || kind !== 'rate_limited' || accountExternalId !== undefined,
  );
  return { ...snapshot, accounts, problems };
}

function reachesBack({ externalId, coveredFrom }: SnapshotAccount, knownUntil: ReadonlyMap<string, CalendarDate>) {
  const known = knownUntil.get(externalId);
  return known !== undefined && coveredFrom !== null && coveredFrom <= known;
}
