import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

/** 50 ACME at 100, 20 BND at 100 and 3000 in cash. */
const BEGINNING = '03-01  balance 10,000.00, holding 50 ACME 5000.00, 20 BND 2000.00';

describe('a brokerage account', () => {
  it('a buy, a sale, the market, a dividend and a deposit of one day go into separate columns of a brokerage account', () => {
    expectDays(
      ledger(`
        investment
        ${BEGINNING}
        03-02    +500.00 deposit
        03-02     +30.00 dividend
        03-02  -1,100.00 bought 10 ACME at 110
        03-02    +525.00 sold 5 BND at 105
        03-02  balance 11,235.00, holding 60 ACME 6720.00, 15 BND 1560.00    # closing at 112 and 104
      `),
      `
        day   |    start | cash in | cash out | non-cash in | non-cash out | market |    cash | non-cash |      end
        03-01 | 10000.00 |         |          |             |              |        | 3000.00 |  7000.00 | 10000.00
        03-02 | 10000.00 | 1055.00 |  1100.00 |     1120.00 |       520.00 | 680.00 | 2955.00 |  8280.00 | 11235.00
        # cash in 500 + 30 + 525; bought 10 at 112; sold 5 at 104; market 50 * 12 + 20 * 4
      `,
    );
  });

  it('a purchase of securities without a transaction is paid from the cash of the account', () => {
    expectDays(
      ledger(`
        investment
        ${BEGINNING}
        03-02  balance 10,500.00, holding 60 ACME 6600.00, 20 BND 2000.00    # 10 more at 110, cash 1900
      `),
      `
        day   |    start | cash out | non-cash in | market |    cash | non-cash |      end
        03-01 | 10000.00 |          |             |        | 3000.00 |  7000.00 | 10000.00
        03-02 | 10000.00 |  1100.00 |     1100.00 | 500.00 | 1900.00 |  8600.00 | 10500.00
      `,
    );
  });

  it('a purchase of securities with a transaction is paid once', () => {
    expectDays(
      ledger(`
        investment
        ${BEGINNING}
        03-02  -1,100.00 bought 10 ACME
        03-02  balance 10,500.00, holding 60 ACME 6600.00, 20 BND 2000.00
      `),
      `
        day   |    start | cash out | non-cash in | market |    cash | non-cash |      end
        03-01 | 10000.00 |          |             |        | 3000.00 |  7000.00 | 10000.00
        03-02 | 10000.00 |  1100.00 |     1100.00 | 500.00 | 1900.00 |  8600.00 | 10500.00
      `,
    );
  });

  it('a purchase of securities counts on the date of its transaction, and in the newest row until that date', () => {
    const written = ledger(`
      investment
      ${BEGINNING}
      03-04  -1,090.00 bought 10 ACME, settled in two days, listed 03-02
      03-02  balance 10,510.00, holding 60 ACME 6600.00, 20 BND 2000.00    # 10 more, now at 110; cash 1910
      03-03  balance 10,510.00
      03-04  balance 10,510.00
    `);
    expectDays(
      asOf(written, '03-03'),
      `
        day   |    start | cash adj | non-cash in | market |    cash | non-cash |      end
        03-01 | 10000.00 |          |             |        | 3000.00 |  7000.00 | 10000.00
        03-02 | 10000.00 |          |             | 510.00 | 3000.00 |  7510.00 | 10510.00   # 50 * 10, and 10 on the new
        03-03 | 10510.00 | -1090.00 |     1090.00 |        | 1910.00 |  8600.00 | 10510.00
      `,
    );
    expectDays(
      written,
      `
        day   |    start | cash out | non-cash in | market |    cash | non-cash |      end
        03-01 | 10000.00 |          |             |        | 3000.00 |  7000.00 | 10000.00
        03-02 | 10000.00 |          |             | 510.00 | 3000.00 |  7510.00 | 10510.00
        03-03 | 10510.00 |          |             |        | 3000.00 |  7510.00 | 10510.00
        03-04 | 10510.00 |  1090.00 |     1090.00 |        | 1910.00 |  8600.00 | 10510.00
      `,
    );
  });

  it('securities transferred from elsewhere are a non-cash inflow without a payment', () => {
    expectDays(
      ledger(`
        investment
        ${BEGINNING}
        03-02  balance 11,000.00, holding 60 ACME 6000.00, 20 BND 2000.00    # cash still 3000
      `),
      `
        day   |    start | non-cash in |    cash | non-cash |      end
        03-01 | 10000.00 |             | 3000.00 |  7000.00 | 10000.00
        03-02 | 10000.00 |     1000.00 | 3000.00 |  8000.00 | 11000.00
      `,
    );
  });

  it('a brokerage account that sold everything has cash only', () => {
    expectDays(
      ledger(`
        investment
        03-01  balance 1000.00, holding 10 ACME 1000.00
        03-02  +1000.00 sold 10 ACME
        03-02  balance 1000.00, holding nothing
      `),
      `
        day   |   start | cash in | non-cash out |    cash | non-cash |     end
        03-01 | 1000.00 |         |              |    0.00 |  1000.00 | 1000.00
        03-02 | 1000.00 | 1000.00 |      1000.00 | 1000.00 |     0.00 | 1000.00
      `,
    );
  });

  it('the market change between two holdings snapshots is on the day of the later one', () => {
    expectDays(
      ledger(`
        investment
        03-01  balance 1000.00, holding 10 ACME 1000.00
        03-04  balance  970.00, holding 10 ACME 970.00
      `),
      `
        day          |   start | market | non-cash |     end
        03-01..03-03 | 1000.00 |        |  1000.00 | 1000.00
        03-04        | 1000.00 | -30.00 |   970.00 |  970.00
      `,
    );
  });

  it('a brokerage account has no history before its first report', () => {
    const written = ledger(`
      investment
      02-01  +5,000.00 deposit, listed 03-01
      02-02  -4,000.00 bought 40 ACME, listed 03-01
      03-01  balance 5,200.00, holding 40 ACME 4200.00
      03-02  balance 5,200.00, holding 40 ACME 4200.00
    `);
    expectDays(
      asOf(written, '03-02'),
      `
        day          |   start |    cash | non-cash |     end
        03-01..03-02 | 5200.00 | 1000.00 |  4200.00 | 5200.00
      `,
    );
  });
});

