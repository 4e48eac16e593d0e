import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

describe('a crypto wallet', () => {
  it('a crypto purchase is valued at the price of the later snapshot, separate from the market gain', () => {
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

describe('a sale that leaves almost nothing', () => {
  it.each([
    ['60,000.00, holding 0.00000001 BTC 0.00', '60000.00', '60000.00'],
    ['60,000.01, holding 0.0000001 BTC 0.01', '60000.01', '59999.99'], // at 0.01 for that, a coin is worth 100,000
    ['60,000.09, holding 0.00000145 BTC 0.09', '60000.09', '59999.91'],
    ['60,000.01, holding 0.000000000000000001 BTC 0.01', '60000.01', '60000.00', '0.01'],
  ])('a sale that leaves almost nothing is valued at the price before (%s)', (left, end, sold, market = '0') => {
    expectDays(
      ledger(`
        crypto
        03-01  balance 60,000.00, holding 1 BTC 60000.00
        03-02  +60,000.00 sold
        03-02  balance ${left}
      `),
      `
        day   |    start |  cash in | non-cash out |    market | end
        03-01 | 60000.00 |          |              |           | 60000.00
        03-02 | 60000.00 | 60000.00 | ${sold}      | ${market} | ${end}
      `,
    );
  });
});

describe('a quantity reported in another unit', () => {
  it.each([
    ['3000000000000000000', '3'],
    ['3', '3000000000000000000'],
    ['300', '0.000003'],
    ['100', '1000'], // a stock split
    ['1000', '100'],
    ['100', '150'],
  ])('a new quantity at a price that offsets it is not a trade if no cash moved: %s, then %s', (before, after) => {
    expectDays(
      ledger(`
        crypto
        03-01  balance 10,500.00, holding ${before} ACME 10000.00
        03-02  balance 10,900.00, holding ${after} ACME 10400.00
      `),
      `
        day   |    start | market |   cash | non-cash |      end
        03-01 | 10500.00 |        | 500.00 | 10000.00 | 10500.00
        03-02 | 10500.00 | 400.00 | 500.00 | 10400.00 | 10900.00
      `,
    );
  });

  it('a quantity in another unit is not a trade although the market moved the value meanwhile', () => {
    expectDays(
      ledger(`
        crypto
        03-01  balance 10,000.00, holding 3000000000000000000 ACME 10000.00
        03-04  balance 5000.00, holding 3 ACME 5000.00
      `),
      `
        day          |    start |   market |      end
        03-01..03-03 | 10000.00 |          | 10000.00
        03-04        | 10000.00 | -5000.00 |  5000.00
      `,
    );
  });

  it('a new quantity is a trade if cash moved for it, although the price fell by a third', () => {
    expectDays(
      ledger(`
        crypto
        03-01  balance 14,000.00, holding 100 ACME 10000.00
        03-02  -3,900.00 bought 60 ACME
        03-02  balance 10,500.00, holding 160 ACME 10400.00
      `),
      `
        day   |    start | cash out | non-cash in |   market |   cash | non-cash |      end
        03-01 | 14000.00 |          |             |          | 4000.00 | 10000.00 | 14000.00
        03-02 | 14000.00 |  3900.00 |     3900.00 | -3500.00 | 100.00 | 10400.00 | 10500.00
      `,
    );
  });
});

describe('a trade dated two days ahead', () => {
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

  it('a purchase of securities that is dated two days ahead changes no past row as time passes', () => {
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

  it('a sale of securities that is dated two days ahead changes no past row as time passes', () => {
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
