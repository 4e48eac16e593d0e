import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const RENT_OF_NEXT_WEEK = ledger(`
  depository
  03-02  +80.00 wages
  03-09  -25.00 rent, listed 03-02
  03-02  balance 80.00
  03-03  balance 80.00
  03-09  balance 55.00
  03-10  balance 55.00
`);

describe('a transaction listed before its date', () => {
  it('a transaction that is listed a week before its date does not change the days before that date', () => {
    expectDays(
      asOf(RENT_OF_NEXT_WEEK, '03-05'),
      `
        day          | start | cash in |   end
        03-02        |  0.00 |   80.00 | 80.00
        03-03..03-05 | 80.00 |         | 80.00
      `,
    );
  });

  it('a transaction that is listed a week before its date counts on that date', () => {
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

describe('a transaction dated tomorrow', () => {
  it('a transaction dated tomorrow counts tomorrow although the balance of today includes it', () => {
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