describe('a trade with a price change of more than half', () => {
  it.each([
    // its entry, the balance and the position on the next day; cash in and out, non-cash in and out, market
    ['half sold at 16', '+800.00', '2600.00', '50 ACME 800.00', '800 | | | 800 | 600'],
    ['half sold at 16, unlisted', null, '2600.00', '50 ACME 800.00', '800 | | | 800 | 600'],
    ['half sold at 10, now at 16', '+500.00', '2300.00', '50 ACME 800.00', '500 | | | 500 | 300'],
    ['a quarter sold at 16', '+400.00', '2600.00', '75 ACME 1200.00', '400 | | | 400 | 600'],
    ['half sold at 4', '+200.00', '1400.00', '50 ACME 200.00', '200 | | | 200 | -600'],
    ['half sold at 4, unlisted', null, '1400.00', '50 ACME 200.00', '200 | | | 200 | -600'],
    ['half sold at 10, unlisted, now at 4', null, '1700.00', '50 ACME 200.00', '500 | | | 500 | -300'],
    ['all but a tenth of one sold at 4', '+399.60', '1400.00', '0.1 ACME 0.40', '399.60 | | | 399.60 | -600'],
    ['as many bought at 4', '-400.00', '1400.00', '200 ACME 800.00', '| 400 | 400 | | -600'],
    ['as many bought at 10, now at 4', '-1000.00', '800.00', '200 ACME 800.00', '| 1000 | 1000 | | -1200'],
    ['half moved elsewhere, now at 4', null, '1200.00', '50 ACME 200.00', '| | | 500 | -300'],
  ])('a trade before a large price change is worth what was paid for it: %s', (_, entry, end, position, flows) => {
    const written = ledger(`
      investment
      03-01  balance 2000.00, holding 100 ACME 1000.00
      ${entry === null ? '' : `03-02  ${entry} traded`}
      03-02  balance ${end}, holding ${position}
    `);
    expectDays(
      written,
      `
        day   |   start | cash in | cash out | non-cash in | non-cash out | market | end
        03-01 | 2000.00 |         |          |             |              |        | 2000.00
        03-02 | 2000.00 | ${flows} | ${end}
      `,
    );
    expect(tell(written)).toEqual(['The value before 1 March 2026 is unknown.']);
  });
});

