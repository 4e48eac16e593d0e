import { expectDays } from '../../../test/days-text.js';
import { ledger } from '../../../test/ledger-text.js';

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
