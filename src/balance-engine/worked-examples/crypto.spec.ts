import { expectDays } from '../../../test/support/days-text.js';
import { asOf, ledger } from '../../../test/support/ledger-text.js';

describe('a crypto wallet', () => {
  it('moves with its market; a fraction bought is valued at the later price', () => {
    expectDays(
      ledger(`
        crypto
        03-01  balance 6,100.00, holding 0.1 BTC 6000.00              # at 60,000; 100 in cash
        03-02  -90.00 bought 0.0015 BTC
        03-02  balance 6,305.00, holding 0.1015 BTC 6293.00           # at 62,000; 10 in cash, and 2 of bonus
      `),
      `
        day   |   start | cash out | cash adj | non-cash in | market |   cash | non-cash |     end
        03-01 | 6100.00 |          |          |             |        | 100.00 |  6000.00 | 6100.00
        03-02 | 6100.00 |    90.00 |     2.00 |       93.00 | 200.00 |  12.00 |  6293.00 | 6305.00
        # bought 0.0015 at 62,000; market 0.1 * 2,000; cash 100 - 90 + 2
      `,
    );
  });
});

describe('a trade whose entry is dated two days ahead', () => {
  const BOUGHT = ledger(`
    crypto
    03-01  balance 0.00
    03-21  balance 0.00
    03-22  balance 0.00
    03-23  balance 0.00
    03-24  balance 0.00
    03-25 09:00  balance 0.00, holding nothing
    03-27  -0.09 bought, listed 03-25
    03-25  balance 0.00, holding 0 ACME 0.09
    03-26  balance 0.00
  `);
  const SOLD = ledger(`
    crypto
    03-01  balance 0.00
    03-02  balance 0.00, holding 0 ACME 0.09
    03-06  +0.09 sold, listed 03-03
    03-03  balance 0.00, holding nothing
    03-03 22:00  balance 0.00
    03-04  balance 0.00
    03-05  balance 0.00
  `);

  it('that was bought changes no row while time goes by', () => {
    expectDays(
      asOf(BOUGHT, '03-26'),
      `
        day          | start | cash adj | non-cash in |  cash | non-cash |  end
        03-01..03-25 |  0.00 |          |             |  0.00 |     0.00 | 0.00
        03-26        |  0.00 |    -0.09 |        0.09 | -0.09 |     0.09 | 0.00
      `,
    );
    expectDays(
      asOf(BOUGHT, '03-27'),
      `
        day          | start | cash out | cash adj | non-cash in |  cash | non-cash |  end
        03-01..03-25 |  0.00 |          |          |             |  0.00 |     0.00 | 0.00
        03-26        |  0.00 |          |    -0.09 |        0.09 | -0.09 |     0.09 | 0.00
        03-27        |  0.00 |     0.09 |     0.09 |             | -0.09 |     0.09 | 0.00
      `,
    );
  });

  it('that was sold changes no row while time goes by', () => {
    expectDays(
      asOf(SOLD, '03-05'),
      `
        day          | start | cash adj | non-cash out | non-cash adj |  cash | non-cash |  end
        03-01        |  0.00 |          |              |              |  0.00 |     0.00 | 0.00
        03-02        |  0.00 |    -0.09 |              |         0.09 | -0.09 |     0.09 | 0.00   # listed for the first time
        03-03..03-04 |  0.00 |          |              |              | -0.09 |     0.09 | 0.00
        03-05        |  0.00 |     0.09 |         0.09 |              |  0.00 |     0.00 | 0.00
      `,
    );
    expectDays(
      asOf(SOLD, '03-06'),
      `
        day          | start | cash in | cash adj | non-cash out | non-cash adj |  cash | non-cash |  end
        03-01        |  0.00 |         |          |              |              |  0.00 |     0.00 | 0.00
        03-02        |  0.00 |         |    -0.09 |              |         0.09 | -0.09 |     0.09 | 0.00
        03-03..03-04 |  0.00 |         |          |              |              | -0.09 |     0.09 | 0.00
        03-05        |  0.00 |         |     0.09 |         0.09 |              |  0.00 |     0.00 | 0.00
        03-06        |  0.00 |    0.09 |    -0.09 |              |              |  0.00 |     0.00 | 0.00
      `,
    );
  });
});
