import { wireHolding, wireHoldings } from '../support/scripted-global-provider.js';
import { readHoldings as readList } from '../../src/providers/global-provider/payload.js';
import { readHolding } from '../../src/providers/us-provider/payload.js';
import { readHoldings, readTotal } from '../../src/providers/feed/holdings.js';

/** A holding as the US provider writes it. */
function lot(more: object = {}): object {
  return {
    ...{ id: 'HOL-1', created: 1763100060, currency: '', symbol: 'NQTX', description: 'NORTHQUAY TOTAL INDEX ETF' },
    ...{ shares: '120.5000', market_value: '21690.00', cost_basis: '18075.00', purchase_price: '0.00', ...more },
  };
}

const lots = (...items: unknown[]) => readHoldings({ items, read: readHolding }, 'USD');
const only = (more: object) => lots(lot(more)).value?.[0];

/** A list of the global provider. */
const answer = (...holdings: unknown[]) => readList({ body: JSON.stringify(wireHoldings(holdings as object[])) });
const global = (...holdings: unknown[]) => readHoldings(answer(...holdings), 'EUR');
const onlyGlobal = (more: object) => global(wireHolding(more)).value?.[0];

describe('holdings of the US provider', () => {
  it('a holding without a currency takes the currency of its account', () => {
    expect(only({})).toEqual({
      externalId: 'USD:NQTX',
      symbol: 'NQTX',
      name: 'NORTHQUAY TOTAL INDEX ETF',
      quantity: '120.5000',
      price: '180',
      valueMinor: 2169000,
      currency: 'USD',
      costBasisMinor: null,
      cashEquivalent: false,
    });
    expect(only({ currency: 'eur' })?.currency).toBe('EUR');
  });

  it('a holding may lack a symbol and may give numbers instead of strings', () => {
    const plan = only({ symbol: '', description: 'STABLE VALUE FUND', shares: 310.004, market_value: 3100.04 });
    expect(plan).toMatchObject({
      externalId: 'USD:STABLE VALUE FUND',
      symbol: null,
      quantity: '310.004',
      valueMinor: 310004,
    });
    expect(only({ shares: 1.5e-7 })?.quantity).toBe('0.00000015');
    expect(only({ shares: null, quantity: '3' })?.quantity).toBe('3');
    expect(only({ shares: '.5' })?.quantity).toBe('0.5');
    expect(only({ shares: '+7.' })?.quantity).toBe('7');
  });

  it('a holding in GBX or GBp is converted from pence to pounds', () => {
    const share = {
      currency: 'GBX',
      shares: '10',
      market_value: '132600',
      cost_basis: '120000',
      purchase_price: '12000',
    };
    expect(only(share)).toMatchObject({ valueMinor: 132600, currency: 'GBP', price: '132.6', costBasisMinor: 120000 });
    expect(only({ ...share, currency: 'GBp' })?.valueMinor).toBe(132600);
    expect(only({ ...share, currency: 'GBP' })?.valueMinor).toBe(13260000);
  });

  it('a holding in an unknown currency is named in the issue', () => {
    const { issue } = lots(lot(), lot({ currency: 'POINTS', description: 'Miles fund' }));
    expect(issue).toBe('“Miles fund” is in “POINTS”, which is no known currency');
  });

  it.each([
    ['is the total', '12050.00'],
    ['is per share', '100.00'],
    ['differs from the total by cents', '12049.87'],
  ])('a cost basis that %s is recognised by the purchase price', (_, cost_basis) => {
    const totalMinor = only({ shares: '120.5', cost_basis, purchase_price: '100.00' })?.costBasisMinor;
    expect(totalMinor).toBe(cost_basis === '12049.87' ? 1204987 : 1205000);
  });

  it.each([
    ['no purchase price', { cost_basis: '18075.00', purchase_price: '0.00' }],
    ['a purchase price that fits neither the total nor one share', { cost_basis: '18075.00', purchase_price: '33.00' }],
    ['no cost basis', { cost_basis: null, purchase_price: '150.00' }],
    ['a cost basis of zero', { cost_basis: '0.00', purchase_price: '150.00' }],
  ])('a holding with %s has an unknown cost basis', (_, more) => {
    expect(only(more)?.costBasisMinor).toBeNull();
  });

  it('several lots of one security are summed exactly', () => {
    const several = [
      lot({ id: 'HOL-1', shares: '0.1', market_value: '10.00', cost_basis: '9.00', purchase_price: '90.00' }),
      lot({ id: 'HOL-2', shares: '0.20005', market_value: '20.01', cost_basis: '16.00', purchase_price: '80.00' }),
      lot({ id: 'HOL-3', symbol: 'OTHR', shares: '1', market_value: '5.00' }),
    ];
    const [sum, other] = lots(...several).value!;
    expect(sum).toMatchObject({ externalId: 'USD:NQTX', quantity: '0.30005', valueMinor: 3001, costBasisMinor: 2500 });
    expect(other?.externalId).toBe('USD:OTHR');
  });

  it('holdings are unreadable if the lots of one security are worth more than the largest amount', () => {
    const half = lot({ market_value: '600000000000.00' });
    expect(lots(half).value).toHaveLength(1);
    expect(lots(half, half).issue).toMatch(/larger than Tidemark can keep exactly$/);
  });

  it('a holding has an unknown cost basis if one of its lots has none', () => {
    const several = [lot({ shares: '1', cost_basis: '9.00', purchase_price: '9.00' }), lot()];
    expect(lots(...several).value?.[0]?.costBasisMinor).toBeNull();
  });

  it.each([
    ['3', '10.00', '3.333333'],
    ['0.00000001', '1.00', '100000000'],
    ['-10', '-100.00', '10'],
    ['3', '0.00', null],
    ['0', '0.00', null],
    ['0', '5.00', null],
    ['0.00000000000000000001', '100000000000.00', null],
  ])('a holding of %s units worth %s has a unit price of %s', (shares, market_value, price) => {
    expect(only({ shares, market_value })?.price).toBe(price);
  });

  it('a short position has a negative quantity and value', () => {
    expect(only({ shares: '-10', market_value: '-100.00' })).toMatchObject({ quantity: '-10', valueMinor: -10000 });
  });

  it.each([
    ['MRDXX', 'MERIDIAN MONEY MARKET'],
    ['SPAXX', 'FIDELITY GOVERNMENT FUND'],
    ['', 'Bank Deposit Sweep'],
    ['', 'INSURED BANK DEPOSIT PROGRAM'],
    ['VMFXX', ''],
  ])('a holding with symbol %j and name %j is a cash equivalent', (symbol, description) => {
    expect(only({ symbol, description })?.cashEquivalent).toBe(true);
  });

  it.each([
    ['NQTX', 'NORTHQUAY TOTAL INDEX ETF'],
    ['XX', 'XX CORP'],
    ['', 'STABLE VALUE FUND'],
  ])('a holding with symbol %j and name %j is not a cash equivalent', (symbol, description) => {
    expect(only({ symbol, description })?.cashEquivalent).toBe(false);
  });

  it.each([
    ['with a value but no market_value', { market_value: null, value: '18075.00' }],
    ['without a number of shares', { shares: null }],
    ['in a currency that is a URL', { currency: 'https://bank.example/points' }],
    ['that is not an object', null],
  ])('a holding %s makes the whole list unreadable', (_, more) => {
    expect(lots(lot({ symbol: 'OTHR' }), more && lot(more)).value).toBeNull();
  });
});

