import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

describe('an entry that is listed days after its date', () => {
  it('was in the balance already when the balance had moved without it: the list was behind', () => {
    expectDays(
      ledger(`
        depository
        03-01  +1,000.00 salary
        03-01  balance 1000.00
        03-02  balance 1000.00
        03-03   -50.00 cheque, listed 03-06
        03-03  balance 950.00      # the cheque is paid
        03-04  balance 950.00
        03-06  balance 950.00      # and listed; the balance holds still
      `),
      `
        day          |   start | cash in | cash out |     end
        03-01        |    0.00 | 1000.00 |          | 1000.00
        03-02        | 1000.00 |         |          | 1000.00
        03-03        | 1000.00 |         |    50.00 |  950.00
        03-04..03-06 |  950.00 |         |          |  950.00
      `,
    );
  });

  it('was not in the balance when the balance moves with it: the bank booked it late, and its day is its date', () => {
    expectDays(
      ledger(`
        depository
        03-01  +1,000.00 salary
        03-01  balance 1000.00
        03-02  balance 1000.00
        03-03   -50.00 cheque, listed 03-06
        03-03  balance 1000.00     # not yet
        03-04  balance 1000.00
        03-06  balance 950.00      # booked today, back-dated to the third
      `),
      `
        day          |   start | cash in | cash out |     end
        03-01        |    0.00 | 1000.00 |          | 1000.00
        03-02        | 1000.00 |         |          | 1000.00
        03-03        | 1000.00 |         |    50.00 |  950.00   # what the books say of that day now
        03-04..03-06 |  950.00 |         |          |  950.00
      `,
    );
  });

  it('was not in the balance when the balance moves with it, however old its date: a refund dated as its purchase', () => {
    expectDays(
      ledger(`
        depository
        08-11   -78.29 shoes, listed 08-23
        08-23  balance 1000.00
        08-24   -10.00 tea
        08-24  balance 990.00
        08-11   +78.29 shoes returned, listed 08-25
        08-25  balance 1068.29
        08-26  balance 1068.29
      `),
      `
        day          |   start | cash in | cash out |     end
        08-11        | 1078.29 |   78.29 |    78.29 | 1078.29   # it was 1,078.29 before the purchase, too
        08-12..08-23 | 1078.29 |         |          | 1078.29
        08-24        | 1078.29 |         |    10.00 | 1068.29
        08-25..08-26 | 1068.29 |         |          | 1068.29
      `,
    );
  });

  it('was booked late, though a week and a half before it was listed, where the bank is asked once a week', () => {
    expectDays(
      ledger(`
        depository
        03-02  balance 1000.00
        03-09  balance 1000.00
        03-10   -30.00 tickets, listed 03-16
        03-10   -30.00 tickets, listed 03-16    # once more: the balance has one
        03-11   -70.00 cheque, listed 03-23     # booked after the 16th, and dated back
        03-16  balance 970.00
        03-23  balance 900.00
        03-30  balance 900.00
      `),
      `
        day          |   start | cash out | cash adj |     end
        03-02..03-09 | 1000.00 |          |          | 1000.00
        03-10        | 1000.00 |    60.00 |    30.00 |  970.00
        03-11        |  970.00 |    70.00 |          |  900.00
        03-12..03-30 |  900.00 |          |          |  900.00
      `,
    );
  });

  it('was not in the balance when the balance moves with it, though the old history is listed with it, and was in the balance', () => {
    expectDays(
      ledger(`
        depository
        02-10  +300.00 wages, listed 03-20
        02-20   -78.29 shoes, listed 03-20
        02-20   +78.29 shoes returned, listed 03-20   # today, under the day of the purchase
        03-01  balance 1000.00
        03-02   -10.00 tea
        03-02  balance 990.00
        03-20  balance 1068.29
        03-21  balance 1068.29
      `),
      `
        day          |   start | cash in | cash out |     end
        02-10        |  778.29 |  300.00 |          | 1078.29   # 1,000 + 78.29 - 300
        02-11..02-19 | 1078.29 |         |          | 1078.29
        02-20        | 1078.29 |   78.29 |    78.29 | 1078.29
        02-21..03-01 | 1078.29 |         |          | 1078.29
        03-02        | 1078.29 |         |    10.00 | 1068.29
        03-03..03-21 | 1068.29 |         |          | 1068.29
      `,
    );
  });

  it('was not in the balance until it was listed weeks after its day, and its day is its date', () => {
    const bookedLate = ledger(`
      depository
      03-01  +1,000.00 salary
      03-01  balance 1000.00
      03-02   -20.00 tea
      03-02  balance 980.00
      03-03   -50.00 cheque, listed 03-20
      03-03  balance 980.00      # not yet
      03-04   -10.00 milk
      03-04  balance 970.00
      03-19  balance 970.00
      03-20  balance 920.00      # booked today, under a day of two weeks ago
      04-05  balance 920.00
    `);
    expectDays(
      bookedLate,
      `
        day          |   start | cash in | cash out |     end
        03-01        |    0.00 | 1000.00 |          | 1000.00
        03-02        | 1000.00 |         |    20.00 |  980.00
        03-03        |  980.00 |         |    50.00 |  930.00
        03-04        |  930.00 |         |    10.00 |  920.00
        03-05..04-05 |  920.00 |         |          |  920.00
      `,
    );
    expect(tell(bookedLate)).toEqual([]);
  });
});
