import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';

// Card purchases are listed on their days, and debited together on the 20th; transfers are in the balance at once.
const DEBITED = ledger(`
  depository
  03-01  balance 1000.00
  03-03   -31.20 train
  03-03  balance 1000.00
  03-05  -100.00 transfer
  03-05  balance 900.00
  03-09   -17.45 lunch
  03-09  balance 900.00
  03-14   -64.99 shoes
  03-14  balance 900.00
  03-20  balance 786.36      # 900 - 31.20 - 17.45 - 64.99
  03-24   -12.80 books
  03-24  balance 786.36
  03-28   -50.00 transfer
  03-28  balance 736.36
  04-06   -22.22 petrol
  04-06  balance 736.36
  04-12    -9.90 cinema
  04-12  balance 736.36
  04-20  balance 691.44      # 736.36 - 12.80 - 22.22 - 9.90
  04-25   -41.00 transfer
  04-25  balance 650.44
`);

describe('purchases that the balance has from a day of the month on', () => {
  it('purchases that are debited together on a day of the month count on their own days', () => {
    expectDays(
      asOf(DEBITED, '03-24'),
      `
        day          |   start | cash out | cash adj |     end
        03-01..03-02 | 1000.00 |          |          | 1000.00
        03-03        | 1000.00 |    31.20 |          |  968.80
        03-04        |  968.80 |          |          |  968.80
        03-05        |  968.80 |   100.00 |          |  868.80
        03-06..03-08 |  868.80 |          |          |  868.80
        03-09        |  868.80 |    17.45 |          |  851.35
        03-10..03-13 |  851.35 |          |          |  851.35
        03-14        |  851.35 |    64.99 |          |  786.36
        03-15..03-23 |  786.36 |          |          |  786.36
        03-24        |  786.36 |    12.80 |    12.80 |  786.36   # the bank's own, for today
      `,
    );
  });

  it('the days between such purchases and their debit are estimated: the bank may count them from then on', () => {
    expect(sureness(DEBITED)).toEqual([
      '03-01..03-02 known',
      '03-03..03-19 estimated',
      '03-20..03-23 known',
      '03-24..04-19 estimated',
      '04-20..04-25 known',
    ]);
  });
});
