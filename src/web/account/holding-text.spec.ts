import { priceText, quantityText } from './holding-text.js';

describe('a holding in words', () => {
  it.each([
    ['162.5530', '162.553'],
    ['8268.00', '8,268'],
    ['-5', '−5'],
    ['0.000123456789', '0.00012346'],
  ])('counts %s as %s', (quantity, text) => expect(quantityText(quantity)).toBe(text));

  it.each([
    ['357.477131', 'USD', '$357.4771'],
    ['1', 'USD', '$1.00'],
    ['1520', 'JPY', '¥1,520'],
    ['0.0042', 'EUR', '€0.0042'],
  ])('prices %s %s at %s', (price, currency, text) => expect(priceText(price, currency)).toBe(text));
});
