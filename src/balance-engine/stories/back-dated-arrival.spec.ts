import { expectDays } from '../../../test/days-text.js';
import { ledger } from '../../../test/ledger-text.js';

describe('an entry that is listed days after its date', () => {
  it('was in the balance already when the balance had moved without it: the list was behind', () => {
    expectDays(
      ledger(`
        depository
        03-01  +1,000.00 salary
        03-01  balance 1000.00
        03-02  balance 1000.00
        03-03   -50.00 cheque, listed 03-06
        03-03  balance 950.00      # the cheque is paid
        03-04  balance 950.00
        03-06  balance 950.00      # and listed; the balance holds still
      `),
      `
        day          |   start | cash in | cash out |     end
        03-01        |    0.00 | 1000.00 |          | 1000.00
        03-02        | 1000.00 |         |          | 1000.00
        03-03        | 1000.00 |         |    50.00 |  950.00
        03-04..03-06 |  950.00 |         |          |  950.00
      `,
    );
  });

  it('was not in the balance when the balance moves with it: the bank booked it late, and its day is its date', () => {
    expectDays(
      ledger(`
        depository
        03-01  +1,000.00 salary
        03-01  balance 1000.00
        03-02  balance 1000.00
        03-03   -50.00 cheque, listed 03-06
        03-03  balance 1000.00     # not yet
        03-04  balance 1000.00
        03-06  balance 950.00      # booked today, back-dated to the third
      `),
      `
        day          |   start | cash in | cash out |     end
        03-01        |    0.00 | 1000.00 |          | 1000.00
        03-02        | 1000.00 |         |          | 1000.00
        03-03        | 1000.00 |         |    50.00 |  950.00   # what the books say of that day now
        03-04..03-06 |  950.00 |         |          |  950.00
      `,
    );
  });
});
