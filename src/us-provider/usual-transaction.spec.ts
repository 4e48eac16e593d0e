import fc from 'fast-check';
import { check } from '../bank-provider/parse-payload.js';
import { TRANSACTION } from './schemas.js';
import { usualTransaction } from './usual-transaction.js';

const DOCUMENTED = {
  ...{ id: 'tx-1', posted: 1_793_448_000, transacted_at: 1_793_448_000, amount: '-12.34' },
  ...{ description: 'Bread', payee: 'Baker', memo: 'CARD 7', pending: false },
};

/** Members that are mostly as documented. */
const anyRow = fc.record(
  {
    id: fc.oneof(fc.constantFrom('tx-1', ' tx', '', 'a\u0007', 'ü'), fc.string({ maxLength: 210 }), fc.jsonValue()),
    amount: fc.oneof(fc.constantFrom('1.5', '-3', 1e-7, 1e21), fc.double(), fc.jsonValue()),
    posted: fc.oneof(fc.nat(), fc.constantFrom(Infinity, NaN, '7', null), fc.jsonValue()),
    transacted_at: fc.oneof(fc.nat(), fc.constantFrom(Infinity, '7', null), fc.jsonValue()),
    description: fc.oneof(fc.string(), fc.jsonValue()),
    payee: fc.oneof(fc.string(), fc.jsonValue()),
    memo: fc.oneof(fc.string(), fc.jsonValue()),
    currency: fc.oneof(fc.constantFrom('EUR', null), fc.jsonValue()),
    pending: fc.oneof(fc.boolean(), fc.constantFrom(0, 'true', null)),
    more: fc.jsonValue(),
  },
  { requiredKeys: ['amount'] },
);

describe('a row as documented', () => {
  it('is read without the schema', () => {
    expect(usualTransaction(DOCUMENTED)).toMatchObject({ id: 'tx-1', amount: '-12.34', posted: 1_793_448_000 });
  });

  it.each([null, 'text', 7, [], {}, { ...DOCUMENTED, id: 7 }, { ...DOCUMENTED, posted: '7' }])(
    'is not %j, which is left to the schema',
    (item) => expect(usualTransaction(item)).toBeNull(),
  );

  it('is what the schema makes of it, whatever else it holds', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyRow.map((change) => ({ ...DOCUMENTED, ...change })),
          anyRow,
        ),
        (row) => {
          const usual = usualTransaction(row);
          if (usual) expect(usual).toEqual(check(TRANSACTION, row).value);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
