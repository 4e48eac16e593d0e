import { addDays, unixSecondsOf } from '../../src/platform/time/calendar-date.js';
import { ADVICE_NOTICE, answeredWindow, CAPPED_NOTICE, readAccountsQuery } from './query.js';

const read = (text: string) => readAccountsQuery(new URLSearchParams(text));

describe('readAccountsQuery', () => {
  it('all parameters of /accounts are optional', () => {
    expect(read('')).toEqual({
      startAt: null,
      endAt: null,
      pending: false,
      balancesOnly: false,
      accountIds: [],
      version: 1,
    });
  });

  it('all parameters of /accounts are read if given', () => {
    expect(read('start-date=100&end-date=200&pending=1&balances-only=1&account=a&account=b%20c&version=2')).toEqual({
      startAt: 100,
      endAt: 200,
      pending: true,
      balancesOnly: true,
      accountIds: ['a', 'b c'],
      version: 2,
    });
  });

  it.each(['pending=0', 'pending=', 'pending'])('the mere parameter requests pending transactions: %s', (text) => {
    expect(read(text)?.pending).toBe(true);
  });

  it.each(['2026-01-01', '1772366400000', '-5', '1.5', ''])(
    'a start date that is not in seconds counts as absent: start-date=%s',
    (text) => {
      expect(read(`start-date=${text}`)?.startAt).toBeNull();
    },
  );

  it('a protocol version that does not exist is rejected', () => {
    expect(read('version=1')?.version).toBe(1);
    expect(read('version=3')).toBeNull();
  });
});

describe('answeredWindow', () => {
  const today = '2026-11-21';
  const limits = { adviceDays: 45, capDays: 90 };
  const ago = (days: number) => unixSecondsOf(addDays(today, -days));

  it.each([
    [44, null],
    [45, ADVICE_NOTICE],
    [89, ADVICE_NOTICE],
    [90, CAPPED_NOTICE],
    [400, CAPPED_NOTICE],
  ])('a window of the last %i days gets the notice %j', (days, notice) => {
    expect(answeredWindow(ago(days), null, today, limits).notice).toBe(notice);
  });

  it('a window is advised against by calendar days and capped by elapsed time', () => {
    const noon = 43_200;
    expect(answeredWindow(ago(45) + noon, null, today, limits).notice).toBe(ADVICE_NOTICE);
    expect(answeredWindow(ago(90) + noon, null, today, limits).notice).toBe(ADVICE_NOTICE);
  });

  it('the length of a window is measured to its own end, in the past or the future', () => {
    expect(answeredWindow(ago(344), ago(300), today, limits).notice).toBeNull();
    expect(answeredWindow(ago(345), ago(300), today, limits).notice).toBe(ADVICE_NOTICE);
    expect(answeredWindow(ago(89), ago(-1), today, limits).notice).toBe(CAPPED_NOTICE);
  });

  it('a capped window loses its oldest part', () => {
    expect(answeredWindow(ago(500), ago(300), today, limits)).toMatchObject({ startAt: ago(390), endAt: ago(300) });
    expect(answeredWindow(ago(500), null, today, limits)).toMatchObject({ startAt: ago(90), endAt: Infinity });
  });

  it('a window within the limits is answered as requested', () => {
    expect(answeredWindow(ago(60), ago(20), today, limits)).toMatchObject({ startAt: ago(60), endAt: ago(20) });
  });
});
