import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';

const LIST = `
  03-01  +900.00 wages, listed 03-20 07:00
  03-12   -20.00 tea, listed 03-20 07:00
  03-14   -50.00 shoes, listed 03-20 07:00
  03-21   -30.00 wine, listed 03-22 07:00
`;

/** The same balance on each day. */
const synced = (month: string, from: number, until: number, balance: string) =>
  Array.from({ length: until - from + 1 }, (_, day) => `${month}-${from + day}  balance ${balance}`).join('\n');

describe('a balance of the last statement', () => {
  it('a balance dated to the last statement is compared with the transactions up to that day', () => {
    expectDays(
      ledger(`
        depository
        ${LIST}
        03-20 07:00 balance 1000.00 of 03-12
        03-21 07:00 balance 1000.00 of 03-12
        03-22 07:00 balance 1000.00 of 03-12
      `),
      `
        day          |   start | cash in | cash out | cash adj |     end
        03-01        |  120.00 |  900.00 |          |          | 1020.00   # 1,000 + 20 - 900
        03-02..03-11 | 1020.00 |         |          |          | 1020.00
        03-12        | 1020.00 |         |    20.00 |          | 1000.00   # the statement of the 12th
        03-13        | 1000.00 |         |          |          | 1000.00
        03-14        | 1000.00 |         |    50.00 |          |  950.00
        03-15..03-20 |  950.00 |         |          |          |  950.00
        03-21        |  950.00 |         |    30.00 |          |  920.00
        03-22        |  920.00 |         |          |    80.00 | 1000.00   # the newest balance is older than both
      `,
    );
  });

  it('the day of a statement balance is inferred although no sync was made on the day after the statement', () => {
    // The statements are of 12 February, 12 March and 11 April. On 13 March nothing was asked.
    expectDays(
      ledger(`
        depository
        02-05   -5.00 tea, listed 03-10
        02-15   -8.00 tea, listed 03-10
        ${synced('03', 10, 12, '500.00')}
        03-10  -20.00 shoes
        03-12  -30.00 wine
        03-13   -7.00 tea, listed 03-14
        ${synced('03', 14, 31, '442.00')}
        04-01 +100.00 wages, listed 04-10
        ${synced('04', 10, 11, '442.00')}
        ${synced('04', 12, 14, '535.00')}
      `),
      `
        day          |  start | cash in | cash out |    end
        02-05        | 505.00 |         |     5.00 | 500.00
        02-06..02-14 | 500.00 |         |          | 500.00   # the statement of 12 February
        02-15        | 500.00 |         |     8.00 | 492.00
        02-16..03-09 | 492.00 |         |          | 492.00
        03-10        | 492.00 |         |    20.00 | 472.00
        03-11        | 472.00 |         |          | 472.00
        03-12        | 472.00 |         |    30.00 | 442.00   # that of 12 March, and not of the 13th
        03-13        | 442.00 |         |     7.00 | 435.00
        03-14..03-31 | 435.00 |         |          | 435.00
        04-01        | 435.00 |  100.00 |          | 535.00
        04-02..04-14 | 535.00 |         |          | 535.00
      `,
    );
  });

  it('a statement balance shows that a transaction is listed twice, and leaves the days before it estimated after a fee', () => {
    const statements = (april: string) =>
      ledger(`
        depository
        02-10   -8.00 tea, listed 03-13
        03-10  -20.00 shoes, listed 03-13
        03-13 07:00 balance 500.00 of 03-12
        03-24  -30.00 wine, listed 03-25 07:00
        03-24  -30.00 wine, listed 03-25 07:00
        03-25 07:00 balance 500.00 of 03-12
        04-12 07:00 balance 500.00 of 03-12
        04-13 07:00 balance ${april} of 04-12
        04-20 07:00 balance ${april} of 04-12
        05-12 07:00 balance ${april} of 04-12
        05-13 07:00 balance ${april} of 05-12
      `);
    expect(tell(statements('470.00'))).toEqual([
      'On 24 March 2026 two equal transactions are listed, and the balance shows one of them: $30.00 is counted once.',
    ]);
    // Nothing lists the fee of 1.20, which may be of any day since the statement before.
    expect(sureness(statements('438.80'))[0]).toBe('02-10..04-12 estimated');
  });

  it('days before the second statement are estimated if the day of the first one cannot be inferred', () => {
    // The first figure fits no day: the bank booked 1.20 that nothing lists.
    const statements = ledger(`
      depository
      02-15   -8.00 tea, listed 03-10
      ${synced('03', 10, 12, '500.00')}
      ${synced('03', 13, 31, '490.80')}
      03-20   -7.00 tea
      ${synced('04', 10, 12, '490.80')}
      ${synced('04', 13, 30, '483.80')}
    `);
    expect(sureness(statements)[0]).toBe('02-15..03-12 estimated');
  });
});
