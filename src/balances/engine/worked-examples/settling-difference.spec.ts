import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const LISTED_A_DAY_LATER = ledger(`
  depository
  03-01  +1,000.00 salary
  03-01  balance 1000.00
  03-02  balance 1000.00
  03-03   -40.00 dinner, listed 03-04
  03-03  balance 960.00      # 40 less, and nothing in the list yet
  03-04  balance 960.00      # now the dinner is listed
`);

const GONE_BY_ITSELF = ledger(`
  depository
  03-01  +1,000.00 salary
  03-01  balance 1000.00
  03-02  balance 1000.00
  03-03  balance 940.00      # 60 less: a hold, say, that is never listed
  03-04  balance 940.00
  03-05  balance 1000.00     # and released
`);

describe('a temporary difference between balance and transactions', () => {
  it('an open difference of the newest balance is an adjustment of that day', () => {
    expectDays(
      asOf(LISTED_A_DAY_LATER, '03-03'),
      `
        day   |   start | cash in | cash adj |     end
        03-01 |    0.00 | 1000.00 |          | 1000.00
        03-02 | 1000.00 |         |          | 1000.00
        03-03 | 1000.00 |         |   -40.00 |  960.00
      `,
    );
  });

  it('the adjustment for an open difference is replaced by its transaction once that is listed', () => {
    expectDays(
      LISTED_A_DAY_LATER,
      `
        day   |   start | cash in | cash out |     end
        03-01 |    0.00 | 1000.00 |          | 1000.00
        03-02 | 1000.00 |         |          | 1000.00
        03-03 | 1000.00 |         |    40.00 |  960.00
        03-04 |  960.00 |         |          |  960.00
      `,
    );
  });

  it('the adjustment for an open difference stays on the day the difference appeared while it is open', () => {
    expectDays(
      asOf(GONE_BY_ITSELF, '03-04'),
      `
        day   |   start | cash in | cash adj |     end
        03-01 |    0.00 | 1000.00 |          | 1000.00
        03-02 | 1000.00 |         |          | 1000.00
        03-03 | 1000.00 |         |   -60.00 |  940.00
        03-04 |  940.00 |         |          |  940.00
      `,
    );
  });

  it('a difference that goes away without a transaction leaves no trace', () => {
    expectDays(
      GONE_BY_ITSELF,
      `
        day          |   start | cash in |     end
        03-01        |    0.00 | 1000.00 | 1000.00
        03-02..03-05 | 1000.00 |         | 1000.00
      `,
    );
  });

  it('an open difference does not change the opening balance although transactions of the first day differ by as much', () => {
    expectDays(
      asOf(
        ledger(`
          depository
          03-01  -105.00 shoes, listed 03-02
          03-01   -99.00 coat, listed 03-03
          03-01  balance 895.00      # 1,000 less the shoes; or 994 less the coat, but
          03-02  balance 796.00      # 1,000 less both, by which there are 6 more than 994 explains
          03-03  balance 796.00
          03-04   -2.00 tea, listed 03-06
          03-04  balance 794.00
          03-05   -4.00 cake, listed 03-06
          03-05  balance 790.00      # 6 less that nothing lists yet
          03-06  balance 790.00
        `),
        '03-05',
      ),
      `
        day   |   start | cash out | cash adj |    end
        03-01 | 1000.00 |   204.00 |          | 796.00
        03-02 |  796.00 |          |          | 796.00
        03-03 |  796.00 |          |          | 796.00
        03-04 |  796.00 |          |    -2.00 | 794.00
        03-05 |  794.00 |          |    -4.00 | 790.00
      `,
    );
  });
});