describe('holdings of the global provider', () => {
  it('a holding is mapped with its security, quantity, price and value', () => {
    expect(onlyGlobal({})).toEqual({
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
      const before = onlyGlobal({ raw });
      expect(onlyGlobal({ raw, price: 30, value: 900, quantity: 30 })?.externalId).toBe(before?.externalId);
    }
  });

  it.each([
    [{ isin: 'CA0000000001', cusp: '000000ZZ1', figi: 'BBG000', tickerSymbol: 'T', name: 'N' }, 'EUR:CA0000000001'],
    [{ isin: null, cusp: '000000ZZ1', figi: 'BBG000', tickerSymbol: 'T', name: 'N' }, 'EUR:000000ZZ1'],
    [{ cusp: '', figi: 'BBG000', tickerSymbol: 'T', name: 'N' }, 'EUR:BBG000'],
    [{ tickerSymbol: 'T', name: 'N' }, 'EUR:T'],
    [{ name: 'Pension Fund' }, 'EUR:Pension Fund'],
  ])('a holding without an upstream id is identified by its security: %j', (security, id) => {
    expect(onlyGlobal({ security, raw: {} })?.externalId).toBe(id);
  });

  it.each([
    [{ raw: { quiltt: { id: 77 } } }, 'quiltt:77'],
    [{ raw: { quiltt: null, mx: { id: 'H-1' } } }, 'mx:H-1'],
    [{ raw: { quiltt: 'nothing' } }, 'EUR:CA0000000001'],
    [{ raw: 'nothing' }, 'EUR:CA0000000001'],
  ])('a holding with %j has the id %j', (more, id) => {
    expect(onlyGlobal(more)?.externalId).toBe(id);
  });

  it('several lots of one security are one holding', () => {
    const several = [wireHolding({ raw: {} }), wireHolding({ raw: {}, quantity: 0.5, value: 15.6 })];
    expect(global(...several).value).toMatchObject([{ quantity: '43.0', valueMinor: 134160 }]);
  });

  it('a holding in another currency than the total keeps its currency', () => {
    const foreign = wireHolding({ currency: 'USD', raw: {}, security: { name: 'Lakeside' }, value: 630.45 });
    expect(global(wireHolding(), foreign).value).toMatchObject([
      { currency: 'EUR', valueMinor: 132600 },
      { currency: 'USD', valueMinor: 63045, externalId: 'USD:Lakeside' },
    ]);
  });

  it('a holding without a currency takes that of its security, of the total or of the account', () => {
    expect(onlyGlobal({ currency: null, security: { name: 'N', currency: 'chf' } })?.currency).toBe('CHF');
    expect(onlyGlobal({ currency: '', security: { name: 'N' } })?.currency).toBe('EUR');
    const list = readList({ body: JSON.stringify({ holdings: [wireHolding({ currency: null, security: null })] }) });
    expect(readHoldings(list, 'GBP').value?.[0]).toMatchObject({ currency: 'GBP', name: 'Unnamed security' });
    expect(readHoldings(list, null).issue).toBe('“Unnamed security” names no currency');
  });

  it('a holding without a currency does not take the account’s if the list names an unknown currency', () => {
    const row = wireHolding({ currency: null, security: null });
    const list = readList({ body: JSON.stringify({ holdings: [row], currency: 'DOGE' }) });
    expect(readHoldings(list, 'GBP').issue).toBe('“Unnamed security” names no currency');
  });

  it.each(['GBp', 'GBX'])('a holding quoted in %s is converted to pounds exactly', (currency) => {
    expect(onlyGlobal({ currency, raw: {}, price: '5.305', value: 132600 })).toMatchObject({
      ...{ currency: 'GBP', price: '0.05305', valueMinor: 132600, externalId: 'GBP:CA0000000001' },
    });
    expect(onlyGlobal({ currency: null, security: { name: 'N', currency }, price: 3120 })).toMatchObject({
      ...{ currency: 'GBP', price: '31.20', valueMinor: 1326 },
    });
  });

  it('two holdings with the same upstream id are identified by their currency and security', () => {
    const id = { snaptrade: { id: 'pos-1' } };
    const several = [
      ...[wireHolding({ raw: id, currency: 'USD', value: 100 }), wireHolding({ raw: id, currency: 'CAD', value: 100 })],
      wireHolding({ raw: id, currency: 'CAD', value: 20, security: { isin: 'CA0000000002' } }),
    ];
    const { value } = global(...several);
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
    expect(global(wireHolding(), row)).toMatchObject({
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
    const list = readList({ body: JSON.stringify(wireHoldings([], totalValue)) });
    expect(readHoldings(list, 'EUR').issue).toBe(issue);
  });
});

describe('readTotal', () => {
  it.each([
    [3187.41, 'cad', { amountMinor: 318741, currency: 'CAD' }],
    ['120000', 'JPY', { amountMinor: 120000, currency: 'JPY' }],
    [null, 'CAD', null],
    [100, null, null],
    [100, 'points', null],
    [132600, 'GBp', { amountMinor: 132600, currency: 'GBP' }],
  ])('a holdings total of %j in %j is mapped to %j', (totalValue, currency, total) => {
    const { value, issue } = readTotal(readList({ body: JSON.stringify(wireHoldings([], totalValue, currency)) }));
    expect([value, issue]).toEqual([total, null]);
  });
});
