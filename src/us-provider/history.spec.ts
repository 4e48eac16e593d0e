import { type ScriptedAnswer } from '../../test/support/scripted-server.js';
import {
  isForAccounts,
  isForTransactions,
  type ScriptedUsProvider,
  startScriptedUsProvider,
  wireAccount,
  wireHold,
  wireSet,
  wireTransaction,
} from '../../test/support/scripted-us-provider.js';
import { type CalendarDate, dateOfUnixSeconds, unixSecondsOf } from '../time/calendar-date.js';

/** Two years before the tests' today; 44 days back from it is 2026-01-31. */
const TWO_YEARS = '2024-03-15';

const LIMITED = { status: 429, headers: { 'Retry-After': '43200' }, body: '<html>' };

describe('the history of a connection', () => {
  let us: ScriptedUsProvider;

  beforeEach(async () => {
    us = await startScriptedUsProvider();
  });
  afterEach(() => us.server.stop());

  /**
   * Serves accounts with a posted row on each of these days, as the real server filters them.
   *
   * @param change what to make of an answer with transactions; `window`: the how manieth, from 0
   */
  function serve(
    daysByAccount: Record<string, CalendarDate[]>,
    change: (set: object, window: number) => ScriptedAnswer = (body) => ({ body }),
  ) {
    let window = 0;
    us.server.play((request) => {
      if (!isForAccounts(request)) return { status: 404 };
      if (!isForTransactions(request))
        return { body: wireSet(Object.keys(daysByAccount).map((id) => wireAccount({ id }))) };
      const start = Number(request.query.get('start-date'));
      const end = Number(request.query.get('end-date') ?? Infinity);
      const accounts = Object.entries(daysByAccount).map(([id, days]) => {
        const inWindow = days.filter((day) => unixSecondsOf(day) >= start && unixSecondsOf(day) < end);
        return wireAccount({
          id,
          transactions: inWindow.map((day) =>
            wireTransaction(`T-${day}`, day, '-1.00', { posted: unixSecondsOf(day) }),
          ),
        });
      });
      return change(wireSet(accounts), window++);
    });
  }

  /** One day a month, for two years. */
  const MONTHLY = Array.from({ length: 24 }, (_, month) =>
    dateOfUnixSeconds(unixSecondsOf('2024-04-01') + month * 30 * 86_400),
  );

  it('unreadable transactions that several windows list are reported once', async () => {
    const bad = ['2026-03-01', '2026-03-02'].map((day) => wireTransaction(`T-${day}`, day, 'none'));
    const points = wireAccount({ id: 'B', currency: 'https://points.example', transactions: bad });
    us.server.play((request) => {
      if (!isForAccounts(request)) return { status: 404 };
      return { body: wireSet([wireAccount({ id: 'A', transactions: bad }), points]) };
    });
    const { accounts, problems } = await us.snapshot({ historyFrom: '2025-12-15' });
    expect(us.windows().length).toBeGreaterThan(1);
    expect(accounts[0]!.unreadableRows).toBe(2);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('2 transactions could not be read'),
      expect.stringContaining('2 transactions are left out'),
    ]);
  });

  it('transactions that get today’s date because theirs is unreadable are reported in one problem', async () => {
    const row = (id: string, more: object) => wireTransaction(id, '2026-03-01', '-1.00', more);
    const nonsense = ['yesterday', null, 1772452800000].map((posted, index) =>
      row(`T-${index}`, { posted, transacted_at: null }),
    );
    const fine = [row('made', { posted: 'soon', transacted_at: unixSecondsOf('2026-03-02') })];
    const held = [wireHold('H', '2026-03-01', '-1.00', { transacted_at: null })];
    us.server.play((request) => {
      if (!isForAccounts(request)) return { status: 404 };
      return { body: wireSet([wireAccount({ id: 'A', transactions: [...nonsense, ...fine, ...held] })]) };
    });
    const { accounts, problems } = await us.snapshot();
    expect(accounts[0]!.transactions).toHaveLength(5);
    expect(problems).toEqual([
      expect.objectContaining({
        kind: 'unexpected_reply',
        accountExternalId: 'A',
        message: expect.stringMatching(/^3 transactions came without a date/),
      }),
    ]);
  });

  it('an account whose older window is unreadable is not complete and is reported', async () => {
    serve({ A: MONTHLY, B: MONTHLY }, (set, window) => {
      const { accounts } = set as { accounts: { id: string }[] };
      return {
        body: wireSet(accounts.map((one) => (window > 0 && one.id === 'B' ? { ...one, transactions: 'none' } : one))),
      };
    });
    const { accounts, problems } = await us.snapshot({ historyFrom: TWO_YEARS });
    expect(accounts.map(({ complete }) => complete)).toEqual([true, false]);
    expect(problems).toMatchObject([{ kind: 'unexpected_reply', accountExternalId: 'B' }]);
    expect(problems[0]!.message).toMatch(/at \$\.accounts\[1\]\.transactions/);
  });

  it('the history is requested in windows of 44 days on UTC midnights, newest first, each ending where the newer one starts', async () => {
    serve({ A: MONTHLY });
    const { accounts } = await us.snapshot({ historyFrom: '2025-11-01' });
    expect(us.windows()).toEqual([
      ['2026-01-31', null],
      ['2025-12-18', '2026-01-31'],
      ['2025-11-04', '2025-12-18'],
      ['2025-11-01', '2025-11-04'],
    ]);
    expect(accounts[0]).toMatchObject({ complete: true, coveredFrom: '2025-11-01' });
    for (const { query } of us.server.requests.filter(isForTransactions)) {
      expect(query.get('version')).toBe('2');
      expect(Number(query.get('start-date')) % 86_400).toBe(0);
      const span =
        (Number(query.get('end-date') ?? unixSecondsOf('2026-03-16')) - Number(query.get('start-date'))) / 86_400;
      expect(span).toBeLessThanOrEqual(44);
    }
  });

  it('every day of the history is returned once, including the first and last day of each window', async () => {
    const everyDay = Array.from({ length: 120 }, (_, day) =>
      dateOfUnixSeconds(unixSecondsOf('2025-11-16') + day * 86_400),
    );
    serve({ A: everyDay });
    const { accounts } = await us.snapshot({ historyFrom: '2025-11-16' });
    expect(accounts[0]!.transactions.map(({ date }) => date).sort()).toEqual(everyDay);
  });

  it('a history of two years is fetched in seventeen windows', async () => {
    serve({ A: MONTHLY });
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS });
    expect(us.windows()).toHaveLength(17);
    expect(accounts[0]).toMatchObject({ complete: true, coveredFrom: TWO_YEARS });
    expect(accounts[0]!.transactions).toHaveLength(24);
  });

  it('the backfill ends after two empty windows in a row', async () => {
    serve({ A: ['2026-03-01', '2025-12-20', '2025-06-01'] });
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS });
    expect(us.windows().map(([from]) => from)).toEqual(['2026-01-31', '2025-12-18', '2025-11-04', '2025-09-21']);
    expect(accounts[0]).toMatchObject({ complete: true, coveredFrom: '2025-09-21' });
  });

  it('the backfill continues while any of several accounts has transactions', async () => {
    serve({ A: MONTHLY, B: ['2024-05-01'] });
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS });
    expect(us.windows()).toHaveLength(17);
    expect(accounts[1]?.transactions).toHaveLength(1);
  });

  it('known accounts are refetched over the whole newest window of 44 days', async () => {
    serve({ A: MONTHLY, B: MONTHLY });
    const completeUntil = new Map([
      ['A', '2026-03-14'],
      ['B', '2026-03-12'],
    ]);
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS, completeUntil });
    expect(us.windows()).toEqual([['2026-01-31', null]]);
    expect(accounts.map(({ complete, coveredFrom }) => [complete, coveredFrom])).toEqual([
      [true, '2026-01-31'],
      [true, '2026-01-31'],
    ]);
    expect([us.server.requests.length, us.spent()]).toEqual([2, 2]);
  });

  it('a new account is backfilled even if another account is already known', async () => {
    serve({ A: MONTHLY, B: ['2026-03-01', '2026-01-10'] });
    const { accounts } = await us.snapshot({
      historyFrom: '2025-12-01',
      completeUntil: new Map([['A', '2026-03-14']]),
    });
    expect(us.windows()).toEqual([
      ['2026-01-31', null],
      ['2025-12-18', '2026-01-31'],
      ['2025-12-01', '2025-12-18'],
    ]);
    expect(accounts.map(({ complete, transactions }) => [complete, transactions.length])).toEqual([
      [true, 3],
      [true, 2],
    ]);
  });

  it('a long gap of a known account is filled without stopping at empty windows', async () => {
    serve({ A: ['2025-08-01'] });
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS, completeUntil: new Map([['A', '2025-07-20']]) });
    expect(us.windows().at(-1)?.[0]).toBe('2025-07-15');
    expect(accounts[0]?.transactions).toHaveLength(1);
  });

  it('an account that is no longer listed causes no backfill', async () => {
    serve({ A: MONTHLY });
    await us.snapshot({
      historyFrom: TWO_YEARS,
      completeUntil: new Map([
        ['A', '2026-03-14'],
        ['CLOSED', '2024-05-01'],
      ]),
    });
    expect(us.windows()).toEqual([['2026-01-31', null]]);
  });

  it('a bank that cannot be read causes no backfill', async () => {
    const errlist = [{ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' }];
    serve({ A: MONTHLY }, (set) => ({ body: { ...set, errlist } }));
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS });
    expect(us.windows()).toHaveLength(1);
    expect(accounts[0]?.complete).toBe(false);
  });

  it('a transaction that two windows list is returned once, as the newest window lists it', async () => {
    us.server.play((request) => {
      if (!isForAccounts(request)) return { status: 404 };
      const amount = request.query.has('end-date') ? '-1.00' : '-2.00';
      return { body: wireSet([wireAccount({ transactions: [wireTransaction('T-1', '2026-02-01', amount)] })]) };
    });
    const { accounts } = await us.snapshot({ historyFrom: '2026-01-01' });
    expect(accounts[0]!.transactions).toMatchObject([{ externalId: 'T-1', amountMinor: -200 }]);
  });

  it('a posted transaction replaces the pending one listed under the same id', async () => {
    const transactions = [wireHold('T-1', '2026-03-01', '-42.00'), wireTransaction('T-1', '2026-03-03', '-50.40')];
    us.server.play({ body: wireSet([wireAccount({ transactions })]) });
    const { accounts } = await us.snapshot();
    expect(accounts[0]!.transactions).toMatchObject([{ pending: false, date: '2026-03-03', amountMinor: -5040 }]);
  });

  it('transactions fetched before a window fails are kept, and the missing history is reported', async () => {
    serve({ A: MONTHLY, B: MONTHLY }, (body, window) => (window < 2 ? { body } : LIMITED));
    const completeUntil = new Map([['B', '2026-03-10']]);
    const { accounts, problems, retryAfterSeconds } = await us.snapshot({ historyFrom: TWO_YEARS, completeUntil });
    expect(problems).toEqual([
      {
        ...{ kind: 'rate_limited', isOfOlderDays: true },
        message: expect.stringMatching(/^History before 2025-12-18 is still missing/),
      },
    ]);
    expect(accounts.map(({ complete, coveredFrom }) => [complete, coveredFrom])).toEqual([
      [false, '2025-12-18'],
      [true, '2025-12-18'],
    ]);
    expect(accounts[0]!.balance?.amountMinor).toBe(10000);
    expect(retryAfterSeconds).toBe(43_200);
  });

  it('an interrupted backfill resumes where it stopped, after the newest days are fetched', async () => {
    serve({ A: MONTHLY });
    const partlyKnown = new Map([['A', { from: '2025-08-01', until: '2026-03-13' }]]);
    const { accounts } = await us.snapshot({ historyFrom: '2025-06-01', partlyKnown });
    expect(us.windows()).toEqual([
      ['2026-01-31', null],
      ['2025-06-18', '2025-08-01'],
      ['2025-06-01', '2025-06-18'],
    ]);
    expect(accounts[0]).toMatchObject({ complete: true, coveredFrom: '2026-01-31', knownFrom: '2025-06-01' });
  });

  it('a new account is backfilled in full while the backfill of another account resumes', async () => {
    serve({ A: MONTHLY, B: MONTHLY });
    const partlyKnown = new Map([['A', { from: '2025-12-10', until: '2026-03-13' }]]);
    const { accounts } = await us.snapshot({ historyFrom: '2025-11-15', partlyKnown });
    expect(us.windows()).toEqual([
      ['2026-01-31', null],
      ['2025-12-18', '2026-01-31'],
      ['2025-11-15', '2025-12-18'],
    ]);
    expect(accounts.map(({ complete, knownFrom }) => [complete, knownFrom])).toEqual([
      [true, '2025-11-15'],
      [true, '2025-11-15'],
    ]);
  });

  it('the backfill fails with access_revoked if access is revoked between two windows', async () => {
    const revoked = {
      status: 403,
      body: { errlist: [{ code: 'gen.auth', msg: 'Forbidden' }], accounts: [], connections: [] },
    };
    serve({ A: MONTHLY }, (body, window) => (window < 2 ? { body } : revoked));
    await expect(us.snapshot({ historyFrom: TWO_YEARS })).rejects.toMatchObject({ kind: 'access_revoked' });
  });

  it('a window that the provider capped leaves the account incomplete', async () => {
    const errlist = [{ code: 'gen.api', msg: 'Asked range exceeds limit of 90 days and was capped.' }];
    serve({ A: MONTHLY }, (set, window) => ({ body: window === 1 ? { ...set, errlist } : set }));
    const { accounts, problems } = await us.snapshot({ historyFrom: '2025-11-01' });
    expect(problems).toMatchObject([{ kind: 'data_incomplete' }]);
    expect(accounts[0]).toMatchObject({ complete: false, coveredFrom: '2026-01-31' });
  });

  it('a window that the provider capped leaves the account incomplete even if two empty windows follow', async () => {
    const errlist = [{ code: 'gen.api', msg: 'Asked range exceeds limit of 90 days and was capped.' }];
    serve({ A: ['2026-03-01'] }, (set, window) => ({ body: window === 1 ? { ...set, errlist } : set }));
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS });
    expect(us.windows()).toHaveLength(3);
    expect(accounts[0]).toMatchObject({ complete: false, coveredFrom: '2026-01-31' });
  });

  it('a window that does not list the account leaves it incomplete', async () => {
    serve({ A: MONTHLY }, (set, window) => ({ body: window === 1 ? { ...set, accounts: [] } : set }));
    const { accounts } = await us.snapshot({ historyFrom: '2025-11-01' });
    expect(accounts[0]).toMatchObject({ complete: false, coveredFrom: '2026-01-31' });
  });

  it('a pending transaction that the bank lists in every window does not prolong the backfill', async () => {
    const hold = wireHold('H-1', '2026-03-14', '-42.00');
    us.server.play((request) =>
      isForAccounts(request) ? { body: wireSet([wireAccount({ transactions: [hold] })]) } : { status: 404 },
    );
    const { accounts, problems } = await us.snapshot({ historyFrom: TWO_YEARS });
    expect([us.windows().length, problems, accounts[0]!.transactions.length]).toEqual([2, [], 1]);
  });

  it('an account is complete if the provider only advises a shorter date range', async () => {
    const errors = ['Range exceeds the recommended range of 45 days and may be capped.'];
    serve({ A: MONTHLY }, (set) => ({ body: { ...set, errors } }));
    const { accounts, problems } = await us.snapshot({ historyFrom: '2025-11-01' });
    expect([problems, accounts[0]?.complete]).toEqual([[], true]);
  });

  it('the progress of a backfill is reported as readable steps with the number of accounts', async () => {
    serve({ A: MONTHLY, B: MONTHLY });
    const steps: unknown[] = [];
    await us.snapshot({ historyFrom: '2026-01-01', onProgress: (progress) => steps.push(progress) });
    expect(steps).toEqual([
      { step: 'balances', accountsTotal: null },
      { step: 'the newest transactions', accountsTotal: 2 },
      { step: 'transactions since 1 January 2026', accountsTotal: 2 },
    ]);
  });
});
