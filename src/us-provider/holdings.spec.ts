import { mapHoldings } from './holdings.js';

function lot(more: object = {}): object {
  return {
    id: 'HOL-1',
    created: 1763100060,
    currency: '',
    symbol: 'NQTX',
    description: 'NORTHQUAY TOTAL INDEX ETF',
    shares: '120.5000',
    market_value: '21690.00',
    cost_basis: '18075.00',
    purchase_price: '0.00',
    ...more,
  };
}

const only = (more: object) => mapHoldings([lot(more)], 'USD').value?.[0];

describe('mapHoldings', () => {
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
    const { issue } = mapHoldings([lot(), lot({ currency: 'POINTS', description: 'Miles fund' })], 'USD');
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
    const lots = [
      lot({ id: 'HOL-1', shares: '0.1', market_value: '10.00', cost_basis: '9.00', purchase_price: '90.00' }),
      lot({ id: 'HOL-2', shares: '0.20005', market_value: '20.01', cost_basis: '16.00', purchase_price: '80.00' }),
      lot({ id: 'HOL-3', symbol: 'OTHR', shares: '1', market_value: '5.00' }),
    ];
    const [sum, other] = mapHoldings(lots, 'USD').value!;
    expect(sum).toMatchObject({ externalId: 'USD:NQTX', quantity: '0.30005', valueMinor: 3001, costBasisMinor: 2500 });
    expect(other?.externalId).toBe('USD:OTHR');
  });

  it('holdings are unreadable if the lots of one security are worth more than the largest amount', () => {
    const half = lot({ market_value: '600000000000.00' });
    expect(mapHoldings([half], 'USD').value).toHaveLength(1);
    expect(mapHoldings([half, half], 'USD').issue).toMatch(/larger than Tidemark can keep exactly$/);
  });

  it('a holding has an unknown cost basis if one of its lots has none', () => {
    const lots = [lot({ shares: '1', cost_basis: '9.00', purchase_price: '9.00' }), lot()];
    expect(mapHoldings(lots, 'USD').value?.[0]?.costBasisMinor).toBeNull();
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
    expect(mapHoldings([lot({ symbol: 'OTHR' }), more && lot(more)], 'USD').value).toBeNull();
  });
});
