import { deriveHistory } from '../derive-history.js';
import { expectDays } from '../../../test/support/days-text.js';
import { asOf, ledger } from '../../../test/support/ledger-text.js';

const OLD_ENTRIES = `
  depository
  03-01  +500.00 salary, listed 03-02
  03-04  balance 500.00
`;

describe('an account whose balance was never reported', () => {
  it('has no history: entries alone do not show what there was before them', () => {
    expect(deriveHistory(asOf(ledger(OLD_ENTRIES), '03-03'))).toBeNull();
  });

  it('has all of it at once when the first balance comes', () => {
    expectDays(
      ledger(OLD_ENTRIES),
      `
        day          |  start | cash in |    end
        03-01        |   0.00 |  500.00 | 500.00
        03-02..03-04 | 500.00 |         | 500.00
      `,
    );
  });

  it('has a history of one day when there is nothing but a balance', () => {
    expectDays(
      ledger(`
        depository
        03-04  balance 500.00
      `),
      `
        day   |  start |    end
        03-04 | 500.00 | 500.00
      `,
    );
  });
});
