import { balanceOf, institutionOf, readTransaction, type WireAccount, type WireConnection } from './payload.js';

/** 2 March 2026, noon in UTC. */
const MARCH_2 = 1772452800;

function read(more: object = {}) {
  const usual = { id: 'T', posted: MARCH_2, transacted_at: MARCH_2 - 86_400, amount: '-18.75' };
  return readTransaction({ ...usual, description: 'HARBOR BOOKS', payee: 'Harbor Books', memo: '', ...more });
}

const account = (more: object) => more as WireAccount;

describe('readTransaction', () => {
  it('a posted transaction is dated by the UTC day on which it was posted, with its timestamp', () => {
    expect(read()).toEqual({
      ...{ id: 'T', amount: '-18.75', currency: undefined, pending: false },
      written: { date: '2026-03-02', moment: { unixSeconds: MARCH_2, isWhole: true } },
      ...{ description: 'HARBOR BOOKS', merchant: 'Harbor Books' },
    });
  });

  it.each([
    ['midnight', 1772409600, '2026-03-02'],
    ['the last second of the day', 1772495999, '2026-03-02'],
    ['noon, as a string,', String(MARCH_2), '2026-03-02'],
  ])('a transaction posted at %s is dated by that UTC day', (_, posted, date) => {
    expect(read({ posted })?.written?.date).toBe(date);
  });

  it.each([
    [true, 'at noon', MARCH_2],
    [true, 'at midnight', MARCH_2 + 43_200],
    [false, 'a second after noon', MARCH_2 + 1],
  ])('a timestamp may stand for a whole day (isWhole: %s) if it was posted %s', (isWhole, _, posted) => {
    expect(read({ posted })?.written?.moment).toEqual({ unixSeconds: posted, isWhole });
  });

  it.each([
    ['is missing', undefined],
    ['is null', null],
    ['is not a number', 'yesterday'],
    ['is 0', 0],
    ['is negative', -5],
    ['is in milliseconds', MARCH_2 * 1000],
    ['is on 1 January 1970', 3_600],
  ])('a transaction whose posted date %s is dated by the day it was made, never 1970', (_, posted) => {
    expect(read({ posted })?.written?.date).toBe('2026-03-01');
  });

  it.each([
    [true, MARCH_2, true],
    [1, MARCH_2, true],
    ['true', MARCH_2, true],
    ['1', MARCH_2, true],
    [undefined, 0, true],
    [undefined, '0', true],
    [undefined, MARCH_2, false],
    [false, MARCH_2, false],
    [0, MARCH_2, false],
    ['0', MARCH_2, false],
    [null, undefined, false],
    [undefined, 'soon', false],
  ])('a transaction with pending %j and posted %j is mapped to pending: %s', (pending, posted, isPending) => {
    expect(read({ pending, posted })?.pending).toBe(isPending);
  });

  it('a pending transaction is dated by the day it was made, or else by its posted date', () => {
    expect(read({ pending: true })?.written?.date).toBe('2026-03-01');
    expect(read({ pending: true, transacted_at: undefined })?.written?.date).toBe('2026-03-02');
  });

  it('a transaction without any date that can be read has none', () => {
    expect(read({ posted: 0, transacted_at: null })).toMatchObject({ written: null, pending: false });
  });

  it('amounts and ids may be numbers, and a transaction without an id or an amount cannot be read', () => {
    expect(read({ id: 7, amount: 1e-7 })).toMatchObject({ id: '7', amount: '0.0000001' });
    expect([read({ id: '' }), read({ amount: null })]).toEqual([null, null]);
  });

  it('the description is the first text that is not blank, with its markup', () => {
    expect(read({ description: '<b>AB</b>' })?.description).toBe('<b>AB</b>');
    expect(read({ description: ' ', memo: 'RAW TEXT' })?.description).toBe('RAW TEXT');
  });
});

describe('balanceOf', () => {
  it('a balance keeps the sign and the day that the provider reports', () => {
    const wire = { balance: '-612.45', 'available-balance': '4387.55', 'balance-date': MARCH_2 };
    const written = { date: '2026-03-02', moment: { unixSeconds: MARCH_2, isWhole: true } };
    expect(balanceOf(account(wire))).toEqual({ amount: '-612.45', available: '4387.55', written });
    expect(balanceOf(account({ ...wire, 'balance-date': 3_600 })).written).toBeNull();
  });
});

describe('institutionOf', () => {
  it.each([
    [{ org_name: 'Tidewater Bank', name: 'Tidewater Bank - Rowan' }, {}, 'Tidewater Bank'],
    [{ org_name: '', name: 'Tidewater Bank - Rowan' }, {}, 'Tidewater Bank - Rowan'],
    [undefined, { conn_name: 'Tidewater' }, 'Tidewater'],
    [undefined, { org: { name: 'North Quay', domain: 'www.northquay.example' } }, 'North Quay'],
    [undefined, { org: { domain: 'www.northquay.example' } }, 'www.northquay.example'],
    [undefined, {}, null],
  ])('an account with connection %j and fields %j belongs to institution %j', (connection, more, institution) => {
    expect(institutionOf(account(more), connection as WireConnection | undefined)).toBe(institution);
  });
});
