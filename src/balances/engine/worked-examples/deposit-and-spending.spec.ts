import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

describe('deposit and spending', () => {
  it('are walked back from the balance, day by day, without a gap', () => {
    expectDays(
      ledger(`
        depository
        03-02  +500.00 salary
        03-03   -20.00 groceries
        03-03   -30.00 fuel
        03-05  balance 650.00
      `),
      `
        day          |  start | cash in | cash out |    end
        03-02        | 200.00 |  500.00 |          | 700.00   # 650 + 20 + 30 - 500 = 200 before the salary
        03-03        | 700.00 |         |    50.00 | 650.00   # 20 + 30
        03-04..03-05 | 650.00 |         |          | 650.00
      `,
    );
  });

  it('of one day stand side by side, not netted', () => {
    expectDays(
      ledger(`
        depository
        03-02  +80.00 a friend pays back
        03-02  -80.00 shoes
        03-02  balance 10.00
      `),
      `
        day   | start | cash in | cash out |   end
        03-02 | 10.00 |   80.00 |    80.00 | 10.00   # 10 + 80 - 80
      `,
    );
  });

  it('may take an account below zero', () => {
    expectDays(
      ledger(`
        depository
        03-01  -30.00 rent
        03-02  +5.00 bottles returned
        03-02  balance -15.00
      `),
      `
        day   |  start | cash in | cash out |    end
        03-01 |  10.00 |         |    30.00 | -20.00   # -15 - 5 + 30 = 10
        03-02 | -20.00 |    5.00 |          | -15.00
      `,
    );
  });
});
