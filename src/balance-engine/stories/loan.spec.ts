import { expectDays } from '../../../test/days-text.js';
import { ledger } from '../../../test/ledger-text.js';

describe('a loan', () => {
  it.each(['-', ''])('is what is owed and has no cash, whatever the sign: %s17,550', (sign) => {
    expectDays(
      ledger(`
        loan
        03-02   -1,000.00 drawn
        03-05     +450.00 instalment
        03-05  balance ${sign}17,550.00
      `),
      `
        day          |    start | non-cash in | non-cash out | cash |      end
        03-02        | 17000.00 |             |      1000.00 |    0 | 18000.00   # 17550 + 450 - 1000 = 17000
        03-03..03-04 | 18000.00 |             |              |    0 | 18000.00
        03-05        | 18000.00 |      450.00 |              |    0 | 17550.00
      `,
    );
  });

  it('grows by interest that is never listed on the day it was seen to', () => {
    expectDays(
      ledger(`
        loan
        03-01  balance 18000.00
        03-02  balance 18000.00
        03-05  +450.00 instalment
        03-05  balance 17550.00
        03-10  balance 17610.00     # 60 of interest
        03-25  balance 17610.00
      `),
      `
        day          |    start | non-cash in | non-cash adj |      end
        03-01..03-04 | 18000.00 |             |              | 18000.00
        03-05        | 18000.00 |      450.00 |              | 17550.00
        03-06..03-09 | 17550.00 |             |              | 17550.00
        03-10        | 17550.00 |             |        60.00 | 17610.00
        03-11..03-25 | 17610.00 |             |              | 17610.00
      `,
    );
  });

  it('among friends is the same', () => {
    expectDays(
      ledger(`
        other_liability
        03-02  +100.00 paid back
        03-02  balance -500.00
      `),
      `
        day   |  start | non-cash in |    end
        03-02 | 600.00 |      100.00 | 500.00
      `,
    );
  });
});
