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

  it('a first balance of an old statement is explained although the bank adds tips to transactions later', () => {
    expectDays(
      ledger(`
        depository
        02-08   -44.00 dinner, listed 03-01       # 40.00 at the time of the statement, which nothing says
        02-20   -30.00 shoes, listed 03-01
        03-01  balance 1000.00 of 02-09
        03-03   -20.00 [1] lunch, listed 03-03, until 03-04
        03-03   -22.00 [1] lunch, listed 03-04
        03-04  balance 1000.00 of 02-09
        03-05   -50.00 [2] supper, listed 03-05, until 03-06
        03-05   -55.00 [2] supper, listed 03-06
        03-06  balance 1000.00 of 02-09
        03-10  balance 889.00 of 03-09            # 1,000 - 4 - 30 - 22 - 55
        03-20  balance 889.00 of 03-09
        04-10  balance 889.00 of 04-09
      `),
      `
        day          |   start | cash out |     end
        02-08        | 1040.00 |    44.00 |  996.00
        02-09..02-19 |  996.00 |          |  996.00
        02-20        |  996.00 |    30.00 |  966.00
        02-21..03-02 |  966.00 |          |  966.00
        03-03        |  966.00 |    22.00 |  944.00
        03-04        |  944.00 |          |  944.00
        03-05        |  944.00 |    55.00 |  889.00
        03-06..04-10 |  889.00 |          |  889.00
      `,
    );
  });
});
