import { expectDays } from '../../../test/support/days-text.js';
import { ledger } from '../../../test/support/ledger-text.js';

const FACTS = `
  03-01  -100.00 shoes
  03-02   +40.00 payment
  03-02  balance -60.00
`;

const OWNED = `
  day   |   start | cash in | cash out |     end
  03-01 |    0.00 |         |   100.00 | -100.00
  03-02 | -100.00 |   40.00 |          |  -60.00
`;

describe('the type of an account', () => {
  it('that is not known yet counts as a depository', () => {
    expectDays(ledger(`unknown ${FACTS}`), OWNED);
    expectDays(ledger(`depository ${FACTS}`), OWNED);
  });

  it('once known to be a card turns the same facts into what is owed', () => {
    expectDays(
      ledger(`credit_card ${FACTS}`),
      `
        day   |  start | cash in | cash out |    end
        03-01 |   0.00 |         |   100.00 | 100.00
        03-02 | 100.00 |   40.00 |          |  60.00
      `,
    );
  });

  it('changed to a loan moves them from cash to non-cash', () => {
    expectDays(
      ledger(`loan ${FACTS}`),
      `
        day   |  start | non-cash in | non-cash out | cash |    end
        03-01 |   0.00 |             |       100.00 |    0 | 100.00
        03-02 | 100.00 |       40.00 |              |    0 |  60.00
      `,
    );
  });

  it('changed to one that the market moves takes the past away that cannot be known', () => {
    expectDays(
      ledger(`investment ${FACTS}`),
      `
        day   |   start | cash in |    end
        03-02 | -100.00 |   40.00 | -60.00   # the shoes were bought before it was first seen
      `,
    );
  });
});
