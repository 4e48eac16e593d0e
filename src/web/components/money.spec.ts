import { alignDecimals, anyMoneyText, moneyText, numberText, priceText, withNumberFormat } from './money.js';

describe('numbers on a page', () => {
  it.each([
    ['en-US', 123_456_789, 'USD', '$1,234,567.89'],
    ['de-DE', 123_456_789, 'USD', '1.234.567,89\u00a0$'],
    ['fr-FR', 123_450, 'CHF', '1\u202f234,50\u00a0CHF'],
    ['de-CH', -1_001, 'JPY', "¥−1'001"],
    ['en-IN', 123_456_789, 'INR', '₹12,34,567.89'],
    ['en-US', 1_234, 'KWD', 'KWD\u00a01.234'],
    ['en-US', -1_200, 'USD', '−$12.00'],
    ['en-US', 99_999_999_999_999, 'USD', '$999,999,999,999.99'],
  ] as const)('in the format %s, %d minor units of %s are written as %s', (format, minor, currency, expected) => {
    expect(withNumberFormat(format, () => moneyText(minor, currency))).toBe(expected);
  });

  it('an amount in an unknown currency is written in its minor units', () => {
    expect(anyMoneyText(-1_500, 'https://bank.example/miles')).toBe('https://bank.example/miles −1500');
    expect(anyMoneyText(-1_500, 'EUR')).toBe('−€15.00');
  });

  it.each([
    ['162.5530', '162.553'],
    ['8268.00', '8,268'],
    ['-5', '−5'],
    ['0.000123456789', '0.00012346'],
  ])('the quantity %s is written as %s', (quantity, text) =>
    expect(numberText(quantity, { maximumFractionDigits: 8 })).toBe(text),
  );

  it.each([
    ['357.477131', 'USD', '$357.4771'],
    ['1', 'USD', '$1.00'],
    ['1520', 'JPY', '¥1,520'],
    ['0.0042', 'EUR', '€0.0042'],
  ])('the price %s %s is written as %s', (price, currency, text) => expect(priceText(price, currency, 4)).toBe(text));

  it('numbers in a column are aligned at the decimal point', () => {
    const [point, digit] = ['\u2008', '\u2007'];
    expect(alignDecimals(['162.553', '8,268', '1,125.1985', '–'])).toEqual([
      `162.553${digit}`,
      `8,268${point}${digit.repeat(4)}`,
      '1,125.1985',
      `–${point}${digit.repeat(4)}`,
    ]);
    expect(withNumberFormat('de-DE', () => alignDecimals(['5,25\u00a0€', '1.000\u00a0€']))).toEqual([
      '5,25\u00a0€',
      `1.000\u00a0€${point}${digit.repeat(2)}`,
    ]);
    expect(alignDecimals(['40', '5'])).toEqual(['40', '5']);
    expect(alignDecimals([])).toEqual([]);
  });

  it('numbers are written in English again after a page is rendered, also if rendering fails', () => {
    expect(withNumberFormat('de-DE', () => numberText(12_345))).toBe('12.345');
    expect(() =>
      withNumberFormat('de-DE', () => {
        throw new Error('no page');
      }),
    ).toThrow('no page');
    expect(numberText(12_345)).toBe('12,345');
  });
});
