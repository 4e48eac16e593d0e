import { ContentKeys, institutionOf, isConnected, mapBalance, mapTransaction } from './mapper.js';
import { readBalance, readTransaction, type WireAccount } from './payload.js';

function mapped(more: object = {}, currency: string | null = 'EUR') {
  const usual = { id: 'T', accountId: 20417, amount: -54.9, currency: 'EUR', date: '2026-03-04', isPending: false };
  const { value } = readTransaction({ ...usual, merchant: 'Epicerie Verte', description: 'CB EPICERIE 0403', ...more });
  return value && mapTransaction(value, currency, new ContentKeys());
}

const account = (more: object) => more as WireAccount;

describe('mapTransaction', () => {
  it('a transaction is mapped with its day, amount, currency, merchant and description', () => {
    expect(mapped()).toEqual({
      externalId: 'T',
      date: '2026-03-04',
      amountMinor: -5490,
      currency: 'EUR',
      pending: false,
      merchant: 'Epicerie Verte',
      description: 'CB EPICERIE 0403',
    });
  });

  it('a transaction in the older API format is read with its other field names', () => {
    const older = { account_id: 1, merchant_name: 'Streamly', pending: true, category: 'Entertainment' };
    const { value } = readTransaction({ id: 5002, amount: -12.99, date: '2026-03-01T08:15:00Z', ...older });
    expect(value && mapTransaction(value, 'GBP', new ContentKeys())).toEqual({
      externalId: '5002',
      date: '2026-03-01',
      moment: { unixSeconds: Date.parse('2026-03-01T08:15:00Z') / 1000, isWhole: false },
      amountMinor: -1299,
      currency: 'GBP',
      pending: true,
      merchant: 'Streamly',
      description: 'Streamly',
    });
  });

  it.each([
    ['2026-03-04T23:30:00-05:00', '2026-03-04'],
    ['2026-03-04T00:30:00+05:00', '2026-03-04'],
    ['2026-03-04 12:00:00', '2026-03-04'],
    [' 2026-03-04', '2026-03-04'],
  ])('a transaction dated %j keeps the day as it is written', (date, day) => {
    expect(mapped({ date })?.date).toBe(day);
  });

  it.each([
    ['2026-03-04T23:30:00-05:00', { unixSeconds: Date.parse('2026-03-05T04:30:00Z') / 1000, isWhole: false }],
    ['2026-03-04t12:00z', { unixSeconds: Date.parse('2026-03-04T12:00:00Z') / 1000, isWhole: true }],
    ['2026-03-04 00:00:00.000+01:00', { unixSeconds: Date.parse('2026-03-03T23:00:00Z') / 1000, isWhole: true }],
    ['2026-03-04T12:00:00', undefined],
    ['2026-03-04T24:30:00Z', undefined],
    ['2026-03-04', undefined],
  ])('a transaction dated %j has the timestamp %j', (date, moment) => {
    expect(mapped({ date })?.moment).toEqual(moment);
  });

  it.each([
    [-95.35, 'EUR', -9535],
    [15, 'EUR', 1500],
    ['-18.75', 'EUR', -1875],
    [-0, 'EUR', 0],
    [0, 'EUR', 0],
    [1e-7, 'EUR', 0],
    [1850.005, 'EUR', 185001],
    [-3200, 'JPY', -3200],
    [-3200.5, 'JPY', -3201],
    [1.2345, 'KWD', 1235],
    [4.35, 'USD', 435],
  ])('an amount of %j in %s is exactly %i minor units', (amount, currency, minor) => {
    expect(mapped({ amount, currency })?.amountMinor).toBe(minor);
  });

  it.each([
    { id: null },
    { id: ' ' },
    { id: undefined },
    { date: undefined },
    { date: '04.03.2026' },
    { date: '2026-02-30' },
    { date: '0001-01-01T00:00:00' },
    { date: '1900-01-01' },
    { date: '1970-01-01' },
    { amount: undefined },
    { amount: 'ten' },
    { amount: Number('12345678901234567') },
    { currency: 'points' },
    { merchant: { name: 'Shop' } },
    { isPending: 'yes' },
  ])('a posted transaction with %j is unreadable', (more) => {
    expect(mapped(more)).toBeNull();
  });

  it('a transaction without a currency takes the account’s, and is unreadable if neither is known', () => {
    expect(mapped({ currency: null })?.currency).toBe('EUR');
    expect(mapped({ currency: ' chf ' })?.currency).toBe('CHF');
    expect(mapped({ currency: null }, null)).toBeNull();
    expect(mapped({}, null)?.currency).toBe('EUR');
  });

  it.each([
    ['SEPA VIREMENT\nREF 77120\r\n\tATELIER', 'SEPA VIREMENT REF 77120 ATELIER'],
    ['<b>Cafe</b><br>Lac &amp; Fils', 'Cafe Lac & Fils'],
    ['Smith <smith@bank.example>', 'Smith <smith@bank.example>'],
    ['Shop\u0000\u202e\u001b[31m', 'Shop'],
    ['undefined', null],
    [' undefined ', null],
    ['', null],
    [' \n', null],
    [null, null],
    [undefined, null],
    ['x'.repeat(9_999), 'x'.repeat(200)],
  ])('the merchant %j is read as %j', (merchant, name) => {
    expect(mapped({ merchant })?.merchant).toBe(name);
  });

  it.each([
    ['PAIEMENT <i>LAUSANNE</i>', 'PAIEMENT LAUSANNE'],
    ['undefined', 'Epicerie Verte'],
    ['', 'Epicerie Verte'],
    [null, 'Epicerie Verte'],
  ])('the description %j is read as %j', (description, words) => {
    expect(mapped({ description })?.description).toBe(words);
  });

  it('a transaction without a merchant and a description has an empty description', () => {
    expect(mapped({ merchant: null, description: 'undefined' })).toMatchObject({ merchant: null, description: '' });
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
    expect(mapped({ isPending })?.pending).toBe(pending);
  });

  it('a pending transaction without an id gets a stable one of its content, and an equal one gets another', () => {
    const { value } = readTransaction({ id: null, amount: -2.3, currency: 'EUR', date: '2026-03-05', isPending: true });
    const idsOf = (keys: ContentKeys) => [1, 2].map(() => mapTransaction(value!, 'EUR', keys)?.externalId);
    const ids = idsOf(new ContentKeys());
    expect(new Set(ids).size).toBe(2);
    expect(idsOf(new ContentKeys())).toEqual(ids);
    const other = mapTransaction({ ...value!, amount: '-2.4' }, 'EUR', new ContentKeys());
    expect(ids).not.toContain(other?.externalId);
  });
});

