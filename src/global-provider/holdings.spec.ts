import { wireHolding, wireHoldings } from '../../test/scripted-global-provider.js';
import { mapHoldings, mapTotal } from './holdings.js';
import { readHoldings, type WireHoldings } from './payload.js';

const answer = (...holdings: unknown[]) => readHoldings({ body: JSON.stringify(wireHoldings(holdings as object[])) });
const only = (more: object) => mapHoldings(answer(wireHolding(more)), 'EUR')?.[0];

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
    expect(mapHoldings(answer(...lots), 'EUR')).toMatchObject([{ quantity: '43.0', valueMinor: 134160 }]);
  });

  it('in another currency than the total stays in it', () => {
    const foreign = wireHolding({ currency: 'USD', raw: {}, security: { name: 'Lakeside' }, value: 630.45 });
    expect(mapHoldings(answer(wireHolding(), foreign), 'EUR')).toMatchObject([
      { currency: 'EUR', valueMinor: 132600 },
      { currency: 'USD', valueMinor: 63045, externalId: 'USD:Lakeside' },
    ]);
  });

  it('takes the currency of its security, of the total or of the account where it names none', () => {
    expect(only({ currency: null, security: { name: 'N', currency: 'chf' } })?.currency).toBe('CHF');
    expect(only({ currency: '', security: { name: 'N' } })?.currency).toBe('EUR');
    const list = { holdings: [wireHolding({ currency: null, security: null })] } as WireHoldings;
    expect(mapHoldings(list, 'GBP')?.[0]).toMatchObject({ currency: 'GBP', name: 'Unnamed security' });
    expect(mapHoldings(list, null)).toBeNull();
  });

  it('that names no currency is not in the account’s where the list names an unknown one', () => {
    const row = wireHolding({ currency: null, security: null });
    expect(mapHoldings({ holdings: [row], currency: 'DOGE' } as WireHoldings, 'GBP')).toBeNull();
  });

  it('never says what it cost, since nobody knows what the figure means', () => {
    expect(only({ costBasis: 1190.25 })?.costBasisMinor).toBeNull();
  });

  it('that is a money-market fund is cash in its owner’s eyes', () => {
    expect(only({ security: { name: 'Prime Money Market', tickerSymbol: 'PRMXX' } })?.cashEquivalent).toBe(true);
  });

  it.each([
    ['without a value', { value: null }],
    ['without a quantity', { quantity: undefined }],
    ['in no currency of money', { currency: 'DOGE' }],
    ['that is no object', 7],
  ])('%s makes the whole list unreadable rather than a smaller one', (_, more) => {
    expect(mapHoldings(answer(wireHolding(), typeof more === 'object' ? wireHolding(more) : more), 'EUR')).toBeNull();
  });
});

describe('the total of holdings', () => {
  it.each([
    [3187.41, 'cad', { amountMinor: 318741, currency: 'CAD' }],
    ['120000', 'JPY', { amountMinor: 120000, currency: 'JPY' }],
    [null, 'CAD', null],
    [100, null, null],
    [100, 'points', null],
  ])('%j in %j is %j', (totalValue, currency, total) => {
    expect(mapTotal(readHoldings({ body: JSON.stringify(wireHoldings([], totalValue, currency)) }))).toEqual(total);
  });
});
