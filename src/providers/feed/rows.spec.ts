import { commonCurrency, type RawTransaction, readRows, type RowsWanted } from './rows.js';

const TODAY = '2026-03-15';
const DATED = { date: '2026-03-04' };

function raw(more: Partial<RawTransaction> = {}): RawTransaction {
  return {
    ...{ id: 'T', amount: '-54.90', currency: 'EUR', written: DATED, pending: false },
    ...{ description: 'CB EPICERIE 0403', merchant: 'Epicerie Verte', ...more },
  };
}

/** `null` among them cannot be read. */
function read(items: (RawTransaction | null)[], more: Partial<RowsWanted> = {}) {
  const asIs = (item: unknown) => item as RawTransaction | null;
  return readRows({ items, read: asIs, currency: 'EUR', today: TODAY, includePending: true, ...more });
}

const row = (more: Partial<RawTransaction> = {}, currency: string | null = 'EUR') =>
  read([raw(more)], { currency }).rows[0];

describe('readRows', () => {
  it('a transaction is read with its day, amount, currency, merchant and description', () => {
    expect(row()).toEqual({
      ...{ externalId: 'T', date: '2026-03-04', amountMinor: -5490, currency: 'EUR', pending: false },
      ...{ merchant: 'Epicerie Verte', description: 'CB EPICERIE 0403' },
    });
  });

  it.each([
    ['-18.75', 'USD', -1875],
    [' 12 ', 'USD', 1200],
    ['0.1', 'USD', 10],
    ['0.0000001', 'EUR', 0],
    ['-0', 'EUR', 0],
    ['1850.005', 'USD', 185001],
    ['-3200', 'JPY', -3200],
    ['-3200.5', 'JPY', -3201],
    ['1.2345', 'KWD', 1235],
    ['4.35', 'USD', 435],
  ])('an amount of %j in %s is exactly %i minor units', (amount, currency, minor) => {
    expect(row({ amount, currency })?.amountMinor).toBe(minor);
  });

  it.each([{ amount: '1,234.56' }, { amount: 'ten' }, { amount: '' }, { currency: 'points' }, { id: null }])(
    'a posted transaction with %j is unreadable',
    (more) => {
      const { rows, unreadable } = read([raw(more)]);
      expect([rows, unreadable.count, unreadable.tooLargeCount]).toEqual([[], 1, 0]);
    },
  );

  it('an amount above the limit is counted apart from what cannot be read', () => {
    const { unreadable } = read([raw({ amount: '12345678901234567' }), null]);
    expect([unreadable.count, unreadable.tooLargeCount]).toEqual([2, 1]);
  });

  it('a transaction without a currency takes the account’s, and is unreadable if neither is known', () => {
    expect(row({ currency: null })?.currency).toBe('EUR');
    expect(row({ currency: ' ' })?.currency).toBe('EUR');
    expect(row({ currency: ' chf ' })?.currency).toBe('CHF');
    expect(row({ currency: null }, null)).toBeUndefined();
    expect(row({}, null)?.currency).toBe('EUR');
  });

  it('a transaction without any date is dated today, marked as a guess, and is unreadable if it has no id either', () => {
    expect(row({ written: null })).toMatchObject({ date: TODAY, dateIsGuess: true });
    expect(row()).not.toHaveProperty('dateIsGuess');
    expect(row({ written: null, id: null, pending: true })).toBeUndefined();
  });

  it('texts become one line, and a missing description is that of the merchant', () => {
    expect(row({ merchant: 'SEPA VIREMENT\nREF 77120\r\n\tATELIER\u202e\u001b[31m' })?.merchant).toBe(
      'SEPA VIREMENT REF 77120 ATELIER',
    );
    expect(row({ merchant: 'x'.repeat(9_999) })?.merchant).toHaveLength(200);
    expect(row({ description: 'x'.repeat(9_999) })?.description).toHaveLength(500);
    expect(row({ description: ' ' })?.description).toBe('Epicerie Verte');
    expect(row({ description: null, merchant: '' })).toMatchObject({ merchant: null, description: '' });
  });

  it('a pending transaction without an id gets a stable one of its content, and an equal one gets another', () => {
    const held = raw({ id: null, pending: true });
    const idsOf = (items: RawTransaction[]) => read(items).rows.map(({ externalId }) => externalId);
    const ids = idsOf([held, held]);
    expect(new Set(ids).size).toBe(2);
    expect(idsOf([held, held])).toEqual(ids);
    expect(ids).not.toContain(idsOf([{ ...held, amount: '-2.4' }])[0]);
  });

  it('transactions that are not wanted are dropped: pending ones, older ones and those of another account', () => {
    const items = [raw({ pending: true }), raw({ written: { date: '2026-02-01' } }), raw({ accountId: ' 7' }), raw()];
    const wanted = { includePending: false, from: '2026-03-01', accountId: '8' };
    const { rows, foreign, unreadable } = read(items, wanted);
    expect([rows.length, foreign.count, unreadable.count]).toEqual([1, 1, 0]);
    expect(read(items, { ...wanted, accountId: '7' }).rows).toHaveLength(2);
  });

  it('transactions of an account without minor units are only counted', () => {
    const { rows, unsupported, unreadable } = read([raw(), null], { isUnsupported: true, currency: null });
    expect([rows, unsupported.count, unreadable.count]).toEqual([[], 2, 0]);
  });
});

describe('commonCurrency', () => {
  const common = (...currencies: string[]) =>
    commonCurrency({ items: currencies, read: (item) => raw({ currency: item as string }) });

  it('the currency of transactions is theirs if all agree', () => {
    expect([common('EUR', 'eur'), common('EUR', 'USD'), common('EUR', ''), common()]).toEqual([
      'EUR',
      null,
      null,
      null,
    ]);
  });
});