describe('a brokerage account without listed holdings', () => {
  it('a brokerage account without listed holdings has its reported balance each day, with adjustments for the market', () => {
    expectDays(
      ledger(`
        investment
        03-01  balance 1000.00
        03-02  balance 1020.00
        03-03  +500.00 deposit
        03-03  balance 1500.00
        03-04  balance 1510.00
      `),
      `
        day   |   start | cash in | cash adj |     end
        03-01 | 1000.00 |         |          | 1000.00
        03-02 | 1000.00 |         |    20.00 | 1020.00
        03-03 | 1020.00 |  500.00 |   -20.00 | 1500.00   # the deposit is listed, the rest is not explained
        03-04 | 1500.00 |         |    10.00 | 1510.00
      `,
    );
  });

  it('a deposit listed after the balance moved counts once in a brokerage account without listed holdings', () => {
    const written = ledger(`
      investment
      03-01  balance 1000.00
      03-02  +500.00 deposit, listed 03-03
      03-02  balance 1500.00
      03-03  balance 1500.00
    `);
    expectDays(
      asOf(written, '03-02'),
      `
        day   |   start | cash adj |     end
        03-01 | 1000.00 |          | 1000.00
        03-02 | 1000.00 |   500.00 | 1500.00
      `,
    );
    expectDays(
      written,
      `
        day   |   start | cash in |     end
        03-01 | 1000.00 |         | 1000.00
        03-02 | 1000.00 |  500.00 | 1500.00
        03-03 | 1500.00 |         | 1500.00
      `,
    );
  });

  it('a brokerage account separates cash from securities on the day its holdings are listed for the first time', () => {
    const written = ledger(`
      investment
      03-01  balance 10,000.00
      03-02  balance 10,000.00
      03-03  balance 10,000.00, holding 70 ACME 7000.00
      03-04  balance 10,070.00, holding 70 ACME 7070.00
    `);
    expectDays(
      written,
      `
        day          |    start | cash adj | market | non-cash adj |     cash | non-cash |      end
        03-01..03-02 | 10000.00 |          |        |              | 10000.00 |     0.00 | 10000.00
        03-03        | 10000.00 | -7000.00 |        |      7000.00 |  3000.00 |  7000.00 | 10000.00
        03-04        | 10000.00 |          |  70.00 |              |  3000.00 |  7070.00 | 10070.00
      `,
    );
    expect(tell(written)).toEqual([
      'The value before 1 March 2026 is unknown.',
      'Before 3 March 2026 the provider did not list holdings. They count as cash until then.',
    ]);
  });

  it('a brokerage account keeps its last holdings, valued by the balance, while the provider lists none', () => {
    expectDays(
      ledger(`
        investment
        03-01  balance 10,000.00, holding 70 ACME 7000.00
        03-02  balance 10,100.00
        03-03  balance 10,200.00, holding 70 ACME 7200.00
      `),
      `
        day          |    start | market |    cash | non-cash |      end
        03-01        | 10000.00 |        | 3000.00 |  7000.00 | 10000.00
        03-02        | 10000.00 | 100.00 | 3000.00 |  7100.00 | 10100.00   # the market's, as far as is known
        03-03        | 10100.00 | 100.00 | 3000.00 |  7200.00 | 10200.00
      `,
    );
  });
});

describe('a day with unreadable holdings', () => {
  it.each<[string, string, string, string]>([
    ['a deposit', '+150.00', '3150.00', '03-03 | 3000.00 | 150.00 | | | 3150.00'],
    ['a withdrawal', '-150.00', '2850.00', '03-03 | 3000.00 | | 150.00 | | 2850.00'],
    ['a deposit beside a market gain', '+150.00', '3170.00', '03-03 | 3000.00 | 150.00 | | 20.00 | 3170.00'],
  ])('on a day with unreadable holdings, %s listed a day late counts once', (_, amount, balance, row) => {
    const written = ledger(`
      investment
      03-01  balance 3000.00, holding 10 ACME 2000.00
      03-02  balance 3000.00, holding 10 ACME 2000.00
      03-03  ${amount} listed late, listed 03-04
      03-03  balance ${balance}
      03-04  balance ${balance}, holding 10 ACME ${balance === '3170.00' ? '2020.00' : '2000.00'}
    `);
    expectDays(
      written,
      `
        day          |   start | cash in | cash out | market | end
        03-01..03-02 | 3000.00 |         |          |        | 3000.00
        ${row}
        03-04        | ${balance} |      |          |        | ${balance}
      `,
    );
  });

  it('a deposit listed a day late counts once if the holdings of several days cannot be read', () => {
    expectDays(
      ledger(`
        investment
        03-01  balance 3000.00, holding 10 ACME 2000.00
        03-02  balance 3010.00                # the market
        03-03  +150.00 deposit, listed 03-04
        03-03  balance 3165.00
        03-04  balance 3163.00
        03-05  balance 3160.00, holding 10 ACME 2010.00
      `),
      `
        day   |   start | cash in | market |    cash | non-cash |     end
        03-01 | 3000.00 |         |        | 1000.00 |  2000.00 | 3000.00
        03-02 | 3000.00 |         |  10.00 | 1000.00 |  2010.00 | 3010.00
        03-03 | 3010.00 |  150.00 |   5.00 | 1150.00 |  2015.00 | 3165.00
        03-04 | 3165.00 |         |  -2.00 | 1150.00 |  2013.00 | 3163.00
        03-05 | 3163.00 |         |  -3.00 | 1150.00 |  2010.00 | 3160.00
      `,
    );
  });
});
