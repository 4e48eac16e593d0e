import type { SnapshotTransaction } from './bank-provider.js';
import { problemsOfRows } from './account-problems.js';
import { LeftOutRows, TransactionHistory } from './transaction-history.js';

const NOTHING = { rows: [], unreadable: new LeftOutRows(), leavesGap: false };

/** Of an account of which the days from August to the day before yesterday are stored, and those from January wanted. */
function history() {
  const covered = new Map([['A', [{ from: '2025-08-01', until: '2026-03-13' }]]]);
  return new TransactionHistory('A', { today: '2026-03-15', historyFrom: '2025-01-01', covered }, 5);
}

describe('TransactionHistory of an account of which a part is stored', () => {
  it('the newest days are missing first, with an overlap, and then those before the stored ones', () => {
    const account = history();
    expect(account.missing).toEqual({ from: '2026-03-08', until: '2026-03-16' });
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    expect(account.missing).toEqual({ from: '2025-01-01', until: '2025-08-01' });
    expect(account.inSnapshot.covered).toEqual([{ from: '2026-03-08', until: '2026-03-15' }]);
  });

  it('nothing older is missing after two empty windows before the stored days, not after one on each side', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    account.add({ from: '2025-06-18', until: '2025-08-01' }, NOTHING);
    expect(account.missing?.until).toBe('2025-06-18');
    account.add({ from: '2025-05-05', until: '2025-06-18' }, NOTHING);
    expect(account.missing).toBeNull();
    expect(account.inSnapshot.covered[0]).toEqual({ from: null, until: '2025-08-01' });
  });

  it('empty windows that were fetched for other accounts do not end a history', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    account.add({ from: '2026-01-23', until: '2026-03-08' }, NOTHING);
    account.add({ from: '2025-12-10', until: '2026-01-23' }, NOTHING);
    expect(account.missing?.until).toBe('2025-08-01');
  });

  it('a history does not end after two windows with only unreadable transactions, unless they repeat', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    account.add({ from: '2025-06-18', until: '2025-08-01' }, { ...NOTHING, unreadable: answer({ id: 'a' }) });
    account.add({ from: '2025-05-05', until: '2025-06-18' }, { ...NOTHING, unreadable: answer({ id: 'b' }) });
    expect(account.missing?.until).toBe('2025-05-05');
    // A server that ignores the days lists the same one again and again.
    account.add({ from: '2025-03-22', until: '2025-05-05' }, { ...NOTHING, unreadable: answer({ id: 'b' }) });
    account.add({ from: '2025-02-06', until: '2025-03-22' }, { ...NOTHING, unreadable: answer({ id: 'b' }) });
    expect(account.missing).toBeNull();
  });

  it('a pending transaction that the bank lists in every window does not prolong a history', () => {
    const account = history();
    const rows = [row({ pending: true })];
    account.add({ from: '2025-06-18', until: '2025-08-01' }, { ...NOTHING, rows });
    account.add({ from: '2025-05-05', until: '2025-06-18' }, { ...NOTHING, rows });
    expect(account.missing).toBeNull();
  });
});

describe('the days of which a list is whole', () => {
  const coveredWith = (unreadable: number, rows: number, foreign = 0) => {
    const account = history();
    const listed = Array.from({ length: rows }, (_, index) => row({ externalId: `T-${index}` }));
    const items = (count: number) => answer(...Array.from({ length: count }, (_, index) => ({ index })));
    const window = { rows: listed, unreadable: items(unreadable), foreign: items(foreign), leavesGap: false };
    account.add({ from: '2026-03-08', until: null }, window);
    return account.inSnapshot.covered;
  };

  it('a list is not whole if most of its transactions cannot be read or name another account', () => {
    expect([coveredWith(2, 1), coveredWith(0, 0, 2)]).toEqual([[], []]);
  });

  it('a list is whole beside a single transaction that cannot be read, so that it is not fetched again each time', () => {
    const whole = [{ from: '2026-03-08', until: '2026-03-15' }];
    expect([coveredWith(1, 0), coveredWith(2, 2)]).toEqual([whole, whole]);
  });
});

describe('a transaction that several windows list', () => {
  const listed = (...windows: Partial<SnapshotTransaction>[][]) => {
    const account = history();
    for (const rows of windows) account.add({ from: '2026-03-08', until: null }, { ...NOTHING, rows: rows.map(row) });
    return account.transactions;
  };

  it('a transaction that two windows list is kept once, as the newer window lists it', () => {
    expect(listed([{ amountMinor: -200 }], [{ amountMinor: -100 }])).toMatchObject([{ amountMinor: -200 }]);
  });

  it('a posted transaction replaces the pending one listed under the same id', () => {
    const rows = [{ pending: true, amountMinor: -4_200 }, { amountMinor: -5_040 }];
    expect(listed(rows)).toMatchObject([{ pending: false, amountMinor: -5_040 }]);
  });
});

function answer(...items: unknown[]): LeftOutRows {
  const rows = new LeftOutRows();
  for (const item of items) rows.add(item);
  return rows;
}

