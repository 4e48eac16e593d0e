import type { BankSnapshot, SnapshotAccount } from '../../bank-provider/bank-provider.js';
import type { ProviderProblem } from '../../bank-provider/provider-error.js';
import { completeAllWithKnownHistory } from './history-coverage.queries.js';

const RAN_OUT: ProviderProblem = {
  kind: 'rate_limited',
  message: 'History before 2025-12-01 is still missing.',
  isOfOlderDays: true,
};
const KNOWN = new Map([['A', '2026-03-14']]);

function account(externalId: string, coveredFrom: string | null, complete = false): SnapshotAccount {
  return {
    externalId,
    name: 'Checking',
    institution: null,
    currency: 'USD',
    balance: null,
    suggestedType: null,
    transactions: [],
    complete,
    coveredFrom,
    knownFrom: coveredFrom,
    unreadableRows: 0,
    holdings: { status: 'unknown' },
  };
}

function completed(accounts: SnapshotAccount[], problems: BankSnapshot['problems'] = [RAN_OUT]) {
  const snapshot = completeAllWithKnownHistory({ accounts, problems, retryAfterSeconds: null }, KNOWN);
  return [snapshot.accounts.map(({ complete }) => complete), snapshot.problems];
}

describe('completeAllWithKnownHistory', () => {
  it('a refetched history is complete as far as it was known before, even if the request limit was reached', () => {
    expect(completed([account('A', '2026-01-31'), account('B', '2026-01-31', true)])).toEqual([[true, true], []]);
  });

  it('a refetched history is not complete if its newest days are missing', () => {
    expect(completed([account('A', null)])).toEqual([[false], [RAN_OUT]]);
    expect(completed([account('A', '2026-03-15')])).toEqual([[false], [RAN_OUT]]);
  });

  it('a refetched history keeps the rate limit problem if another account was never complete', () => {
    expect(completed([account('A', '2026-01-31'), account('NEW', '2026-01-31')])).toEqual([[true, false], [RAN_OUT]]);
  });

  it('a refetched history keeps every problem except the rate limit of older days', () => {
    const others: ProviderProblem[] = [
      { ...RAN_OUT, kind: 'network', message: 'Away.' },
      { kind: 'rate_limited', message: 'More than 24 requests today.' },
    ];
    expect(completed([account('A', '2026-01-31')], [...others, RAN_OUT])).toEqual([[true], others]);
  });
});
