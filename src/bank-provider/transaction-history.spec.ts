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

describe('the history of an account of which a part is known', () => {
  it('goes on before that part as soon as the newest days meet it', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    expect(account.missing).toEqual({ from: '2025-01-01', until: '2025-08-01' });
    expect([account.coveredFrom, account.knownFrom, account.isComplete]).toEqual(['2026-03-08', '2025-08-01', false]);
  });

  it('asks on without a leap while there are days between', () => {
    const account = history({ until: '2026-01-02' });
    account.add({ from: '2026-01-31', until: null }, NOTHING);
    expect(account.missing).toEqual({ from: '2025-01-01', until: '2026-01-31' });
    account.add({ from: '2025-12-18', until: '2026-01-31' }, NOTHING);
    expect(account.missing?.until).toBe('2025-08-01');
    expect(account.coveredFrom).toBe('2025-12-18');
  });

  it('does not end because there was nothing on either side of that part', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    account.add({ from: '2025-06-18', until: '2025-08-01' }, NOTHING);
    expect(account.missing?.until).toBe('2025-06-18');
    account.add({ from: '2025-05-05', until: '2025-06-18' }, NOTHING);
    expect([account.missing, account.isComplete]).toEqual([null, true]);
  });

  it('takes what is asked for other accounts’ sake for no progress', () => {
    const account = history();
    account.add({ from: '2026-03-08', until: null }, NOTHING);
    account.add({ from: '2026-01-23', until: '2026-03-08' }, NOTHING);
    expect([account.missing?.until, account.knownFrom]).toEqual(['2025-08-01', '2025-08-01']);
  });

  it('does not end because no row on that side could be read', () => {
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

  it('is not known further back than a gap in the newest days', () => {
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

describe('rows that are left out', () => {
  it('are counted once although every answer has them, and equal ones of one answer each', () => {
    const all = new LeftOutRows();
    all.merge(answer({ id: 'a' }, { id: 'b' }, { id: 'b' }));
    all.merge(answer({ id: 'b' }, { id: 'a' }));
    all.merge(answer({ id: 'b' }, { id: 'b' }, { id: 'c' }));
    expect(all.count).toBe(4);
  });

  it('may be nested however deeply', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(answer(deep, null, 'text').count).toBe(3);
  });
});

const row = (more: object) => ({
  ...{ externalId: 'a', date: '2026-03-10', amountMinor: -100, currency: 'EUR', description: '', merchant: null },
  ...{ pending: false, ...more },
});

describe('a row dated before what was wanted', () => {
  it('is kept up to five years before, and beyond left out once and told: a history would begin there', () => {
    const account = history();
    const rows = ['1970-01-05', '2020-01-02', '2020-01-03'].map((date) => row({ externalId: date, date }));
    account.add({ from: '2026-03-08', until: null }, { ...NOTHING, rows });
    account.add({ from: '2026-01-23', until: '2026-03-08' }, { ...NOTHING, rows });
    expect(account.transactions.map(({ date }) => date)).toEqual(['2020-01-03']);
    // One that is stored with its right date is not withdrawn for it.
    expect(account.inSnapshot.unreadableRows).toBe(2);
    expect([...problemsOfRows(account)].map(({ message }) => message)).toEqual([
      '2 transactions of this account came with a date years before the requested days, the oldest with 1970-01-05, and are left out.',
      expect.stringContaining('2020-01-03, far outside'),
    ]);
  });

  it('is kept where it is pending, because it begins no history', () => {
    const account = history();
    const rows = [row({ date: '1970-01-05', pending: true })];
    account.add({ from: '2026-03-08', until: null }, { ...NOTHING, rows });
    expect([account.transactions.length, [...problemsOfRows(account)]]).toEqual([1, []]);
  });
});

describe('rows of one answer under one id', () => {
  const problemsOf = (...answers: object[][]) => {
    const account = history();
    for (const rows of answers) account.add({ from: '2026-03-08', until: null }, { ...NOTHING, rows: rows.map(row) });
    return [...problemsOfRows(account)].map(({ message }) => message);
  };

  it('are told where they are several transactions, of which one is kept', () => {
    const [other, third] = [{ amountMinor: -200 }, { date: '2026-03-09' }];
    expect(problemsOf([{}, other])).toEqual([
      '1 transaction of this account came under the id of another one and is left out.',
    ]);
    expect(problemsOf([{}, { currency: 'CHF' }])).toHaveLength(1);
    // A server that ignores the days lists them in every answer.
    expect(problemsOf([{}, other, third], [{}, other, third])).toEqual([
      '2 transactions of this account came under the id of another one and are left out.',
    ]);
  });

  it('are one where they are equal, one of them is pending, or another answer has changed it', () => {
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

  it('are all kept where they are several pending ones, under the same ids in every answer', () => {
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

  it('are all kept where a bank uses an id again after months', () => {
    const [newer, older] = [{}, { date: '2025-06-01', amountMinor: -200 }];
    expect(listedOf([newer], [older], [older])).toEqual([
      ['a', -100],
      ['a 2025-06-01', -200],
    ]);
    expect(listedOf([newer], [{ ...older, amountMinor: -100 }])).toEqual([['a', -100]]);
  });
});
