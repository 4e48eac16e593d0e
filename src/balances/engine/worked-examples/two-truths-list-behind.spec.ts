import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

/**
 * Where entries are listed late, a purchase that was held unlisted is still not listed when it is booked: until it is, it
 * could as well be a fee that never will be. The first truth is that of the books of a simulated household, the second is
 * the one that is shown, until a later fact decides.
 */
describe('an unlisted charge that is either a fee or a pending purchase listed late', () => {
  describe('transactions listed a day late (mixed faults, seed 108, days 36 and 37)', () => {
    // A hold: 51.00 are held on 6 March before seven, booked on the 7th before seven, and listed a day later, on the 8th.
    // A fee: 51.00 are charged in the night to 6 March, and no entry ever lists it.
    const feed = `
      credit_card
      03-01 07:00 balance -600.00
      03-01 -20.00 lunch, listed 03-03 07:00
      03-02 07:00 balance -620.00
      03-02 -15.00 books, listed 03-04 07:00
      03-03 07:00 balance -635.00
      03-04 07:00 balance -635.00
      03-05 07:00 balance -635.00
      03-06 07:00 balance -686.00              # hold: 635 + 51 held        fee: 635 + 51 charged
      03-06 -82.00 boots, listed 03-07 19:00
      03-07 07:00 balance -768.00              # hold: 635 + 82 + 51, which are booked by now; fee: 686 + 82
      03-07 -24.00 wine, listed 03-09 07:00
      03-07 19:00 balance -792.00              # and the wine
    `;
    const before = `
      03-01        | 600.00 |    20.00 |          | 620.00
      03-02        | 620.00 |    15.00 |          | 635.00
      03-03..03-05 | 635.00 |          |          | 635.00
    `;

    it('an unlisted charge is an adjustment of the day it appeared if transactions are listed a day late', () => {
      expectDays(
        asOf(ledger(feed), '03-07'),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06        | 635.00 |    82.00 |    51.00 | 768.00   # if held, 717
          03-07        | 768.00 |          |    24.00 | 792.00   # if held, 51 of this day are booked as well
        `,
      );
    });

    it('the adjustment for an unlisted charge is removed once its purchase is listed a day late', () => {
      expectDays(
        ledger(`${feed}
          03-07 -51.00 shoes, listed 03-08 07:00
          03-08 07:00 balance -792.00
          03-09 07:00 balance -792.00
        `),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06        | 635.00 |    82.00 |          | 717.00
          03-07        | 717.00 |    75.00 |          | 792.00
          03-08..03-09 | 792.00 |          |          | 792.00
        `,
      );
    });

    it('an unlisted charge remains an adjustment if no purchase is listed in two weeks at a bank that lists a day late', () => {
      expectDays(
        ledger(`${feed}
          03-09 07:00 balance -792.00
          03-20 07:00 balance -792.00
        `),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06        | 635.00 |    82.00 |    51.00 | 768.00
          03-07        | 768.00 |    24.00 |          | 792.00
          03-08..03-20 | 792.00 |          |          | 792.00
        `,
      );
    });
  });

  describe('transactions listed up to three days late (mixed faults, seed 122, days 72 to 77)', () => {
    // A hold: 6.00 are held on 6 March before seven, booked on the 8th, and listed three days later, on the 11th.
    // A fee: 6.00 are charged in the night to 6 March, and no entry ever lists it.
    const feed = `
      unknown
      03-01 07:00 balance 500.00 of 03-01
      03-01 -20.00 lunch, listed 03-03 07:00
      03-02 07:00 balance 480.00 of 03-02
      03-02 -30.00 books, listed 03-05 07:00
      03-03 07:00 balance 450.00 of 03-03
      03-04 07:00 balance 450.00 of 03-04
      03-05 07:00 balance 450.00 of 03-05
      03-06 07:00 balance 444.00 of 03-06      # hold: 450 - 6 held         fee: 450 - 6 charged
      03-07 07:00 balance 444.00 of 03-07
      03-08 07:00 balance 444.00 of 03-08
      03-09 07:00 balance 444.00 of 03-09      # hold: booked since the evening before
      03-11 07:00 balance 444.00 of 03-11
    `;
    const before = `
      03-01        | 500.00 |    20.00 |          | 480.00
      03-02        | 480.00 |    30.00 |          | 450.00
      03-03..03-05 | 450.00 |          |          | 450.00
    `;

    it('an unlisted charge is an adjustment of the day it appeared if transactions are listed up to three days late', () => {
      expectDays(
        ledger(feed),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06        | 450.00 |          |    -6.00 | 444.00   # if held, 450 until the 7th
          03-07..03-11 | 444.00 |          |          | 444.00
        `,
      );
    });

    it('the adjustment for an unlisted charge is removed once its purchase is listed three days late', () => {
      expectDays(
        ledger(`${feed}
          03-08 -6.00 parking, listed 03-11 19:00
          03-11 19:00 balance 444.00 of 03-11
        `),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06..03-07 | 450.00 |          |          | 450.00
          03-08        | 450.00 |     6.00 |          | 444.00
          03-09..03-11 | 444.00 |          |          | 444.00
        `,
      );
    });

    it('an unlisted charge remains an adjustment if no purchase is listed in two weeks at a bank that lists three days late', () => {
      expectDays(
        ledger(`${feed}
          03-20 07:00 balance 444.00 of 03-20
        `),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06        | 450.00 |          |    -6.00 | 444.00
          03-07..03-20 | 444.00 |          |          | 444.00
        `,
      );
    });
  });
});
