import { wireHolding, wireHoldings } from '../../test/support/scripted-global-provider.js';
import { mapHoldings, mapTotal } from './holdings.js';
import { readHoldings, type WireHoldings } from './payload.js';

const answer = (...holdings: unknown[]) => readHoldings({ body: JSON.stringify(wireHoldings(holdings as object[])) });
const only = (more: object) => mapHoldings(answer(wireHolding(more)), 'EUR').value?.[0];

describe('mapHoldings', () => {
  it('a holding is mapped with its security, quantity, price and value', () => {
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

  it('a holding keeps its id when its price, value and quantity change', () => {
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
  ])('a holding without an upstream id is identified by its security: %j', (security, id) => {
    expect(only({ security, raw: {} })?.externalId).toBe(id);
  });

  it.each([
    [{ raw: { quiltt: { id: 77 } } }, 'quiltt:77'],
    [{ raw: { quiltt: null, mx: { id: 'H-1' } } }, 'mx:H-1'],
    [{ raw: { quiltt: 'nothing' } }, 'EUR:CA0000000001'],
    [{ raw: 'nothing' }, 'EUR:CA0000000001'],
  ])('a holding with %j has the id %j', (more, id) => {
    expect(only(more)?.externalId).toBe(id);
  });

  it('several lots of one security are one holding', () => {
    const lots = [wireHolding({ raw: {} }), wireHolding({ raw: {}, quantity: 0.5, value: 15.6 })];
    expect(mapHoldings(answer(...lots), 'EUR').value).toMatchObject([{ quantity: '43.0', valueMinor: 134160 }]);
  });

  it('a holding in another currency than the total keeps its currency', () => {
    const foreign = wireHolding({ currency: 'USD', raw: {}, security: { name: 'Lakeside' }, value: 630.45 });
    expect(mapHoldings(answer(wireHolding(), foreign), 'EUR').value).toMatchObject([
      { currency: 'EUR', valueMinor: 132600 },
      { currency: 'USD', valueMinor: 63045, externalId: 'USD:Lakeside' },
    ]);
  });

  it('a holding without a currency takes that of its security, of the total or of the account', () => {
    expect(only({ currency: null, security: { name: 'N', currency: 'chf' } })?.currency).toBe('CHF');
    expect(only({ currency: '', security: { name: 'N' } })?.currency).toBe('EUR');
    const list = { holdings: [wireHolding({ currency: null, security: null })] } as WireHoldings;
    expect(mapHoldings(list, 'GBP').value?.[0]).toMatchObject({ currency: 'GBP', name: 'Unnamed security' });
    expect(mapHoldings(list, null).issue).toBe('“Unnamed security” names no currency');
  });

  it('a holding without a currency does not take the account’s if the list names an unknown currency', () => {
    const row = wireHolding({ currency: null, security: null });
    expect(mapHoldings({ holdings: [row], currency: 'DOGE' }, 'GBP').issue).toBe(
      '“Unnamed security” names no currency',
    );
  });

  it('the cost basis of a holding is always unknown, because the provider does not define its meaning', () => {
    expect(only({ costBasis: 1190.25 })?.costBasisMinor).toBeNull();
  });

  it('a holding in a money-market fund is a cash equivalent', () => {
    expect(only({ security: { name: 'Prime Money Market', tickerSymbol: 'PRMXX' } })?.cashEquivalent).toBe(true);
  });

  it.each(['GBp', 'GBX'])('a holding quoted in %s is converted to pounds exactly', (currency) => {
    expect(only({ currency, raw: {}, price: '5.305', value: 132600 })).toMatchObject({
      ...{ currency: 'GBP', price: '0.05305', valueMinor: 132600, externalId: 'GBP:CA0000000001' },
    });
    expect(only({ currency: null, security: { name: 'N', currency }, price: 3120 })).toMatchObject({
      ...{ currency: 'GBP', price: '31.20', valueMinor: 1326 },
    });
  });

  it('two holdings with the same upstream id are identified by their currency and security', () => {
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
    ['whose value is not a number', { value: 'much' }, /^the value of “Maple Dividend ETF” is no amount$/],
    ['without a quantity', { quantity: undefined }, /^\$\.holdings\[1\]\.quantity: /],
    ['in an unknown currency', { currency: 'DOGE' }, /^“Maple Dividend ETF” is in “DOGE”, which is no known currency$/],
    ['that is not an object', 7, /^\$\.holdings\[1\]: /],
  ])('a holding %s makes the whole list unreadable and is named in the issue', (_, more, words) => {
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
  ])('an empty list of holdings with a total of %j has the issue %j', (totalValue, issue) => {
    const list = readHoldings({ body: JSON.stringify(wireHoldings([], totalValue)) });
    expect(mapHoldings(list, 'EUR').issue).toBe(issue);
  });
});

describe('mapTotal', () => {
  it.each([
    [3187.41, 'cad', { amountMinor: 318741, currency: 'CAD' }],
    ['120000', 'JPY', { amountMinor: 120000, currency: 'JPY' }],
    [null, 'CAD', null],
    [100, null, null],
    [100, 'points', null],
    [132600, 'GBp', { amountMinor: 132600, currency: 'GBP' }],
  ])('a holdings total of %j in %j is mapped to %j', (totalValue, currency, total) => {
    const { value, issue } = mapTotal(readHoldings({ body: JSON.stringify(wireHoldings([], totalValue, currency)) }));
    expect([value, issue]).toEqual([total, null]);
  });
});
