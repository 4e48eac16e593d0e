import fc from 'fast-check';
import { BALANCE_EXPORT, type BalanceRecord, type BalanceResponse } from './balance.response.js';

const FLOWS = 7;

const minor = fc.oneof(fc.constantFrom(0, 5, -5, 99_999, 100_000), fc.integer({ min: -(2 ** 40), max: 2 ** 40 }));
const exported: fc.Arbitrary<BalanceRecord> = fc
  .record({
    currency: fc.constantFrom('USD', 'JPY', 'KWD', 'CAD'),
    hasCash: fc.constantFrom('t', 'f'),
    amounts: fc.array(minor, { minLength: FLOWS + 4, maxLength: FLOWS + 4 }),
    name: fc.constantFrom('Checking', '=1+1', 'a "b", c', ''),
    type: fc.constantFrom('loan' as const, null),
  })
  .map(({ currency, hasCash, amounts, name, type }) => ({
    record: `account-id balance-id 2026-03-02 ${currency} 1 ${amounts.join(' ')} 1772432224.211 1772432225 ${hasCash}`,
    account_name: name,
    account_type: type,
  }));

/** The cells of a line: quoted ones without their quotes. */
const cellsOf = (line: string) =>
  [...`,${line.slice(0, -2)}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
  );

describe('BALANCE_EXPORT', () => {
  it('every column of a CSV line has the value that the same record has as JSON', () => {
    fc.assert(
      fc.property(exported, (row) => {
        const { account, ...fields } = BALANCE_EXPORT.toItem(row) as BalanceResponse;
        const { id, name, account_type } = account;
        const text = (value: string | number | null) => String(value ?? '');
        const cells = cellsOf(BALANCE_EXPORT.toLine(row));
        expect(cells).toHaveLength(BALANCE_EXPORT.columns.length);
        expect(Object.fromEntries(BALANCE_EXPORT.columns.map((column, i) => [column, cells[i]]))).toEqual({
          ...Object.fromEntries(Object.entries(fields).map(([column, value]) => [column, text(value)])),
          account_id: id,
          account_name: name === '=1+1' ? `'${name}` : name,
          account_type: text(account_type),
        });
      }),
    );
  });
});
