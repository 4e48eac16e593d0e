import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

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

describe('the account type', () => {
  it('an account of unknown type is derived as a depository account', () => {
    expectDays(ledger(`unknown ${FACTS}`), OWNED);
    expectDays(ledger(`depository ${FACTS}`), OWNED);
  });

  it('the balances of an account become amounts owed when its type changes to credit card', () => {
    expectDays(
      ledger(`credit_card ${FACTS}`),
      `
        day   |  start | cash in | cash out |    end
        03-01 |   0.00 |         |   100.00 | 100.00
        03-02 | 100.00 |   40.00 |          |  60.00
      `,
    );
  });

  it('the flows of an account move from cash to non-cash when its type changes to loan', () => {
    expectDays(
      ledger(`loan ${FACTS}`),
      `
        day   |  start | non-cash in | non-cash out | cash |    end
        03-01 |   0.00 |             |       100.00 |    0 | 100.00
        03-02 | 100.00 |       40.00 |              |    0 |  60.00
      `,
    );
  });

  it('an account loses the days before its first report when its type changes to investment', () => {
    expectDays(
      ledger(`investment ${FACTS}`),
      `
        day   |   start | cash in |    end
        03-02 | -100.00 |   40.00 | -60.00   # the shoes were bought before it was first seen
      `,
    );
  });
});
