import { wireHolding, wireHoldings } from '../../test/support/scripted-global-provider.js';
import { mapHoldings, mapTotal } from './holdings.js';
import { readHoldings, type WireHoldings } from './payload.js';

const answer = (...holdings: unknown[]) => readHoldings({ body: JSON.stringify(wireHoldings(holdings as object[])) });
const only = (more: object) => mapHoldings(answer(wireHolding(more)), 'EUR').value?.[0];

describe('a holding', () => {
  it('has a security, a quantity, a price and a value', () => {
    expect(only({})).toEqual({
      externalId: 'snaptrade:pos-5512',
      symbol: 'MDVX',
      name: 'Maple Dividend ETF',
      quantity: '42.5',
      price: '31.2',
      valueMinor: 132600,
      currency: 'EUR',
      costBasisMinor: null,
      cashEquivalent: false,
    });
  });

  it('keeps its id when price, value and quantity move', () => {
    for (const raw of [{ snaptrade: { id: 'pos-5512' } }, {}, undefined]) {
      const before = only({ raw });
      expect(only({ raw, price: 30, value: 900, quantity: 30 })?.externalId).toBe(before?.externalId);
    }
  });

  it.each([
    [{ isin: 'CA0000000001', cusp: '000000ZZ1', figi: 'BBG000', tickerSymbol: 'T', name: 'N' }, 'EUR:CA0000000001'],
    [{ isin: null, cusp: '000000ZZ1', figi: 'BBG000', tickerSymbol: 'T', name: 'N' }, 'EUR:000000ZZ1'],
    [{ cusp: '', figi: 'BBG000', tickerSymbol: 'T', name: 'N' }, 'EUR:BBG000'],
    [{ tickerSymbol: 'T', name: 'N' }, 'EUR:T'],
    [{ name: 'Pension Fund' }, 'EUR:Pension Fund'],
  ])('without an upstream id is identified by its security: %j', (security, id) => {
    expect(only({ security, raw: {} })?.externalId).toBe(id);
  });

  it.each([
    [{ raw: { quiltt: { id: 77 } } }, 'quiltt:77'],
    [{ raw: { quiltt: null, mx: { id: 'H-1' } } }, 'mx:H-1'],
    [{ raw: { quiltt: 'nothing' } }, 'EUR:CA0000000001'],
    [{ raw: 'nothing' }, 'EUR:CA0000000001'],
  ])('with %j has the id %j', (more, id) => {
    expect(only(more)?.externalId).toBe(id);
  });

  it('in several lots of one security is one position', () => {
    const lots = [wireHolding({ raw: {} }), wireHolding({ raw: {}, quantity: 0.5, value: 15.6 })];
    expect(mapHoldings(answer(...lots), 'EUR').value).toMatchObject([{ quantity: '43.0', valueMinor: 134160 }]);
  });

  it('in another currency than the total stays in it', () => {
    const foreign = wireHolding({ currency: 'USD', raw: {}, security: { name: 'Lakeside' }, value: 630.45 });
    expect(mapHoldings(answer(wireHolding(), foreign), 'EUR').value).toMatchObject([
      { currency: 'EUR', valueMinor: 132600 },
      { currency: 'USD', valueMinor: 63045, externalId: 'USD:Lakeside' },
    ]);
  });

  it('takes the currency of its security, of the total or of the account where it names none', () => {
    expect(only({ currency: null, security: { name: 'N', currency: 'chf' } })?.currency).toBe('CHF');
    expect(only({ currency: '', security: { name: 'N' } })?.currency).toBe('EUR');
    const list = { holdings: [wireHolding({ currency: null, security: null })] } as WireHoldings;
    expect(mapHoldings(list, 'GBP').value?.[0]).toMatchObject({ currency: 'GBP', name: 'Unnamed security' });
    expect(mapHoldings(list, null).issue).toBe('“Unnamed security” names no currency');
  });

  it('that names no currency is not in the account’s where the list names an unknown one', () => {
    const row = wireHolding({ currency: null, security: null });
    expect(mapHoldings({ holdings: [row], currency: 'DOGE' }, 'GBP').issue).toBe(
      '“Unnamed security” names no currency',
    );
  });

  it('never says what it cost, since nobody knows what the figure means', () => {
    expect(only({ costBasis: 1190.25 })?.costBasisMinor).toBeNull();
  });

  it('that is a money-market fund is cash in its owner’s eyes', () => {
    expect(only({ security: { name: 'Prime Money Market', tickerSymbol: 'PRMXX' } })?.cashEquivalent).toBe(true);
  });

  it.each(['GBp', 'GBX'])('that is quoted in hundredths (%s) is in the currency itself, exactly', (currency) => {
    expect(only({ currency, raw: {}, price: '5.305', value: 132600 })).toMatchObject({
      ...{ currency: 'GBP', price: '0.05305', valueMinor: 132600, externalId: 'GBP:CA0000000001' },
    });
    expect(only({ currency: null, security: { name: 'N', currency }, price: 3120 })).toMatchObject({
      ...{ currency: 'GBP', price: '31.20', valueMinor: 1326 },
    });
  });

  it('is one of two where the upstream provider gives both the same id', () => {
    const id = { snaptrade: { id: 'pos-1' } };
    const lots = [
      ...[wireHolding({ raw: id, currency: 'USD', value: 100 }), wireHolding({ raw: id, currency: 'CAD', value: 100 })],
      wireHolding({ raw: id, currency: 'CAD', value: 20, security: { isin: 'CA0000000002' } }),
    ];
    const { value } = mapHoldings(answer(...lots), 'EUR');
    expect(value?.map(({ externalId, valueMinor }) => [externalId, valueMinor])).toEqual([
      ['USD:CA0000000001', 10000],
      ['CAD:CA0000000001', 10000],
      ['CAD:CA0000000002', 2000],
    ]);
  });

  it.each([
    ['without a value', { value: null }, /^\$\.holdings\[1\]\.value: /],
    ['whose value is no number', { value: 'much' }, /^the value of “Maple Dividend ETF” is no amount$/],
    ['without a quantity', { quantity: undefined }, /^\$\.holdings\[1\]\.quantity: /],
    [
      'in no currency of money',
      { currency: 'DOGE' },
      /^“Maple Dividend ETF” is in “DOGE”, which is no known currency$/,
    ],
    ['that is no object', 7, /^\$\.holdings\[1\]: /],
  ])('%s makes the whole list unreadable rather than a smaller one, and says which', (_, more, words) => {
    const row = typeof more === 'object' ? wireHolding(more) : more;
    expect(mapHoldings(answer(wireHolding(), row), 'EUR')).toMatchObject({
      ...{ value: null, issue: expect.stringMatching(words) },
    });
  });

  it.each([
    [48000, 'none is listed, but their total is not 0'],
    [{}, 'none is listed, but their total is not 0'],
    ['n/a', 'none is listed, but their total is not 0'],
    ['0.00', null],
    [null, null],
  ])('is missing where there is none and their total is %j: %j', (totalValue, issue) => {
    const list = readHoldings({ body: JSON.stringify(wireHoldings([], totalValue)) });
    expect(mapHoldings(list, 'EUR').issue).toBe(issue);
  });
});

describe('the total of holdings', () => {
  it.each([
    [3187.41, 'cad', { amountMinor: 318741, currency: 'CAD' }],
    ['120000', 'JPY', { amountMinor: 120000, currency: 'JPY' }],
    [null, 'CAD', null],
    [100, null, null],
    [100, 'points', null],
    [132600, 'GBp', { amountMinor: 132600, currency: 'GBP' }],
  ])('%j in %j is %j', (totalValue, currency, total) => {
    const { value, issue } = mapTotal(readHoldings({ body: JSON.stringify(wireHoldings([], totalValue, currency)) }));
    expect([value, issue]).toEqual([total, null]);
  });
});
