import type { BankSnapshot, SnapshotAccount } from '../bank-provider/bank-provider.js';
import { completeAllWithKnownHistory } from './backfill.js';

const RAN_OUT = { kind: 'rate_limited', message: 'The history before 2025-12-01 could not be fetched.' } as const;
const KNOWN = new Map([['A', '2026-03-14']]);

function account(externalId: string, coveredFrom: string | null, complete = false): SnapshotAccount {
  return {
    ...{ externalId, name: 'Checking', institution: null, currency: 'USD', balance: null, suggestedType: null },
    ...{ transactions: [], complete, coveredFrom, knownFrom: coveredFrom, holdings: { status: 'unknown' } },
  };
}

function told(accounts: SnapshotAccount[], problems: BankSnapshot['problems'] = [RAN_OUT]) {
  const snapshot = completeAllWithKnownHistory({ accounts, problems }, KNOWN);
  return [snapshot.accounts.map(({ complete }) => complete), snapshot.problems];
}

describe('a whole history that was asked for again', () => {
  it('is complete as far as it was known before, though requests ran out', () => {
    expect(told([account('A', '2026-01-31'), account('B', '2026-01-31', true)])).toEqual([[true, true], []]);
  });

  it('is not complete where the newest days lack something', () => {
    expect(told([account('A', null)])).toEqual([[false], [RAN_OUT]]);
    expect(told([account('A', '2026-03-15')])).toEqual([[false], [RAN_OUT]]);
  });

  it('says what ran out when another account has never been complete', () => {
    expect(told([account('A', '2026-01-31'), account('NEW', '2026-01-31')])).toEqual([[true, false], [RAN_OUT]]);
  });

  it('keeps every other problem', () => {
    const others = [{ kind: 'network', message: 'Away.' } as const, { ...RAN_OUT, accountExternalId: 'A' }];
    expect(told([account('A', '2026-01-31')], [...others, RAN_OUT])).toEqual([[true], others]);
  });
});
