import {
  isFor,
  type ScriptedGlobalProvider,
  startScriptedGlobalProvider,
  TODAY,
  wireAccount,
  wireHold,
  wirePage,
  wireTransaction,
} from '../../../test/support/scripted-global-provider.js';
import { type Fault, storedUntil } from '../../../test/support/scripted-server.js';
import { addDays, type CalendarDate } from '../../platform/time/calendar-date.js';

const TWO_YEARS = '2024-03-15';
/** One day a month, for two years. */
const MONTHLY = Array.from({ length: 24 }, (_, month) => addDays(TODAY, -5 - 30 * month));

describe('the history of an account', () => {
  let global: ScriptedGlobalProvider;

  beforeEach(async () => {
    global = await startScriptedGlobalProvider();
  });
  afterEach(() => global.server.stop());

  const booked = (days: CalendarDate[]) => days.map((day, index) => wireTransaction(`T-${index}-${day}`, day, -1));

  function serve(transactions: object[], fault?: Fault) {
    global.serve([{ wire: wireAccount(), transactions }], fault);
  }

  const known = (day: CalendarDate) => storedUntil({ 20417: day });

  it('the history is requested in windows of 90 days with inclusive ends, newest first, the newest without an end', async () => {
    serve(booked(MONTHLY));
    const { accounts } = await global.snapshot({ historyFrom: '2025-07-01' });
    expect(global.windows()).toEqual([
      ['2025-12-16', null],
      ['2025-09-17', '2025-12-15'],
      ['2025-07-01', '2025-09-16'],
    ]);
    expect(accounts[0]).toMatchObject({ covered: [{ from: '2025-07-01', until: TODAY }] });
    for (const { query } of global.server.requests) expect([...query.keys()]).not.toContain('start_date');
  });

  it('the history of a known account is requested from thirty days before its last complete day, in one request', async () => {
    serve(booked(MONTHLY));
    const { accounts } = await global.snapshot({ historyFrom: TWO_YEARS, covered: known('2026-03-14') });
    expect(global.windows()).toEqual([['2026-02-12', null]]);
    expect(accounts[0]).toMatchObject({ covered: [{ from: '2026-02-12', until: TODAY }] });
  });

  it('a sync succeeds if there are no transactions', async () => {
    serve([]);
    const { accounts, problems } = await global.snapshot({ covered: known('2026-03-14') });
    expect([accounts[0]?.transactions, accounts[0]?.covered.length, problems]).toEqual([[], 1, []]);
  });

  describe('a server that ignores the query parameters', () => {
    const ignores =
      (rows: object[]): Fault =>
      (reply, request) =>
        isFor('transactions')(request) ? { body: wirePage(rows) } : reply;

    it('transactions before the requested range are dropped, and pending ones unless they are wanted', async () => {
      const rows = [wireHold('2026-03-14', -2.3), ...booked(MONTHLY), wireHold('2024-05-01', -9)];
      serve([], ignores(rows));
      const [held, without] = [true, false].map((includePending) =>
        global.snapshot({ covered: known('2026-03-10'), includePending }),
      );
      const oldest = ({ transactions }: { transactions: { date: string }[] }) =>
        transactions.map(({ date }) => date).sort();
      expect(oldest((await held!).accounts[0]!)).toEqual(['2026-02-08', '2026-03-10', '2026-03-14']);
      expect(oldest((await without!).accounts[0]!)).toEqual(['2026-02-08', '2026-03-10']);
    });

    it('a transaction is returned once, without needless requests, if the server ignores the date range', async () => {
      serve([], ignores([wireHold('2026-03-14', -2.3), wireHold('2026-03-14', -2.3), ...booked(MONTHLY)]));
      const { accounts, problems } = await global.snapshot({ historyFrom: TWO_YEARS });
      expect(problems).toEqual([]);
      expect(accounts[0]!.transactions).toHaveLength(26);
      expect(accounts[0]!.covered).toHaveLength(1);
      expect(global.windows()).toHaveLength(3);
    });
  });

  describe('a server that caps the number of transactions', () => {
    /** The newest rows of what was asked for, and how many there would be. */
    const capped =
      (most: number, totalOf: (count: number) => unknown = (count) => count): Fault =>
      (reply, request) => {
        if (!isFor('transactions')(request)) return reply;
        const { transactions } = reply.body as { transactions: object[] };
        return { body: wirePage(transactions.slice(0, most), { total: totalOf(transactions.length) }) };
      };

    it('a window with fewer transactions than its total is split in halves until all are found', async () => {
      const everyDay = Array.from({ length: 90 }, (_, day) => addDays(TODAY, -day));
      serve([...booked(everyDay), wireHold(TODAY, -2.3), wireHold(TODAY, -2.3)], capped(20));
      const { accounts, problems } = await global.snapshot({ historyFrom: everyDay.at(-1)! });
      expect(problems).toEqual([]);
      expect(accounts[0]).toMatchObject({ covered: [{ from: everyDay.at(-1), until: TODAY }] });
      expect(accounts[0]!.transactions).toHaveLength(92);
      expect(global.windows().length).toBeLessThan(20);
    });

    it('unreadable transactions in split windows are counted', async () => {
      const [newest, ...others] = Array.from({ length: 30 }, (_, day) => addDays(TODAY, -day));
      const unreadable = others.map((day) => wireTransaction(`T-${day}`, day, -1, { amount: 'ten' }));
      serve([...booked([newest!]), ...unreadable], capped(15));
      const { problems } = await global.snapshot({ covered: known('2026-03-14') });
      expect(problems).toMatchObject([
        { kind: 'unexpected_reply', message: expect.stringMatching(/^29 transactions/) },
      ]);
    });

    it('a window is split in halves, too, if its total is a string', async () => {
      serve(booked([TODAY, addDays(TODAY, -1)]), capped(1, String));
      const { accounts } = await global.snapshot();
      expect(accounts[0]!.transactions).toHaveLength(2);
    });

    it('an account is not complete if a single day has more transactions than the server returns', async () => {
      const rows = Array.from({ length: 30 }, (_, index) => wireTransaction(`T-${index}`, '2026-03-10', -index));
      serve(rows, capped(20));
      const { accounts, problems } = await global.snapshot();
      expect(accounts[0]).toMatchObject({ covered: [] });
      expect(accounts[0]!.transactions).toHaveLength(20);
      expect(problems).toMatchObject([{ kind: 'data_incomplete', accountExternalId: '20417' }]);
      expect(problems[0]?.message).toMatch(/returns only part of the transactions of one day/);
    });

    it('a known account is complete if the total counts something else than its transactions', async () => {
      serve(booked(MONTHLY), (reply, request) =>
        isFor('transactions')(request) ? { body: { ...(reply.body as object), total: 9_999 } } : reply,
      );
      const { accounts, problems } = await global.snapshot({ covered: known('2026-03-14') });
      expect([accounts[0]?.covered.length, problems]).toEqual([1, []]);
      expect(global.windows()).toHaveLength(3);
    });

    it.each([89, 90, 91, 120, 180])(
      'a new account with %i days of history is complete even if the total counts something else',
      async (days) => {
        serve(booked(MONTHLY), (reply, request) =>
          isFor('transactions')(request) ? { body: { ...(reply.body as object), total: 9_999 } } : reply,
        );
        const { accounts } = await global.snapshot({ historyFrom: addDays(TODAY, -days) });
        expect(accounts[0]?.covered).toHaveLength(1);
      },
    );

    /** Counts these, too, where they are not asked for. */
    function countingHidden(holds: object[]): Fault {
      return (reply, request) => {
        if (!isFor('transactions')(request)) return reply;
        const { transactions } = reply.body as { transactions: object[] };
        const [from, to] = [request.query.get('from')!, request.query.get('to') ?? TODAY];
        const hidden = (holds as { date: string }[]).filter(({ date }) => date >= from && date <= to).length;
        const isAsked = request.query.has('include_pending');
        return { body: wirePage(transactions, { total: transactions.length + (isAsked ? 0 : hidden) }) };
      };
    }

    it('an account is complete if the total counts pending transactions that were not requested', async () => {
      const holds = [wireHold('2026-03-14', -2.3), wireHold('2026-02-20', -2.3)];
      const rows = [...holds, ...booked(MONTHLY), ...booked([addDays(TODAY, -20)])];
      serve(rows, countingHidden(holds));
      const { accounts, problems } = await global.snapshot({ includePending: false });
      expect([accounts[0]?.covered.length, problems]).toEqual([1, []]);
      expect(accounts[0]!.transactions.some(({ pending }) => pending)).toBe(false);
      expect(global.windows()).toHaveLength(2);
    });

    it.each([
      ['nothing else', [], 1],
      ['a posted transaction of the same day', booked(['2026-03-10']), 2],
    ])('a total that counts an unrequested pending transaction is accepted beside %s', async (_, others, windows) => {
      const holds = [wireHold('2026-03-10', -2.3)];
      serve([...holds, ...others], countingHidden(holds));
      const { accounts, problems } = await global.snapshot({
        ...{ includePending: false, covered: known('2026-03-14') },
      });
      expect([accounts[0]?.covered.length, accounts[0]?.transactions.length, problems]).toEqual([1, others.length, []]);
      expect(global.windows()).toHaveLength(windows);
    });

    it('a total that is not a number is ignored', async () => {
      serve(booked(MONTHLY), (reply, request) =>
        isFor('transactions')(request) ? { body: { ...(reply.body as object), total: 'many' } } : reply,
      );
      expect((await global.snapshot({ covered: known('2026-03-14') })).problems).toEqual([]);
      expect(global.windows()).toHaveLength(1);
    });
  });

  it('transactions fetched before a window fails are kept, and the missing history is reported', async () => {
    serve(booked(MONTHLY), (reply, request) =>
      isFor('transactions')(request) && request.query.get('to') !== null ? { status: 503 } : reply,
    );
    const { accounts, problems } = await global.snapshot({ historyFrom: TWO_YEARS });
    expect(accounts[0]).toMatchObject({
      covered: [{ from: '2025-12-16', until: TODAY }],
      balance: { amountMinor: 10000 },
    });
    expect(accounts[0]!.transactions.length).toBeGreaterThan(0);
    expect(problems).toMatchObject([
      { kind: 'network', message: expect.stringMatching(/\(status 503\).*The transactions were not updated\.$/) },
    ]);
  });

  it('the progress of a sync is reported as readable steps with the number of accounts', async () => {
    serve(booked(MONTHLY));
    const steps: unknown[] = [];
    await global.snapshot({ historyFrom: '2025-11-01', onProgress: (progress) => steps.push(progress) });
    expect(steps).toEqual([
      { step: 'the list of accounts', accountsTotal: null },
      { step: 'Compte courant: balance', accountsTotal: 1 },
      { step: 'Compte courant: transactions since 16 December 2025', accountsTotal: 1 },
      { step: 'Compte courant: transactions since 1 November 2025', accountsTotal: 1 },
      { step: 'Compte courant: holdings', accountsTotal: 1 },
    ]);
  });
});
