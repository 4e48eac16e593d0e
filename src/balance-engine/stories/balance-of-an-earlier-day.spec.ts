import { expectDays } from '../../../test/days-text.js';
import { asOf, ledger } from '../../../test/ledger-text.js';

const BOOKED_LATE = ledger(`
  depository
  03-01 07:00 balance 500.00 of 03-01
  03-02 07:00 balance 500.00 of 03-02
  03-01 -100.00 shoes, listed 03-03 07:00
  03-03 07:00 balance 500.00 of 03-02      # the evening of the 2nd, before the shoes were booked
  03-01  -30.00 wine, listed 03-04 07:00
  03-04 07:00 balance 500.00 of 03-02      # still that evening
  03-05 07:00 balance 370.00 of 03-05
`);

const ALWAYS_ONE_DAY = ledger(`
  depository
  03-01 07:00 balance 500.00 of 02-01
  03-02 -20.00 bread, listed 03-02 07:00
  03-02 07:00 balance 480.00 of 02-01      # whatever day it says, it has the bread
  03-03 -30.00 wine, listed 03-03 07:00
  03-03 07:00 balance 450.00 of 02-01      # and the wine
  03-04 -40.00 cheese, listed 03-04 07:00
  03-04 07:00 balance 410.00 of 02-01
`);

describe('a balance that the bank says is of an earlier day', () => {
  it('is held against the list of that day: what was booked since moves nothing of the past', () => {
    expectDays(
      asOf(BOOKED_LATE, '03-04'),
      `
        day   |  start | cash out | cash adj |    end
        03-01 | 500.00 |   130.00 |          | 370.00
        03-02 | 370.00 |          |          | 370.00
        03-03 | 370.00 |          |          | 370.00
        03-04 | 370.00 |          |   130.00 | 500.00   # the newest balance, which is without both
      `,
    );
  });

  it('leaves no trace when the balance comes up', () => {
    expectDays(
      BOOKED_LATE,
      `
        day          |  start | cash out |    end
        03-01        | 500.00 |   130.00 | 370.00
        03-02..03-05 | 370.00 |          | 370.00
      `,
    );
  });

  it('is held against the list beside it where that explains more', () => {
    expectDays(
      ALWAYS_ONE_DAY,
      `
        day   |  start | cash out |    end
        03-01 | 500.00 |          | 500.00
        03-02 | 500.00 |    20.00 | 480.00
        03-03 | 480.00 |    30.00 | 450.00
        03-04 | 450.00 |    40.00 | 410.00
      `,
    );
  });
});
