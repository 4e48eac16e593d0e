import { accountNameOf, reportedCurrency } from './read-values.js';

describe('an account', () => {
  it.each([
    ['usd', 'USD'],
    ['eur', 'EUR'],
    [' EUR ', 'EUR'],
    ['BTC', 'BTC'],
    ['https://bridge.example/currency/miles', 'https://bridge.example/currency/miles'],
    ['', null],
    [null, null],
    [undefined, null],
  ])('with the currency %j has %j', (currency, code) => {
    expect(reportedCurrency(currency)).toBe(code);
  });

  it('without a name gets one, and a name is at most 200 characters', () => {
    expect(accountNameOf('\u0000 ')).toBe('Unnamed account');
    expect(accountNameOf('\u3164\u200d')).toBe('Unnamed account');
    expect(accountNameOf(null)).toBe('Unnamed account');
    expect(accountNameOf('x'.repeat(999))).toHaveLength(200);
  });
});
