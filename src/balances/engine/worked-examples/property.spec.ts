import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

describe.each(['property', 'vehicle', 'other_asset'])('an asset with valuations (%s)', (type) => {
  it('an asset keeps its last reported value, and its history begins with the first one', () => {
    expectDays(
      ledger(`
        ${type}
        03-02  balance 420,000.00
        03-05  balance 431,000.00     # valued again
        03-07  balance 431,000.00
      `),
      `
        day          |     start | non-cash adj | cash |       end
        03-02..03-04 | 420000.00 |              |    0 | 420000.00
        03-05        | 420000.00 |     11000.00 |    0 | 431000.00
        03-06..03-07 | 431000.00 |              |    0 | 431000.00
      `,
    );
  });

  it('a valuation that returns to an earlier value remains in the history as two adjustments', () => {
    expectDays(
      ledger(`
        ${type}
        03-02  balance 100.00
        03-03  balance 110.00
        03-04  balance 100.00
      `),
      `
        day   |  start | non-cash adj |    end
        03-02 | 100.00 |              | 100.00
        03-03 | 100.00 |        10.00 | 110.00
        03-04 | 110.00 |       -10.00 | 100.00
      `,
    );
  });

  it('transactions do not change the value of an asset', () => {
    expectDays(
      ledger(`
        ${type}
        03-02  balance 100.00
        03-03  -20.00 repair
        03-04  balance 100.00
      `),
      `
        day          |  start |    end
        03-02..03-04 | 100.00 | 100.00
      `,
    );
  });
});
