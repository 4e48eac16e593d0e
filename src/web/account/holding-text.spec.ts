import { alignDecimals, priceText, quantityText } from './holding-text.js';

describe('text of holdings', () => {
  it.each([
    ['162.5530', '162.553'],
    ['8268.00', '8,268'],
    ['-5', '−5'],
    ['0.000123456789', '0.00012346'],
  ])('the quantity %s is written as %s', (quantity, text) => expect(quantityText(quantity)).toBe(text));

  it.each([
    ['357.477131', 'USD', '$357.4771'],
    ['1', 'USD', '$1.00'],
    ['1520', 'JPY', '¥1,520'],
    ['0.0042', 'EUR', '€0.0042'],
  ])('the price %s %s is written as %s', (price, currency, text) => expect(priceText(price, currency)).toBe(text));

  it('numbers in a column are aligned at the decimal point', () => {
    const [point, digit] = ['\u2008', '\u2007'];
    expect(alignDecimals(['162.553', '8,268', '1,125.1985', '–'])).toEqual([
      `162.553${digit}`,
      `8,268${point}${digit.repeat(4)}`,
      '1,125.1985',
      `–${point}${digit.repeat(4)}`,
    ]);
    expect(alignDecimals(['40', '5'])).toEqual(['40', '5']);
    expect(alignDecimals([])).toEqual([]);
  });
});
