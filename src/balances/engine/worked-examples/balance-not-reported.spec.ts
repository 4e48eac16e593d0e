import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const PROVEN = `
  depository
  03-01  balance 1000.00
  03-02   -20.00 groceries
  03-02  balance 980.00
  03-03   -30.00 fuel
  03-03  balance 950.00
`;

describe('transactions listed while no balance is reported', () => {
  it('transactions listed after the last reported balance continue the history from that balance', () => {
    const written = asOf(ledger(`${PROVEN}03-05  -100.00 rent`), '03-07');
    expectDays(
      written,
      `
        day          |   start | cash out |     end
        03-01        | 1000.00 |          | 1000.00
        03-02        | 1000.00 |    20.00 |  980.00
        03-03        |  980.00 |    30.00 |  950.00
        03-04        |  950.00 |          |  950.00
        03-05        |  950.00 |   100.00 |  850.00
        03-06..03-07 |  850.00 |          |  850.00
      `,
    );
    expect(tell(written)).toEqual([]);
  });

  it('a posted transaction counts once if the last reported balance included it as pending', () => {
    const written = ledger(`
      depository
      03-01  balance 500.00
      03-02  balance 460.00, holds -40.00
      03-03  balance 445.00, holds -40.00 -15.00
      03-04   -40.00 the first is booked
      03-04  balance 445.00, holds -15.00           # booked 460, 15 held
      03-06   -15.00 the second is booked
    `);
    expectDays(
      written,
      `
        day          |  start | cash out | cash adj |    end
        03-01..03-03 | 500.00 |          |          | 500.00
        03-04        | 500.00 |    40.00 |   -15.00 | 445.00
        03-05        | 445.00 |          |    15.00 | 460.00   # pending ones never count
        03-06        | 460.00 |    15.00 |          | 445.00
      `,
    );
    expect(tell(written)).toEqual([
      "The bank's balance includes pending transactions, which count here once they are posted.",
    ]);
  });

  it('transactions listed after the last reported balance continue the history of an account without listed holdings', () => {
    expectDays(
      ledger(`
        investment
        03-01  balance 1000.00
        03-02  balance 1010.00
        03-04  +200.00 deposit
      `),
      `
        day   |   start | cash in | cash adj |     end
        03-01 | 1000.00 |         |          | 1000.00
        03-02 | 1000.00 |         |    10.00 | 1010.00
        03-03 | 1010.00 |         |          | 1010.00
        03-04 | 1010.00 |  200.00 |          | 1210.00
      `,
    );
  });
});
