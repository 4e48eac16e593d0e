import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const ENTRIES_LOST = ledger(`
  depository
  03-01  +1,000.00 salary
  03-01  balance 1000.00
  03-03   -50.00 groceries
  03-03  balance 950.00
  05-02  balance 610.00      # 60 days later; what moved it is not listed
  05-04   -10.00 coffee beans
  05-04  balance 600.00
  05-20  balance 600.00
`);

const ENTRIES_DELIVERED = ledger(`
  depository
  03-01  balance 1000.00
  03-03   -50.00 groceries
  03-03  balance 950.00
  03-20  -300.00 rent, listed 05-02
  04-20  -300.00 rent, listed 05-02
  05-02  balance 350.00      # 950 - 300 - 300
`);

describe('a consent that lapsed for 60 days', () => {
  it('unlisted changes during a lapsed consent are one adjustment at its end, and the days before do not change', () => {
    expectDays(
      ENTRIES_LOST,
      `
        day          |   start | cash in | cash out | cash adj |     end
        03-01        |    0.00 | 1000.00 |          |          | 1000.00
        03-02        | 1000.00 |         |          |          | 1000.00
        03-03        | 1000.00 |         |    50.00 |          |  950.00
        03-04..05-01 |  950.00 |         |          |          |  950.00
        05-02        |  950.00 |         |          |  -340.00 |  610.00   # 610 - 950
        05-03        |  610.00 |         |          |          |  610.00
        05-04        |  610.00 |         |    10.00 |          |  600.00
        05-05..05-20 |  600.00 |         |          |          |  600.00
      `,
    );
  });

  it('unlisted changes during a lapsed consent are one adjustment on the day the consent is renewed', () => {
    expectDays(
      asOf(ENTRIES_LOST, '05-02'),
      `
        day          |   start | cash in | cash out | cash adj |     end
        03-01        |    0.00 | 1000.00 |          |          | 1000.00
        03-02        | 1000.00 |         |          |          | 1000.00
        03-03        | 1000.00 |         |    50.00 |          |  950.00
        03-04..05-01 |  950.00 |         |          |          |  950.00
        05-02        |  950.00 |         |          |  -340.00 |  610.00
      `,
    );
  });

  it('a lapsed consent leaves no gap if its transactions are delivered afterwards', () => {
    expectDays(
      ENTRIES_DELIVERED,
      `
        day          |   start | cash out |     end
        03-01..03-02 | 1000.00 |          | 1000.00
        03-03        | 1000.00 |    50.00 |  950.00
        03-04..03-19 |  950.00 |          |  950.00
        03-20        |  950.00 |   300.00 |  650.00
        03-21..04-19 |  650.00 |          |  650.00
        04-20        |  650.00 |   300.00 |  350.00
        04-21..05-02 |  350.00 |          |  350.00
      `,
    );
  });
});
