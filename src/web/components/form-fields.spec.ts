import { amountOf, ownPath, rawTextOf, textOf, textsOf } from './form-fields.js';

describe('form fields', () => {
  it('a form field is read as text or as a list of texts, and anything else as empty', () => {
    const body = { name: ' Anna ', password: ' x ', scopes: ['a', 'b'], one: 'a' };
    expect(textOf(body, 'name')).toBe('Anna');
    expect(rawTextOf(body, 'password')).toBe(' x ');
    expect(textOf(body, 'scopes')).toBe('');
    expect(textsOf(body, 'scopes')).toEqual(['a', 'b']);
    expect(textsOf(body, 'one')).toEqual(['a']);
    expect(textsOf(body, 'none')).toEqual([]);
    expect(textOf(undefined, 'name')).toBe('');
  });

  it.each([
    ['en-US', 'USD', '1,234.5', 123_450],
    ['en-US', 'USD', '-12', -1_200],
    ['en-US', 'JPY', '1234', 1_234],
    ['en-US', 'USD', '12,50', null],
    ['en-US', 'USD', '1.005', null],
    ['en-US', 'JPY', '1.5', null],
    ['en-US', 'USD', '', null],
    ['en-US', 'USD', '5e3', null],
    ['de-DE', 'EUR', '410.000,50', 41_000_050],
    ['de-DE', 'EUR', '410000.50', null],
    ['de-DE', 'EUR', '−1,5', -150],
    ['fr-FR', 'EUR', '1 234,50', 123_450],
    ['de-CH', 'CHF', '1’234.50', 123_450],
    ['en-IN', 'INR', '12,34,567.00', 123_456_700],
  ] as const)('as %s writes numbers, an amount in %s that is typed as %j is %j', (format, currency, text, minor) =>
    expect(amountOf({ amount: text }, 'amount', currency, format)).toBe(minor),
  );

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', '/a b', ['/a'], undefined])(
    'a redirect to %j leads to the home page instead',
    (path) => expect(ownPath(path)).toBe('/'),
  );

  it('a redirect to a path of Tidemark is followed', () =>
    expect(ownPath('/accounts/1?range=all')).toBe('/accounts/1?range=all'));
});
