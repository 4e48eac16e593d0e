import { codes } from 'currency-codes';
import fc from 'fast-check';
import { currencyCode, minorDigits, quotationUnit } from './currency.js';
import { currencyText } from './currency-text.js';
import { decimalText, MAX_AMOUNT_MINOR, parseMinor } from './minor-units.js';

const CURRENCIES = codes().filter((code) => minorDigits(code) !== undefined);

describe('parseMinor', () => {
  it.each([
    ['12.34', 2, 1234],
    ['-12.34', 2, -1234],
    ['+5', 2, 500],
    ['.5', 2, 50],
    ['5.', 2, 500],
    ['100.5', 2, 10050],
    ['1250400', 0, 1250400],
    ['1.234', 3, 1234],
    ['-0', 2, 0],
    ['-0.004', 2, 0],
    ['0.005', 2, 1],
    ['-0.005', 2, -1],
    ['2.675', 2, 268],
    ['99.995', 2, 10000],
    ['1e-7', 2, 0],
    ['5e-3', 2, 1],
    ['1.5e3', 2, 150000],
    ['1234.4', 0, 1234],
    ['1234.5', 0, 1235],
    ['100000000000000', 0, 100000000000000],
    ['-1000000000000.00', 2, -100000000000000],
  ])('the amount %s with %i decimals is %i minor units', (text, digits, minor) => {
    expect(parseMinor(text, digits)).toBe(minor);
  });

  it.each([
    '',
    '.',
    '-',
    'abc',
    '1,234.56',
    '1 000',
    '0x10',
    'NaN',
    'Infinity',
    '1e9999',
    '100000000000001',
    '-100000000000001',
    '90071992547409.91e2',
    '1'.repeat(65),
  ])('the text %j is rejected as an amount', (text) => {
    expect(parseMinor(text, 0)).toBeNull();
  });

  it('an amount is parsed exactly and rounded half away from zero', () => {
    const anyDecimal = fc.stringMatching(/^-?\d{0,13}(\.\d{0,6})?$/);
    fc.assert(
      fc.property(anyDecimal, fc.integer({ min: 0, max: 4 }), (text, digits) => {
        const [whole = '', fraction = ''] = text.replace('-', '').split('.');
        const millionths = BigInt(whole + fraction.padEnd(6, '0')) * (text.startsWith('-') ? -1n : 1n);
        const unit = 10n ** BigInt(6 - digits);
        const rounded = (millionths + (unit / 2n) * (millionths < 0n ? -1n : 1n)) / unit;
        expect(parseMinor(text, digits)).toBe(whole + fraction === '' ? null : Number(rounded));
      }),
      { numRuns: 2_000 },
    );
  });

  it('an amount written as decimal text is parsed to the same amount, or rejected above the limit', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 4 }), (minor, digits) => {
        const isRead = Math.abs(minor) <= MAX_AMOUNT_MINOR;
        expect(parseMinor(decimalText(minor, digits), digits)).toBe(isRead ? minor + 0 : null);
      }),
    );
  });
});

describe('currencies', () => {
  it.each([
    ['JPY', 0],
    ['USD', 2],
    ['KWD', 3],
    ['CLF', 4],
    ['HUF', 2],
    ['IQD', 3],
    ['XCG', 2],
    ['XAU', 4],
    ['BTC', 8],
    ['ETH', 8],
    ['XRP', 6],
  ])('the currency %s has %i decimals', (code, digits) => {
    expect(minorDigits(code)).toBe(digits);
  });

  it.each(['', 'usd', 'XXX', 'XDR', 'https://bank.example/miles', 'ABC'])('%j has no minor unit', (code) => {
    expect(minorDigits(code)).toBeUndefined();
  });

  it('a currency code is read in any case, and another text is rejected', () => {
    expect(currencyCode(' eur ')).toBe('EUR');
    expect(currencyCode('https://bank.example/miles')).toBeNull();
    expect(currencyCode(null)).toBeNull();
    expect(currencyCode('GBp')).toBeNull();
    expect(currencyCode('gbp')).toBe('GBP');
  });

  it.each([
    ['GBp', 'GBP', -2],
    [' GBX ', 'GBP', -2],
    ['ZAc', 'ZAR', -2],
    ['ZAC', 'ZAR', -2],
    ['ILA', 'ILS', -2],
    ['GBP', 'GBP', 0],
    ['gbp', 'GBP', 0],
  ])('a price in %j is in %s times ten to the power of %i', (name, currency, exponent) => {
    expect(quotationUnit(name)).toEqual({ currency, exponent });
  });

  it.each(['GBQ', '', null])('a price in %j is in no known currency', (name) => {
    expect(quotationUnit(name)).toBeNull();
  });

  it.each([
    [123456, 'USD', '$1,234.56'],
    [-1200, 'USD', '-$12.00'],
    [500, 'CAD', 'CA$5.00'],
    [1001, 'JPY', '¥1,001'],
    [1234, 'KWD', 'KWD 1.234'],
    [-1234, 'KWD', '-KWD 1.234'],
    [12345, 'HUF', 'HUF 123.45'],
    [123_456_789, 'BTC', 'BTC 1.23456789'],
    [-15_000, 'XAU', '-XAU 1.5000'],
    [Number.MAX_SAFE_INTEGER, 'USD', '$90,071,992,547,409.91'],
  ])('%i minor units of %s are written as %s', (minor, currency, text) => {
    expect(currencyText(minor, currency)).toBe(text);
  });

  it.each(CURRENCIES)('amounts in %s are written as by the platform, with the decimals of ISO 4217', (currency) => {
    const digits = minorDigits(currency)!;
    const platform = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    const platformText = (minor: number) =>
      platform.format(decimalText(minor, digits) as Intl.StringNumericLiteral).replace('\u00a0', ' ');
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: -1_000_000, max: 1_000_000 }), (wide, narrow) => {
        expect(currencyText(wide, currency)).toBe(platformText(wide));
        expect(currencyText(narrow, currency)).toBe(platformText(narrow));
      }),
    );
  });
});
