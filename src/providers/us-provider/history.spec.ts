import { type ScriptedAnswer, storedUntil } from '../../../test/support/scripted-server.js';
import {
  isForAccounts,
  isForTransactions,
  type ScriptedUsProvider,
  startScriptedUsProvider,
  TODAY,
  wireAccount,
  wireHold,
  wireSet,
  wireTransaction,
} from '../../../test/support/scripted-us-provider.js';
import { type CalendarDate, dateOfUnixSeconds, unixSecondsOf } from '../../platform/time/calendar-date.js';

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
    expect(accounts.map(({ covered }) => covered[0]?.from)).toEqual([TWO_YEARS, '2026-01-31']);
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
    expect(accounts[0]).toMatchObject({ covered: [{ from: '2025-11-01', until: TODAY }] });
    for (const { query } of us.server.requests.filter(isForTransactions)) {
      expect(query.get('version')).toBe('2');
      expect(Number(query.get('start-date')) % 86_400).toBe(0);
      const span =
        (Number(query.get('end-date') ?? unixSecondsOf('2026-03-16')) - Number(query.get('start-date'))) / 86_400;
      expect(span).toBeLessThanOrEqual(44);
    }
  });

  it('known accounts are refetched over the whole newest window of 44 days', async () => {
    serve({ A: MONTHLY, B: MONTHLY });
    const covered = storedUntil({ A: '2026-03-14', B: '2026-03-12' });
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS, covered });
    expect(us.windows()).toEqual([['2026-01-31', null]]);
    const newest = [{ from: '2026-01-31', until: TODAY }];
    expect(accounts.map(({ covered }) => covered)).toEqual([newest, newest]);
    expect([us.server.requests.length, us.spent()]).toEqual([2, 2]);
  });

  it('an account that is no longer listed causes no backfill', async () => {
    serve({ A: MONTHLY });
    await us.snapshot({
      historyFrom: TWO_YEARS,
      covered: storedUntil({ A: '2026-03-14', CLOSED: '2024-05-01' }),
    });
    expect(us.windows()).toEqual([['2026-01-31', null]]);
  });

  it('a bank that cannot be read causes no backfill', async () => {
    const errlist = [{ code: 'con.auth', msg: 'Sign in.', conn_id: 'CON-1' }];
    serve({ A: MONTHLY }, (set) => ({ body: { ...set, errlist } }));
    const { accounts } = await us.snapshot({ historyFrom: TWO_YEARS });
    expect(us.windows()).toHaveLength(1);
    expect(accounts[0]?.covered).toEqual([]);
  });

  it('transactions fetched before a window fails are kept, and the missing history is reported', async () => {
    serve({ A: MONTHLY, B: MONTHLY }, (body, window) => (window < 2 ? { body } : LIMITED));
    const covered = storedUntil({ B: '2026-03-10' });
    const { accounts, problems, retryAfterSeconds } = await us.snapshot({ historyFrom: TWO_YEARS, covered });
    expect(problems).toEqual([
      {
        ...{ kind: 'rate_limited', isOfOlderDays: true },
        message: expect.stringMatching(/^History before 2025-12-18 is still missing/),
      },
    ]);
    const newest = [{ from: '2025-12-18', until: TODAY }];
    expect(accounts.map(({ covered }) => covered)).toEqual([newest, newest]);
    expect(accounts[0]!.balance?.amountMinor).toBe(10000);
    expect(retryAfterSeconds).toBe(43_200);
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
    expect(accounts[0]).toMatchObject({ covered: [{ from: '2026-01-31', until: TODAY }] });
  });

  it('a window that does not list the account leaves it incomplete', async () => {
    serve({ A: MONTHLY }, (set, window) => ({ body: window === 1 ? { ...set, accounts: [] } : set }));
    const { accounts } = await us.snapshot({ historyFrom: '2025-11-01' });
    expect(accounts[0]).toMatchObject({ covered: [{ from: '2026-01-31', until: TODAY }] });
  });

  it('an account is complete if the provider only advises a shorter date range', async () => {
    const errors = ['Range exceeds the recommended range of 45 days and may be capped.'];
    serve({ A: MONTHLY }, (set) => ({ body: { ...set, errors } }));
    const { accounts, problems } = await us.snapshot({ historyFrom: '2025-11-01' });
    expect(problems).toEqual([]);
    expect(accounts[0]).toMatchObject({ covered: [{ from: '2025-11-01', until: TODAY }] });
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
