import { expectDays } from '../../../test/days-text.js';
import { asOf, ledger } from '../../../test/ledger-text.js';

describe('several balances of one day', () => {
  it('end in the last one', () => {
    expectDays(
      ledger(`
        depository
        03-01  08:00 balance 100.00
        03-01  -30.00 lunch, listed 03-01 14:00
        03-01  14:00 balance 70.00
        03-01  -20.00 cinema, listed 03-01 22:00
        03-01  22:00 balance 50.00
      `),
      `
        day   |  start | cash out |   end
        03-01 | 100.00 |    50.00 | 50.00
      `,
    );
  });

  it('leave no trace of a difference between two of them', () => {
    expectDays(
      ledger(`
        depository
        03-01  08:00 balance 100.00
        03-01  14:00 balance 70.00      # lunch is paid
        03-01  -30.00 lunch, listed 03-01 22:00
        03-01  22:00 balance 70.00      # and listed
      `),
      `
        day   |  start | cash out |   end
        03-01 | 100.00 |    30.00 | 70.00
      `,
    );
  });
});

describe('the day of a balance', () => {
  const LATE = `
    depository
    03-01  -10.00 tea
    03-01  12:00 balance 100.00
    03-01  23:30 balance 100.00
  `;

  it('is the one where the person is: half an hour before midnight in Greenwich is tomorrow in Prague', () => {
    expectDays(
      { ...ledger(LATE, 'Europe/Prague'), digits: 2 },
      `
        day   |  start | cash out |    end
        03-01 | 110.00 |    10.00 | 100.00
        03-02 | 100.00 |          | 100.00
      `,
    );
  });

  it('may lie behind the day of the provider: an evening in New York', () => {
    expectDays(
      asOf(
        ledger(
          `
            depository
            03-01  12:00 balance 100.00
            03-03  02:00 balance 90.00       # ten in the evening of the second
            03-02  -10.00 tea, listed 03-03 02:00
          `,
          'America/New_York',
        ),
        '03-03',
      ),
      `
        day   |  start | cash out |    end
        03-01 | 100.00 |          | 100.00
        03-02 | 100.00 |    10.00 |  90.00
        03-03 |  90.00 |          |  90.00
      `,
    );
  });
});
