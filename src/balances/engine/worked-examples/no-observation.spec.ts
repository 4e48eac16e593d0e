import { deriveHistory } from '../derive-history.js';
import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const OLD_ENTRIES = `
  depository
  03-01  +500.00 salary, listed 03-02
  03-04  balance 500.00
`;

describe('an account before and after its first reported balance', () => {
  it('an account with transactions and without a reported balance has no history', () => {
    expect(deriveHistory(asOf(ledger(OLD_ENTRIES), '03-03'))).toBeNull();
  });

  it('the first reported balance gives an account a history back to its first transaction', () => {
    expectDays(
      ledger(OLD_ENTRIES),
      `
        day          |  start | cash in |    end
        03-01        |   0.00 |  500.00 | 500.00
        03-02..03-04 | 500.00 |         | 500.00
      `,
    );
  });

  it('an account with a balance and without transactions has a history of one day', () => {
    expectDays(
      ledger(`
        depository
        03-04  balance 500.00
      `),
      `
        day   |  start |    end
        03-04 | 500.00 | 500.00
      `,
    );
  });
});