describe('mapBalance', () => {
  const of = (balance: unknown, currency = 'EUR') =>
    mapBalance(readBalance({ body: JSON.stringify({ balance }) })!, currency);

  it.each([
    [{ amount: 1432.6 }, { amountMinor: 143260, availableMinor: null, date: null }],
    [{ amount: '-318.05' }, { amountMinor: -31805, availableMinor: null, date: null }],
    [{ amount: 0 }, { amountMinor: 0, availableMinor: null, date: null }],
    [
      { available: 1681.95, current: -318.05 },
      { amountMinor: -31805, availableMinor: 168195, date: null },
    ],
    [{ available: 100 }, { amountMinor: 10000, availableMinor: null, date: null }],
  ])('the balance %j is read', (balance, expected) => {
    expect(of(balance)).toEqual(expected);
  });

  it.each([{}, { amount: null }, { amount: '' }, { amount: 'n/a' }])(
    'the balance %j is unknown, not zero',
    (balance) => {
      expect(of(balance)).toBeNull();
    },
  );

  it.each([
    ['JPY', 120000, 120000],
    ['KWD', 1.234, 1234],
  ])('a balance in %s has the decimal places of that currency', (currency, amount, minor) => {
    expect(of({ amount }, currency)?.amountMinor).toBe(minor);
  });
});

describe('isConnected and institutionOf', () => {
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
    expect(isConnected(account({ status }))).toBe(connected);
  });

  it('the institution of an account is null if blank, and otherwise put on one line', () => {
    expect(institutionOf(account({ institution_name: ' ' }))).toBeNull();
    expect(institutionOf(account({ institution_name: 'Banque\ndu Lac' }))).toBe('Banque du Lac');
  });
});
