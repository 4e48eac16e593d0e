import fc from 'fast-check';
import { check } from '../bank-provider/parse-payload.js';
import { TRANSACTION } from './schemas.js';
import { usualTransaction } from './usual-transaction.js';

const DOCUMENTED = {
  ...{ id: 'tx-1', accountId: 7, amount: -12.34, currency: 'EUR', date: '2026-03-01' },
  ...{ merchant: 'Baker', description: 'Bread', isPending: false },
};

/** Members that are mostly as documented. */
const anyRow = fc.record(
  {
    id: fc.oneof(fc.constantFrom('tx-1', ' tx', '', 'a\u0007', 'ü'), fc.string({ maxLength: 210 }), fc.jsonValue()),
    amount: fc.oneof(fc.double(), fc.constantFrom('1.5', 1e-7, 1e21), fc.jsonValue()),
    date: fc.oneof(fc.constant('2026-03-01'), fc.jsonValue()),
    currency: fc.oneof(fc.constantFrom('EUR', null), fc.jsonValue()),
    merchant: fc.oneof(fc.string(), fc.jsonValue()),
    merchant_name: fc.oneof(fc.string(), fc.jsonValue()),
    description: fc.oneof(fc.string(), fc.jsonValue()),
    isPending: fc.oneof(fc.boolean(), fc.jsonValue()),
    pending: fc.oneof(fc.boolean(), fc.constantFrom(0, 'true', null)),
    more: fc.jsonValue(),
  },
  { requiredKeys: ['amount'] },
);

describe('a row as documented', () => {
  it('is read without the schema', () => {
    expect(usualTransaction(DOCUMENTED)).toMatchObject({ id: 'tx-1', amount: '-12.34', date: '2026-03-01' });
  });

  it.each([null, 'text', 7, [], {}, { ...DOCUMENTED, id: 7 }, { ...DOCUMENTED, isPending: 'false' }])(
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
