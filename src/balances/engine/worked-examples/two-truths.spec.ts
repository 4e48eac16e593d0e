import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

/**
 * Feeds that more than one truth would have brought about. Nobody can be right about both; what counts is that the
 * balance is the one reported, that the adjustment says so, and that the next fact decides.
 */
describe('a feed that fits two explanations', () => {
  const LESS_THAN_LISTED = `
    depository
    03-01  balance 500.00
    03-02  balance 500.00
    03-03  balance 470.00         # 30 less: a purchase not listed yet, or a fee that never will be, or a hold
  `;

  it('an unexplained fall of the newest balance is an adjustment until new data explains it', () => {
    expectDays(
      ledger(LESS_THAN_LISTED),
      `
        day          |  start | cash adj |    end
        03-01..03-02 | 500.00 |          | 500.00
        03-03        | 500.00 |   -30.00 | 470.00
      `,
    );
  });

  it('an unexplained fall of the balance becomes an outflow once a purchase of that amount is listed', () => {
    expectDays(
      ledger(`${LESS_THAN_LISTED}
        03-03  -30.00 shoes, listed 03-04
        03-04  balance 470.00
      `),
      `
        day          |  start | cash out |    end
        03-01..03-02 | 500.00 |          | 500.00
        03-03        | 500.00 |    30.00 | 470.00
        03-04        | 470.00 |          | 470.00
      `,
    );
  });

  it('an unexplained fall of the balance leaves no trace if the balance rises again two days later', () => {
    expectDays(
      ledger(`${LESS_THAN_LISTED}
        03-05  balance 500.00
      `),
      `
        day          |  start |    end
        03-01..03-05 | 500.00 | 500.00
      `,
    );
  });

  it('an unexplained fall of the balance that lasts is an adjustment of its day, like a fee', () => {
    expectDays(
      ledger(`${LESS_THAN_LISTED}
        03-09  balance 470.00
        03-20  balance 470.00
      `),
      `
        day          |  start | cash adj |    end
        03-01..03-02 | 500.00 |          | 500.00
        03-03        | 500.00 |   -30.00 | 470.00
        03-04..03-20 | 470.00 |          | 470.00
      `,
    );
  });

  it('an unlisted rise after the first balance remains an adjustment, as interest and an expired pending amount look alike', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 487.19           # 12.81 held on that day; or
        03-02  balance 500.00           # 12.81 of interest on this one
        03-10  balance 500.00
        03-20  balance 500.00
      `),
      `
        day          |  start | cash adj |    end
        03-01        | 487.19 |          | 487.19   # or 500.00
        03-02        | 487.19 |    12.81 | 500.00
        03-03..03-20 | 500.00 |          | 500.00
      `,
    );
  });

  it('a difference shown as a fee is removed once the expiry of a second pending amount explains it', () => {
    const feed = `
      depository
      03-01  balance 500.00
      03-02  balance 500.00
      03-03  balance 411.20            # 88.80 held; or a fee of that amount
      03-04  balance 411.20
      03-05  balance 411.20
      03-06  -88.80 shoes
      03-06  balance 411.20            # the shoes were held; or are listed a day before they are booked
      03-07  balance 322.40            # 88.80 held again; or the shoes are booked
    `;
    const later = `
      03-08  balance 322.40
      03-09  balance 411.20            # released: so both were held
    `;
    expectDays(
      ledger(feed),
      `
        day          |  start | cash out | cash adj |    end
        03-01..03-02 | 500.00 |          |          | 500.00
        03-03        | 500.00 |          |   -88.80 | 411.20
        03-04..03-05 | 411.20 |          |          | 411.20
        03-06        | 411.20 |    88.80 |          | 322.40
        03-07        | 322.40 |          |          | 322.40
      `,
    );
    expectDays(
      ledger(feed + later),
      `
        day          |  start | cash out |    end
        03-01..03-05 | 500.00 |          | 500.00
        03-06        | 500.00 |    88.80 | 411.20
        03-07..03-09 | 411.20 |          | 411.20
      `,
    );
  });

  it('of a trade and a withdrawal of the same amount between two holdings snapshots, the earlier counts as the withdrawal', () => {
    expectDays(
      ledger(`
        investment
        03-03  08:00 balance 6,000.00, holding 50 ACME 5000.00
        03-03  -200.00 two shares, or money paid out
        03-20  -200.00 money paid out, or two shares
        05-02  balance 5,800.00, holding 52 ACME 5200.00
      `),
      `
        day          |   start | cash out | non-cash in |    cash | non-cash |     end
        03-03        | 6000.00 |   200.00 |             |  800.00 |  5000.00 | 5800.00   # or 6000 with two shares more
        03-04..03-19 | 5800.00 |          |             |  800.00 |  5000.00 | 5800.00
        03-20        | 5800.00 |   200.00 |      200.00 |  600.00 |  5200.00 | 5800.00
        03-21..05-02 | 5800.00 |          |             |  600.00 |  5200.00 | 5800.00
      `,
    );
  });
});
