import { isConnected, readBalance, readTransaction, type WireAccount } from './payload.js';

function read(more: object = {}) {
  const usual = { id: 'T', accountId: 20417, amount: -54.9, currency: 'EUR', date: '2026-03-04', isPending: false };
  return readTransaction({ ...usual, merchant: 'Epicerie Verte', description: 'CB EPICERIE 0403', ...more });
}

describe('readTransaction', () => {
  it('a transaction is read with its account, day, amount, currency, merchant and description', () => {
    expect(read()).toEqual({
      ...{ id: 'T', accountId: '20417', amount: '-54.9', currency: 'EUR', pending: false },
      ...{ written: { date: '2026-03-04' }, merchant: 'Epicerie Verte', description: 'CB EPICERIE 0403' },
    });
  });

  it('a transaction in the older API format is read with its other field names', () => {
    const older = { account_id: 1, merchant_name: 'Streamly', pending: true, category: 'Entertainment' };
    const moment = { unixSeconds: Date.parse('2026-03-01T08:15:00Z') / 1000, isWhole: false };
    expect(readTransaction({ id: 5002, amount: -12.99, date: '2026-03-01T08:15:00Z', ...older })).toEqual({
      ...{ id: '5002', accountId: '1', amount: '-12.99', currency: undefined, pending: true },
      ...{ written: { date: '2026-03-01', moment }, merchant: 'Streamly', description: null },
    });
  });

  it.each([
    ['2026-03-04T23:30:00-05:00', '2026-03-04'],
    ['2026-03-04T00:30:00+05:00', '2026-03-04'],
    ['2026-03-04 12:00:00', '2026-03-04'],
    [' 2026-03-04', '2026-03-04'],
  ])('a transaction dated %j keeps the day as it is written', (date, day) => {
    expect(read({ date })?.written?.date).toBe(day);
  });

  it.each([
    ['2026-03-04T23:30:00-05:00', { unixSeconds: Date.parse('2026-03-05T04:30:00Z') / 1000, isWhole: false }],
    ['2026-03-04t12:00z', { unixSeconds: Date.parse('2026-03-04T12:00:00Z') / 1000, isWhole: true }],
    ['2026-03-04 00:00:00.000+01:00', { unixSeconds: Date.parse('2026-03-03T23:00:00Z') / 1000, isWhole: true }],
    ['2026-03-04T12:00:00', undefined],
    ['2026-03-04T24:30:00Z', undefined],
    ['2026-03-04', undefined],
  ])('a transaction dated %j has the timestamp %j', (date, moment) => {
    expect(read({ date })?.written?.moment).toEqual(moment);
  });

  it.each([
    { date: undefined },
    { date: '04.03.2026' },
    { date: '2026-02-30' },
    { date: '0001-01-01T00:00:00' },
    { date: '1900-01-01' },
    { date: '1970-01-01' },
    { amount: undefined },
    { merchant: { name: 'Shop' } },
    { isPending: 'yes' },
  ])('a transaction with %j is unreadable', (more) => {
    expect(read(more)).toBeNull();
  });

  it('a blank id is none', () => {
    expect([null, ' ', undefined].map((id) => read({ id })?.id)).toEqual([null, null, null]);
  });

  it.each([
    ['<b>Cafe</b><br>Lac &amp; Fils', 'Cafe Lac & Fils'],
    ['Smith <smith@bank.example>', 'Smith <smith@bank.example>'],
    ['Shop\u0000\u202e\u001b[31m', 'Shop'],
    [' undefined ', null],
    [' \n', null],
    [null, null],
    [undefined, null],
  ])('the merchant %j is read as %j', (merchant, name) => {
    expect(read({ merchant })?.merchant).toBe(name);
  });

  it.each([
    ['PAIEMENT <i>LAUSANNE</i>', 'PAIEMENT LAUSANNE'],
    ['undefined', null],
    ['', null],
  ])('the description %j is read as %j', (description, words) => {
    expect(read({ description })?.description).toBe(words);
  });

  it.each([
    [undefined, false],
    [null, false],
    [false, false],
    ['false', false],
    [true, true],
    ['true', true],
    [1, true],
  ])('a transaction with isPending %j is pending: %s', (isPending, pending) => {
    expect(read({ isPending })?.pending).toBe(pending);
  });
});

describe('readBalance', () => {
  it.each([
    [
      { amount: 1432.6, currency: 'EUR' },
      { amount: '1432.6', available: undefined, currency: 'EUR' },
    ],
    [{ amount: '-318.05' }, { amount: '-318.05', available: undefined }],
    [
      { available: 1681.95, current: -318.05 },
      { amount: '-318.05', available: '1681.95' },
    ],
    [{ available: 100 }, { amount: '100', available: null }],
    [{ amount: null }, { amount: undefined, available: null }],
  ])('the balance %j is read', (balance, expected) => {
    expect(readBalance({ body: JSON.stringify({ balance }) })).toEqual(expected);
  });
});

describe('isConnected', () => {
  it.each([
    ['ACTIVE', true],
    ['active', true],
    [undefined, true],
    [null, true],
    ['', true],
    ['DISCONNECTED', false],
    ['ERROR', false],
    ['INACTIVE', false],
    ['something new', false],
  ])('an account with the status %j is connected: %s', (status, connected) => {
    expect(isConnected({ status } as WireAccount)).toBe(connected);
  });
});
