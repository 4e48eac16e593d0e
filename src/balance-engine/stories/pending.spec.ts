import { expectDays } from '../../../test/days-text.js';
import { asOf, ledger } from '../../../test/ledger-text.js';

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
  it('never count beside the balance', () => {
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

  it('never count in a balance that was seen to include them: the past is what was booked', () => {
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

  it('are an adjustment of today while such a balance includes them', () => {
    expectDays(
      asOf(IN_THE_BALANCE, '03-04'),
      `
        day          |  start | cash out | cash adj |    end
        03-01..03-03 | 500.00 |          |          | 500.00
        03-04        | 500.00 |    40.00 |   -15.00 | 445.00   # 460 booked, and the bank says 445
      `,
    );
  });

  it('that are booked with another amount count with that amount', () => {
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
});
