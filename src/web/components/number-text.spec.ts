import { countText, numbersIn, withNumberFormat } from './number-text.js';

describe('numbers on a page', () => {
  it.each([
    ['en-US', '$1,234,567.89', '$1,234,567.89'],
    ['de-DE', '$1,234,567.89', '$1.234.567,89'],
    ['fr-FR', 'CHF 1,234.50', 'CHF 1\u202f234,50'],
    ['de-CH', '-¥1,001', "-¥1'001"],
    ['en-IN', '₹1,234,567.89', '₹12,34,567.89'],
    ['de-DE', 'BTC 0.01234567', 'BTC 0,01234567'],
    ['de-DE', 'It fell by $5.00, then by $1,000. Nothing else.', 'It fell by $5,00, then by $1.000. Nothing else.'],
    [
      'de-DE',
      'Everyday Checking (4417), 21 Nov 2026, version 1.2.3',
      'Everyday Checking (4417), 21 Nov 2026, version 1.2.3',
    ],
  ] as const)('in the number format %s the text %s is written as %s', (format, text, expected) => {
    expect(withNumberFormat(format, () => numbersIn(text))).toBe(expected);
  });

  it('numbers are written in English again after a page is rendered, also if rendering fails', () => {
    expect(withNumberFormat('de-DE', () => countText(12_345))).toBe('12.345');
    expect(() =>
      withNumberFormat('de-DE', () => {
        throw new Error('no page');
      }),
    ).toThrow('no page');
    expect(countText(12_345)).toBe('12,345');
  });
});
