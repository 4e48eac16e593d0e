import { expectDays } from '../../../test/days-text.js';
import { ledger } from '../../../test/ledger-text.js';

const LIST = `
  03-01  +900.00 wages, listed 03-20 07:00
  03-12   -20.00 tea, listed 03-20 07:00
  03-14   -50.00 shoes, listed 03-20 07:00
  03-21   -30.00 wine, listed 03-22 07:00
`;
describe('a balance of the last statement', () => {
  it('is compared with what the list dates up to its day', () => {
    expectDays(
      ledger(`
        depository
        ${LIST}
        03-20 07:00 balance 1000.00 of 03-12
        03-21 07:00 balance 1000.00 of 03-12
        03-22 07:00 balance 1000.00 of 03-12
      `),
      `
        day          |   start | cash in | cash out | cash adj |     end
        03-01        |  120.00 |  900.00 |          |          | 1020.00   # 1,000 + 20 - 900
        03-02..03-11 | 1020.00 |         |          |          | 1020.00
        03-12        | 1020.00 |         |    20.00 |          | 1000.00   # the statement of the 12th
        03-13        | 1000.00 |         |          |          | 1000.00
        03-14        | 1000.00 |         |    50.00 |          |  950.00
        03-15..03-20 |  950.00 |         |          |          |  950.00
        03-21        |  950.00 |         |    30.00 |          |  920.00
        03-22        |  920.00 |         |          |    80.00 | 1000.00   # the newest balance is older than both
      `,
    );
  });
});
