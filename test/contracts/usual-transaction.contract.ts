import fc from 'fast-check';
import type { z } from 'zod';
import { check } from '../../src/bank-provider/parse-payload.js';

interface UsualTransactions {
  read: (item: unknown) => object | null;
  schema: z.ZodType<object>;
  /** A row as the provider documents it. */
  documented: object;
  /** Members that are mostly as documented. */
  members: Record<string, fc.Arbitrary<unknown>>;
  /** What is written loosely in other rows. */
  loosely: object[];
}

/** What is read without a schema is what the schema makes of it. */
export function describeUsualTransactions({ read, schema, documented, members, loosely }: UsualTransactions): void {
  const changes = fc.record({ ...members, more: fc.jsonValue() }, { requiredKeys: [] });
  const anyRow = fc.oneof(
    changes.map((change) => ({ ...documented, ...change })),
    changes,
  );

  describe('a row as documented', () => {
    it('is read without the schema', () => expect(read(documented)).toEqual(check(schema, documented).value));

    it.each([null, 'text', 7, [], {}, ...loosely.map((change) => ({ ...documented, ...change }))])(
      'is not %j, which is left to the schema',
      (item) => expect(read(item)).toBeNull(),
    );

    it('is what the schema makes of it, whatever else it holds', () => {
      fc.assert(
        fc.property(anyRow, (row) => {
          const usual = read(row);
          if (usual) expect(usual).toEqual(check(schema, row).value);
        }),
        { numRuns: 2_000 },
      );
    });
  });
}

/** Ids and what could be taken for one. */
export const anyId = fc.oneof(
  fc.constantFrom('tx-1', ' tx', '', 'a\u0007', 'ü'),
  fc.string({ maxLength: 210 }),
  fc.jsonValue(),
);
export const anyAmount = fc.oneof(fc.double(), fc.constantFrom('1.5', '-3', 1e-7, 1e21), fc.jsonValue());
export const anyText = fc.oneof(fc.string(), fc.constant(null), fc.jsonValue());
export const anyFlag = fc.oneof(fc.boolean(), fc.constantFrom(0, 'true', null), fc.jsonValue());
