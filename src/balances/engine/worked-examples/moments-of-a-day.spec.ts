import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';
import { derive } from '../derive-history.js';

describe('several balances of one day', () => {
  it('a day with several balances ends at the last one', () => {
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

  it('a difference between two balances of one day leaves no trace once the transaction is listed', () => {
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

describe('the first balance', () => {
  const TAKING_TURNS = ledger(`
    depository
    02-28   -10.00 shoes, listed 03-02     # booked before the first balance was reported, or after
    03-01  balance 500.00
    03-02  balance 487.00                  # 13 less that nothing lists, or 3
    03-05   -20.00 bread, listed 03-07
    03-05  balance 487.00
    03-06  balance 467.00                  # here the list is behind the balance
    03-07  balance 467.00
    03-10   -30.00 wine, listed 03-12
    03-10  balance 467.00
    03-11  balance 437.00                  # here too
    03-12  balance 437.00
    03-15   -40.00 cheese, listed 03-17
    03-15  balance 437.00
    03-16  balance 437.00
    03-17  balance 397.00                  # here it is not
  `);

  it.each(['03-12', '03-17'])('the first days keep their balances while the list lag alternates (as of %s)', (day) => {
    const { history } = derive(asOf(TAKING_TURNS, day))!;

    expect(history.columns.endCash.slice(0, 3)).toEqual(Float64Array.of(490_00, 490_00, 487_00));
  });
});

describe('the day of a balance', () => {
  const LATE = `
    depository
    03-01  -10.00 tea
    03-01  12:00 balance 100.00
    03-01  23:30 balance 100.00
  `;

  it('a balance is dated in the timezone of the user: 23:30 in Greenwich is the next day in Prague', () => {
    expectDays(
      { ...ledger(LATE, 'Europe/Prague'), digits: 2 },
      `
        day   |  start | cash out |    end
        03-01 | 110.00 |    10.00 | 100.00
        03-02 | 100.00 |          | 100.00
      `,
    );
  });

  it('a balance is dated in the timezone of the user: 02:00 UTC is the day before in New York', () => {
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
