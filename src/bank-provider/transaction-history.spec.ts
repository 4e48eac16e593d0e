import { problemsOfRows } from './account-problems.js';
import { LeftOutRows, TransactionHistory } from './transaction-history.js';

const NOTHING = { rows: [], unreadable: new LeftOutRows(), leavesGap: false };
const known = { from: '2025-08-01', until: '2026-03-13' };

/** Of an account that is known from August to the day before yesterday, and wanted from January. */
function history(more: Partial<typeof known> = {}) {
  const partlyKnown = new Map([['A', { ...known, ...more }]]);
  const wanted = { today: '2026-03-15', historyFrom: '2025-01-01', completeUntil: new Map(), partlyKnown };
  return new TransactionHistory('A', wanted, '2025-01-01');
}

describe('TransactionHistory of an account with an unfinished backfill', () => {
  it('a backfill resumes before the known days once the newest days meet them', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    expect(account.missing).toEqual({ from: '2025-01-01', until: '2025-08-01' });
    expect([account.coveredFrom, account.knownFrom, account.isComplete]).toEqual(['2026-03-08', '2025-08-01', false]);
  });

  it('a backfill fetches the days between the newest window and the known days without a gap', () => {
    const account = history({ until: '2026-01-02' });
    account.add({ from: '2026-01-31', until: null }, NOTHING);
    expect(account.missing).toEqual({ from: '2025-01-01', until: '2026-01-31' });
    account.add({ from: '2025-12-18', until: '2026-01-31' }, NOTHING);
    expect(account.missing?.until).toBe('2025-08-01');
    expect(account.coveredFrom).toBe('2025-12-18');
  });

  it('a backfill ends after two empty windows before the known days, not after one on each side', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    account.add({ from: '2025-06-18', until: '2025-08-01' }, NOTHING);
    expect(account.missing?.until).toBe('2025-06-18');
    account.add({ from: '2025-05-05', until: '2025-06-18' }, NOTHING);
    expect([account.missing, account.isComplete]).toEqual([null, true]);
  });

  it('windows fetched for other accounts are not counted as progress of the backfill', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    account.add({ from: '2026-01-23', until: '2026-03-08' }, NOTHING);
    expect([account.missing?.until, account.knownFrom]).toEqual(['2025-08-01', '2025-08-01']);
  });

  it('a backfill does not end after two windows with only unreadable transactions, unless they repeat', () => {
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

  it('an account with a gap in the newest days is not complete, whatever older days are fetched', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, { ...NOTHING, leavesGap: true });
    account.add({ from: '2025-06-18', until: '2025-08-01' }, NOTHING);
    expect([account.coveredFrom, account.knownFrom, account.isComplete]).toEqual([null, null, false]);
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

const row = (more: object) => ({
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
  const problemsOf = (...answers: object[][]) => {
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

  const listedOf = (...answers: object[][]) => {
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
