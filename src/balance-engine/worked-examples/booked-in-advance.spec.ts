import { expectDays } from '../../../test/support/days-text.js';
import { asOf, ledger } from '../../../test/support/ledger-text.js';

const RENT_OF_NEXT_WEEK = ledger(`
  depository
  03-02  +80.00 wages
  03-09  -25.00 rent, listed 03-02
  03-02  balance 80.00
  03-03  balance 80.00
  03-09  balance 55.00
  03-10  balance 55.00
`);

describe('an entry that is listed a week before its day', () => {
  it('does not touch the days before it', () => {
    expectDays(
      asOf(RENT_OF_NEXT_WEEK, '03-05'),
      `
        day          | start | cash in |   end
        03-02        |  0.00 |   80.00 | 80.00
        03-03..03-05 | 80.00 |         | 80.00
      `,
    );
  });

  it('counts on its day', () => {
    expectDays(
      RENT_OF_NEXT_WEEK,
      `
        day          | start | cash in | cash out |   end
        03-02        |  0.00 |   80.00 |          | 80.00
        03-03..03-08 | 80.00 |         |          | 80.00
        03-09        | 80.00 |         |    25.00 | 55.00
        03-10        | 55.00 |         |          | 55.00
      `,
    );
  });
});

describe('an entry of tomorrow', () => {
  it('may be in the balance of today, where the bank is a few hours ahead: then it counts tomorrow', () => {
    const written = ledger(`
      depository
      03-01  +80.00 wages
      03-01  balance 80.00
      03-03  -25.00 books, listed 03-02
      03-02  balance 55.00
      03-03  balance 55.00
    `);
    expectDays(
      asOf(written, '03-02'),
      `
        day   | start | cash in | cash adj |   end
        03-01 |  0.00 |   80.00 |          | 80.00
        03-02 | 80.00 |         |   -25.00 | 55.00
      `,
    );
    expectDays(
      written,
      `
        day   | start | cash in | cash out |   end
        03-01 |  0.00 |   80.00 |          | 80.00
        03-02 | 80.00 |         |          | 80.00
        03-03 | 80.00 |         |    25.00 | 55.00
      `,
    );
  });
});
