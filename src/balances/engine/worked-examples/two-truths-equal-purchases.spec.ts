import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

/**
 * Two purchases of one amount, the first of which is listed while the second is held: until the second is listed too, it
 * could as well be that only one was made, after a fee of that amount. The first truth is that of the books of a simulated
 * household, the second is the one that is shown, until a later fact decides.
 */
describe('an unlisted charge that is either a fee or a pending purchase equal to a listed one', () => {
  describe('two purchases of one amount, one of which is listed (mixed faults, seed 108, days 58 to 62)', () => {
    // A hold: 30.00 are booked in the night to 6 March and listed a day later; another 30.00 are held from that afternoon
    // on, booked on the 9th, and listed a day later, on the 10th.
    // A fee: 30.00 are charged in the night to 6 March, and no entry ever lists it; 30.00 are paid that afternoon, and
    // listed at the next sync.
    const feed = `
      credit_card
      03-01 07:00 balance -600.00
      03-01 -20.00 lunch, listed 03-03 07:00
      03-02 07:00 balance -620.00
      03-02 -15.00 books, listed 03-04 07:00
      03-03 07:00 balance -635.00
      03-04 07:00 balance -635.00
      03-05 07:00 balance -635.00
      03-06 07:00 balance -665.00              # hold: 635 + 30 booked      fee: 635 + 30 charged
      03-06 -30.00 tickets, listed 03-07 07:00
      03-06 -44.00 dinner, listed 03-08 07:00
      03-07 -118.00 petrol, before seven, listed 03-08 07:00
      03-07 07:00 balance -857.00              # hold: 665 + 44 + 118 + 30 held   fee: 665 + 44 + 118 + 30 paid
      03-08 07:00 balance -857.00
      03-09 07:00 balance -857.00
    `;
    const before = `
      03-01        | 600.00 |    20.00 |          | 620.00
      03-02        | 620.00 |    15.00 |          | 635.00
      03-03..03-05 | 635.00 |          |          | 635.00
    `;

    it('an unlisted charge of the same amount as a listed purchase is an adjustment of the day it appeared', () => {
      expectDays(
        ledger(feed),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06        | 635.00 |    74.00 |    30.00 | 739.00   # if held, 709
          03-07        | 739.00 |   118.00 |          | 857.00
          03-08..03-09 | 857.00 |          |          | 857.00
        `,
      );
    });

    it('the adjustment for an unlisted charge is removed once a second purchase of that amount is listed', () => {
      expectDays(
        ledger(`${feed}
          03-09 -30.00 tickets, listed 03-10 19:00
          03-10 19:00 balance -857.00
        `),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06        | 635.00 |    74.00 |          | 709.00
          03-07        | 709.00 |   118.00 |          | 827.00
          03-08        | 827.00 |          |          | 827.00
          03-09        | 827.00 |    30.00 |          | 857.00
          03-10        | 857.00 |          |          | 857.00
        `,
      );
    });

    it('an unlisted charge remains an adjustment if no second purchase of that amount is listed in two weeks', () => {
      expectDays(
        ledger(`${feed}
          03-20 07:00 balance -857.00
        `),
        `
          day          |  start | cash out | cash adj |    end
          ${before}
          03-06        | 635.00 |    74.00 |    30.00 | 739.00
          03-07        | 739.00 |   118.00 |          | 857.00
          03-08..03-20 | 857.00 |          |          | 857.00
        `,
      );
    });
  });
});