describe('LeftOutRows', () => {
  it('a transaction left out of several responses is counted once, but equal ones of one response are counted each', () => {
    const all = new LeftOutRows();
    all.merge(answer({ id: 'a' }, { id: 'b' }, { id: 'b' }));
    all.merge(answer({ id: 'b' }, { id: 'a' }));
    all.merge(answer({ id: 'b' }, { id: 'b' }, { id: 'c' }));
    expect(all.count).toBe(4);
  });

  it('a transaction that is left out may be nested arbitrarily deep', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(answer(deep, null, 'text').count).toBe(3);
  });
});

const row = (more: Partial<SnapshotTransaction>): SnapshotTransaction => ({
  ...{ externalId: 'a', date: '2026-03-10', amountMinor: -100, currency: 'EUR', description: '', merchant: null },
  ...{ pending: false, ...more },
});

describe('transactions dated before the requested days', () => {
  it('a posted transaction is kept up to five years before the requested days, and left out and reported beyond', () => {
    const account = history();
    const rows = ['1970-01-05', '2020-01-02', '2020-01-03'].map((date) => row({ externalId: date, date }));
    account.add({ from: '2026-03-08', until: null }, { ...NOTHING, rows });
    account.add({ from: '2026-01-23', until: '2026-03-08' }, { ...NOTHING, rows });
    expect(account.transactions.map(({ date }) => date)).toEqual(['2020-01-03']);
    // One that is stored with its right date is not withdrawn for it.
    expect(account.inSnapshot.unreadableRows).toBe(2);
    expect([...problemsOfRows(account)].map(({ message }) => message)).toEqual([
      '2 transactions came with a date years before the requested days, the oldest with 1970-01-05, and were left out.',
      expect.stringContaining('2020-01-03, far outside'),
    ]);
  });

  it('a pending transaction is kept however old its date is', () => {
    const account = history();
    const rows = [row({ date: '1970-01-05', pending: true })];
    account.add({ from: '2026-03-08', until: null }, { ...NOTHING, rows });
    expect([account.transactions.length, [...problemsOfRows(account)]]).toEqual([1, []]);
  });
});

describe('transactions of one response with the same id', () => {
  const problemsOf = (...answers: Partial<SnapshotTransaction>[][]) => {
    const account = history();
    for (const rows of answers) account.add({ from: '2026-03-08', until: null }, { ...NOTHING, rows: rows.map(row) });
    return [...problemsOfRows(account)].map(({ message }) => message);
  };

  it('different posted transactions with the same id are reported, and only one of them is kept', () => {
    const [other, third] = [{ amountMinor: -200 }, { date: '2026-03-09' }];
    expect(problemsOf([{}, other])).toEqual(['1 transaction came under the id of another one and was left out.']);
    expect(problemsOf([{}, { currency: 'CHF' }])).toHaveLength(1);
    // A server that ignores the days lists them in every answer.
    expect(problemsOf([{}, other, third], [{}, other, third])).toEqual([
      '2 transactions came under the id of another one and were left out.',
    ]);
  });

  it('two transactions with the same id count as one if equal, if one is pending, or if a later response changed it', () => {
    expect(problemsOf([{}, { description: 'again' }])).toEqual([]);
    expect(problemsOf([{ pending: true, amountMinor: -90 }, {}])).toEqual([]);
    expect(problemsOf([{}, { pending: true, amountMinor: -90 }])).toEqual([]);
    expect(problemsOf([{}], [{ amountMinor: -200 }])).toEqual([]);
  });

  const listedOf = (...answers: Partial<SnapshotTransaction>[][]) => {
    const account = history();
    for (const rows of answers) account.add({ from: '2026-03-08', until: null }, { ...NOTHING, rows: rows.map(row) });
    return account.transactions.map(({ externalId, amountMinor }) => [externalId, amountMinor]);
  };

  it('different pending transactions with the same id are all kept, with the same distinct ids each time', () => {
    const held = (amountMinor: number, more = {}) => ({ externalId: '0', pending: true, amountMinor, ...more });
    const answer = [held(-2_000), held(-3_500), held(-2_000, { date: '2026-03-09' }), held(-2_000)];
    const kept = [
      ['0 2026-03-10 -2000', -2_000],
      ['0 2026-03-10 -3500', -3_500],
      ['0 2026-03-09 -2000', -2_000],
    ];
    expect(listedOf(answer)).toEqual(kept);
    expect(listedOf(answer, answer.toReversed())).toEqual(kept);
    expect(listedOf([held(-2_000)], [held(-2_000)])).toEqual([['0', -2_000]]);
  });

  it('transactions with the same id are all kept if months lie between them', () => {
    const [newer, older] = [{}, { date: '2025-06-01', amountMinor: -200 }];
    expect(listedOf([newer], [older], [older])).toEqual([
      ['a', -100],
      ['a 2025-06-01', -200],
    ]);
    expect(listedOf([newer], [{ ...older, amountMinor: -100 }])).toEqual([['a', -100]]);
  });
});
