import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';

/**
 * A fee that is never listed, and a purchase that is held, not listed while it is held, and booked days later: both lower
 * the balance by an amount that no entry lists. That a balance between is without it says nothing where that one is of the
 * days before. The first truth is that of the books of a simulated household: 60 of mixed faults on days 63 to 65, and on
 * days 31 to 34, where the balance that shows it first is itself of the day before. A later fact decides.
 */
describe('an unlisted charge that is either a fee or an unlisted pending purchase, with a delayed balance', () => {
  describe('a balance in between is of the days before (mixed faults, seed 60)', () => {
    // A hold: 30.00 are held on 3 March before seven, and the shop books them on the 5th.
    // A fee: 30.00 are charged in the night to 3 March, and no entry ever lists it.
    const feed = `
      credit_card
      03-01 07:00 balance 600.00 of 03-01
      03-01 -20.00 lunch, listed 03-02 07:00
      03-02 07:00 balance 620.00 of 03-02
      03-03 07:00 balance 650.00 of 03-03      # hold: 620 + 30 held        fee: 620 + 30 charged
      03-03 -25.00 wine, listed 03-04 07:00
      03-04 07:00 balance 620.00 of 03-02      # the evening of the 2nd, before the hold or the fee
      03-04 -10.00 bread, listed 03-04 19:00
      03-04 19:00 balance 675.00 of 03-03      # the evening of the 3rd: 620 + 25, and 30 held or charged
    `;

    it('an unlisted charge is an adjustment of the newest day, and all days are estimated, if a delayed balance lacks it', () => {
      expectDays(
        ledger(feed),
        `
          day   |  start | cash out | cash adj |    end
          03-01 | 600.00 |    20.00 |          | 620.00
          03-02 | 620.00 |          |          | 620.00
          03-03 | 620.00 |    25.00 |          | 645.00   # if charged, 675
          03-04 | 645.00 |    10.00 |    20.00 | 675.00   # the balance is still without the bread
        `,
      );
      expect(sureness(ledger(feed))).toEqual(['03-01..03-04 estimated']);
    });

    it('the adjustment for an unlisted charge that a delayed balance lacked is removed once its purchase is listed', () => {
      expectDays(
        ledger(`${feed}
          03-05 -30.00 shoes, listed 03-05 07:00
          03-05 07:00 balance 685.00 of 03-05
        `),
        `
          day   |  start | cash out |    end
          03-01 | 600.00 |    20.00 | 620.00
          03-02 | 620.00 |          | 620.00
          03-03 | 620.00 |    25.00 | 645.00
          03-04 | 645.00 |    10.00 | 655.00
          03-05 | 655.00 |    30.00 | 685.00
        `,
      );
    });

    it('an unlisted charge that a delayed balance lacked becomes an adjustment of its day if no purchase is listed in two weeks', () => {
      expectDays(
        ledger(`${feed}
          03-05 07:00 balance 685.00 of 03-05
          03-20 07:00 balance 685.00 of 03-20
        `),
        `
          day          |  start | cash out | cash adj |    end
          03-01        | 600.00 |    20.00 |          | 620.00
          03-02        | 620.00 |          |          | 620.00
          03-03        | 620.00 |    25.00 |    30.00 | 675.00
          03-04        | 675.00 |    10.00 |          | 685.00
          03-05..03-20 | 685.00 |          |          | 685.00
        `,
      );
    });
  });
});
