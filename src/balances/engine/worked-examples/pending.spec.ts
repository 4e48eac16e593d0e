import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const BESIDE_THE_BALANCE = ledger(`
  depository
  03-01  balance 500.00
  03-02  balance 500.00, holds -40.00           # a hold is listed, the balance does not know it
  03-03  balance 500.00, holds -40.00 -15.00
  03-04   -40.00 the first is booked
  03-04  balance 460.00, holds -15.00
  03-05  balance 460.00                         # the second is released
`);

const IN_THE_BALANCE = ledger(`
  depository
  03-01  balance 500.00
  03-02  balance 460.00, holds -40.00           # 500 - 40 held
  03-03  balance 445.00, holds -40.00 -15.00    # 500 - 40 - 15 held
  03-04   -40.00 the first is booked
  03-04  balance 445.00, holds -15.00           # booked 460, 15 held
  03-05  balance 460.00                         # the second is released
`);

describe('pending transactions', () => {
  it('pending transactions that the balance does not include never count', () => {
    expectDays(
      BESIDE_THE_BALANCE,
      `
        day          |  start | cash out |    end
        03-01..03-03 | 500.00 |          | 500.00
        03-04        | 500.00 |    40.00 | 460.00
        03-05        | 460.00 |          | 460.00
      `,
    );
  });

  it('pending transactions that the balance includes do not count in past rows', () => {
    expectDays(
      IN_THE_BALANCE,
      `
        day          |  start | cash out |    end
        03-01..03-03 | 500.00 |          | 500.00
        03-04        | 500.00 |    40.00 | 460.00
        03-05        | 460.00 |          | 460.00
      `,
    );
  });

  it('pending transactions that the newest balance includes are an adjustment of today', () => {
    expectDays(
      asOf(IN_THE_BALANCE, '03-04'),
      `
        day          |  start | cash out | cash adj |    end
        03-01..03-03 | 500.00 |          |          | 500.00
        03-04        | 500.00 |    40.00 |   -15.00 | 445.00   # 460 booked, and the bank says 445
      `,
    );
  });

  it('a pending transaction that is posted with another amount counts with the posted amount', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-02  balance 500.00, holds -40.00
        03-03   -46.00 with the tip
        03-03  balance 454.00
      `),
      `
        day          |  start | cash out |    end
        03-01..03-02 | 500.00 |          | 500.00
        03-03        | 500.00 |    46.00 | 454.00
      `,
    );
  });

  it('a posted transaction counts as soon as the balance shows it, although it is still listed as pending', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 370.00, holds -80.00 -50.00     # 500 - 80 - 50 held
        03-02   -80.00 the first is booked
        03-02  balance 370.00, holds -50.00
        03-03   -20.00 groceries
        03-03  balance 350.00, holds -50.00
        03-04   -50.00 the second is booked, and listed among the holds for another day
        03-04  balance 250.00, holds -50.00 -100.00    # 350 booked, only the 100 are held
        03-05    -7.00 coffee
        03-05  balance 243.00, holds -100.00
      `),
      `
        day   |  start | cash out | cash adj |    end
        03-01 | 500.00 |          |          | 500.00
        03-02 | 500.00 |    80.00 |          | 420.00
        03-03 | 420.00 |    20.00 |          | 400.00
        03-04 | 400.00 |    50.00 |          | 350.00
        03-05 | 350.00 |     7.00 |  -100.00 | 243.00
      `,
    );
  });
});
