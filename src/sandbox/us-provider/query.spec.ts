import { addDays, unixSecondsOf } from '../../time/calendar-date.js';
import { ADVICE_NOTICE, answeredWindow, CAPPED_NOTICE, readAccountsQuery } from './query.js';

const read = (text: string) => readAccountsQuery(new URLSearchParams(text));

describe('the parameters of /accounts', () => {
  it('are all optional', () => {
    expect(read('')).toEqual({
      startAt: null,
      endAt: null,
      pending: false,
      balancesOnly: false,
      accountIds: [],
      version: 1,
    });
  });

  it('are read when given', () => {
    expect(read('start-date=100&end-date=200&pending=1&balances-only=1&account=a&account=b%20c&version=2')).toEqual({
      startAt: 100,
      endAt: 200,
      pending: true,
      balancesOnly: true,
      accountIds: ['a', 'b c'],
      version: 2,
    });
  });

  it.each(['pending=0', 'pending=', 'pending'])('ask for pending rows by presence: %s', (text) => {
    expect(read(text)?.pending).toBe(true);
  });

  it.each(['2026-01-01', '1772366400000', '-5', '1.5', ''])(
    'count as absent when no seconds: start-date=%s',
    (text) => {
      expect(read(`start-date=${text}`)?.startAt).toBeNull();
    },
  );

  it('name a version that exists', () => {
    expect(read('version=1')?.version).toBe(1);
    expect(read('version=3')).toBeNull();
  });
});

describe('the answered window', () => {
  const today = '2026-11-21';
  const limits = { adviceDays: 45, capDays: 90 };
  const ago = (days: number) => unixSecondsOf(addDays(today, -days));

  it.each([
    [44, null],
    [45, ADVICE_NOTICE],
    [89, ADVICE_NOTICE],
    [90, CAPPED_NOTICE],
    [400, CAPPED_NOTICE],
  ])('of the last %i days draws the notice %j', (days, notice) => {
    expect(answeredWindow(ago(days), null, today, limits).notice).toBe(notice);
  });

  it('is advised by calendar days and capped by elapsed time', () => {
    const noon = 43_200;
    expect(answeredWindow(ago(45) + noon, null, today, limits).notice).toBe(ADVICE_NOTICE);
    expect(answeredWindow(ago(90) + noon, null, today, limits).notice).toBe(ADVICE_NOTICE);
  });

  it('is measured to its own end, wherever that lies', () => {
    expect(answeredWindow(ago(344), ago(300), today, limits).notice).toBeNull();
    expect(answeredWindow(ago(345), ago(300), today, limits).notice).toBe(ADVICE_NOTICE);
    expect(answeredWindow(ago(89), ago(-1), today, limits).notice).toBe(CAPPED_NOTICE);
  });

  it('loses its oldest part when capped', () => {
    expect(answeredWindow(ago(500), ago(300), today, limits)).toMatchObject({ startAt: ago(390), endAt: ago(300) });
    expect(answeredWindow(ago(500), null, today, limits)).toMatchObject({ startAt: ago(90), endAt: Infinity });
  });

  it('is as asked otherwise', () => {
    expect(answeredWindow(ago(60), ago(20), today, limits)).toMatchObject({ startAt: ago(60), endAt: ago(20) });
  });
});
