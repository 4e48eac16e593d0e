import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const FEE_WITHOUT_ENTRY = ledger(`
  depository
  03-01  +1,000.00 salary
  03-01  balance 1000.00
  03-02  balance 1000.00
  03-03  balance 987.60      # 12.40 less: a fee that is never listed
  03-05   -50.00 groceries
  03-05  balance 937.60      # 987.60 - 50
  03-12  balance 937.60
  03-20  balance 937.60      # 17 days later it is a fact
`);

describe('a lasting difference between balance and transactions', () => {
  it('a lasting difference is one adjustment on the day it appeared, and the days before keep their balances', () => {
    expectDays(
      FEE_WITHOUT_ENTRY,
      `
        day          |   start | cash in | cash out | cash adj |     end
        03-01        |    0.00 | 1000.00 |          |          | 1000.00
        03-02        | 1000.00 |         |          |          | 1000.00
        03-03        | 1000.00 |         |          |   -12.40 |  987.60
        03-04        |  987.60 |         |          |          |  987.60
        03-05        |  987.60 |         |    50.00 |          |  937.60
        03-06..03-20 |  937.60 |         |          |          |  937.60
      `,
    );
  });

  it('an open difference is already on the day it appeared, so no past row changes when it turns out to last', () => {
    expectDays(
      asOf(FEE_WITHOUT_ENTRY, '03-05'),
      `
        day   |   start | cash in | cash out | cash adj |     end
        03-01 |    0.00 | 1000.00 |          |          | 1000.00
        03-02 | 1000.00 |         |          |          | 1000.00
        03-03 | 1000.00 |         |          |   -12.40 |  987.60
        03-04 |  987.60 |         |          |          |  987.60
        03-05 |  987.60 |         |    50.00 |          |  937.60
      `,
    );
  });

  it('several lasting differences are one adjustment each, on their own days', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 100.00
        03-02  balance 100.00
        03-10  balance 101.00     # interest without an entry
        03-22  balance 101.00
        04-10  balance 102.50     # and once more
        04-22  balance 102.50
      `),
      `
        day          |  start | cash adj |    end
        03-01..03-09 | 100.00 |          | 100.00
        03-10        | 100.00 |     1.00 | 101.00
        03-11..04-09 | 101.00 |          | 101.00
        04-10        | 101.00 |     1.50 | 102.50
        04-11..04-22 | 102.50 |          | 102.50
      `,
    );
  });

  it('a difference that is reversed after more than ten days remains in the history as two adjustments', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 1000.00
        03-02  balance 1000.00
        03-03  balance 940.00      # 60 taken by mistake
        03-10  balance 940.00
        03-20  balance 940.00
        03-26  balance 1000.00     # and given back
        04-10  balance 1000.00
      `),
      `
        day          |   start | cash adj |     end
        03-01..03-02 | 1000.00 |          | 1000.00
        03-03        | 1000.00 |   -60.00 |  940.00
        03-04..03-25 |  940.00 |          |  940.00
        03-26        |  940.00 |    60.00 | 1000.00
        03-27..04-10 | 1000.00 |          | 1000.00
      `,
    );
  });

  it('a lasting difference is dated to the day it appeared although a delayed balance did not show it later', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-02  balance 500.00
        03-03  balance 488.00      # a fee of 12
        03-04  balance 500.00      # of the second: it lags behind
        03-05  balance 488.00
        03-06  balance 488.00
      `),
      `
        day          |  start | cash adj |    end
        03-01..03-02 | 500.00 |          | 500.00
        03-03        | 500.00 |   -12.00 | 488.00
        03-04..03-06 | 488.00 |          | 488.00
      `,
    );
  });

  it('a lasting difference is dated to the day it appeared although a temporary one was added to it', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-02  balance 500.00
        03-03  balance 500.00
        03-05  balance 498.00      # a fee of 2
        03-06  balance 468.00      # 30 held as well
        03-09  balance 468.00
        03-11  balance 498.00      # released; the 2 are still missing
        03-14  balance 498.00
        03-16  balance 498.00      # eleven days since they are
      `),
      `
        day          |  start | cash adj |    end
        03-01..03-04 | 500.00 |          | 500.00
        03-05        | 500.00 |    -2.00 | 498.00
        03-06..03-16 | 498.00 |          | 498.00
      `,
    );
  });
});
