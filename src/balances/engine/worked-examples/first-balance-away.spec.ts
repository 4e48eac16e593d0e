import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

describe('a first balance that the transactions do not explain', () => {
  it('interest that accrued before the first balance counts on the day it is posted', () => {
    expectDays(
      ledger(`
        depository
        02-10   -50.00 rent, listed 03-01
        03-01  balance 1004.00            # 4 days of 1.00 each
        03-02  balance 1005.00
        03-03  balance 1006.00
        03-04  balance 1007.00
        03-05  balance 1008.00
        03-06    +9.00 interest
        03-06  balance 1009.00
        03-07  balance 1010.00
        03-08  balance 1011.00
        03-09  balance 1012.00
        03-10  balance 1013.00
        03-11  balance 1014.00
        03-12  balance 1015.00
      `),
      `
        day          |   start | cash in | cash out | cash adj |     end
        02-10        | 1050.00 |         |    50.00 |          | 1000.00
        02-11..03-05 | 1000.00 |         |          |          | 1000.00
        03-06        | 1000.00 |    9.00 |          |          | 1009.00   # as much as the balance had before
        03-07        | 1009.00 |         |          |     1.00 | 1010.00
        03-08        | 1010.00 |         |          |     1.00 | 1011.00
        03-09        | 1011.00 |         |          |     1.00 | 1012.00
        03-10        | 1012.00 |         |          |     1.00 | 1013.00
        03-11        | 1013.00 |         |          |     1.00 | 1014.00
        03-12        | 1014.00 |         |          |     1.00 | 1015.00   # not booked yet
      `,
    );
  });
});
