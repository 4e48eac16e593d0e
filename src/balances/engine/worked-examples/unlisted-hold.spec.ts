import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

/** Some banks' balance contains what is held, and their list does not: only the balance shows that a hold came and went. */
describe('a pending transaction that is never listed', () => {
  it('an unlisted pending transaction leaves no trace after it expires, whatever is pending later', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-02  balance 500.00
        03-03  balance 500.00
        03-04  balance 455.00           # 25 held and 20 held
        03-05   -25.00 booked
        03-05  balance 455.00           # 475 booked, 20 held
        03-06  balance 455.00
        03-07  balance 455.00
        03-08  balance 475.00           # released
        03-10  balance 475.00
        03-13  balance 475.00
        03-18  balance 435.00           # 40 held
      `),
      `
        day          |  start | cash out | cash adj |    end
        03-01..03-04 | 500.00 |          |          | 500.00
        03-05        | 500.00 |    25.00 |          | 475.00
        03-06..03-17 | 475.00 |          |          | 475.00
        03-18        | 475.00 |          |   -40.00 | 435.00
      `,
    );
  });

  it('the first balance included a pending purchase if that purchase does not change the balance when it is listed', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 950.00           # 1,000 less 50 held; or 950, and the shoes are still to be paid
        03-02   -50.00 shoes
        03-02   -20.00 bread
        03-02  balance 930.00           # the bread is paid
        03-03   -10.00 wine
        03-03  balance 920.00           # the wine too, though it was listed after the shoes
      `),
      `
        day   |   start | cash out |     end
        03-01 | 1000.00 |          | 1000.00
        03-02 | 1000.00 |    70.00 |  930.00
        03-03 |  930.00 |    10.00 |  920.00
      `,
    );
  });

  it('unlisted pending transactions leave no trace after they expire although two in a row last more than ten days', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-04  balance 500.00
        03-07  balance 500.00
        03-08  balance 450.00           # 50 held for six days
        03-11  balance 450.00
        03-14  balance 480.00           # released, and 20 held for another seven
        03-17  balance 480.00
        03-19  balance 480.00           # eleven days since anything was held
        03-21  balance 500.00           # released
        03-24  balance 500.00
        03-28  balance 500.00
      `),
      `
        day          |  start |    end
        03-01..03-28 | 500.00 | 500.00
      `,
    );
  });

  it('an unlisted pending transaction is recognised although the transactions of a day add up to its amount by chance', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-02  balance 500.00
        03-03  balance 500.00
        03-04  balance 440.00           # 60 held
        03-05  balance 440.00
        03-06  balance 440.00           # 60 held; or the three of tomorrow, before they were listed
        03-07   -10.00 bread, listed 03-07
        03-07   -20.00 wine, listed 03-07
        03-07   -30.00 cheese, listed 03-07
        03-07  balance 380.00           # 440 booked, 60 held
        03-08  balance 380.00
        03-09  balance 440.00           # released
        03-10  balance 440.00
        03-16  balance 440.00
        03-17  balance 400.00           # 40 held
      `),
      `
        day          |  start | cash out | cash adj |    end
        03-01..03-06 | 500.00 |          |          | 500.00
        03-07        | 500.00 |    60.00 |          | 440.00
        03-08..03-16 | 440.00 |          |          | 440.00
        03-17        | 440.00 |          |   -40.00 | 400.00
      `,
    );
  });

  it('two unlisted pending transactions in one balance are recognised although a dozen other transactions are posted meanwhile', () => {
    expectDays(
      ledger(`
        depository
        02-27  balance 1000.00
        02-28  balance 1000.00
        03-01  balance 1000.00
        03-02  balance 1000.00
        03-04   -1.20 bread
        03-04   -2.60 butter
        03-04   -5.30 fish
        03-04  balance 990.90
        03-05   -1.40 bread
        03-05   -3.10 milk
        03-05   -6.50 wine
        03-05  balance 849.90           # 979.90 booked, 60 and 70 held
        03-06   -60.00 shoes
        03-06   -1.30 bread
        03-06   -2.90 eggs
        03-06  balance 845.70           # 915.70 booked, 70 held
        03-07   -1.70 bread
        03-07   -3.40 milk
        03-07  balance 840.60           # 910.60 booked, 70 held
        03-08   -70.00 coat
        03-08  balance 791.10           # 840.60 booked, 49.50 held
      `),
      `
        day          |   start | cash out | cash adj |     end
        02-27..03-03 | 1000.00 |          |          | 1000.00
        03-04        | 1000.00 |     9.10 |          |  990.90
        03-05        |  990.90 |    11.00 |          |  979.90
        03-06        |  979.90 |    64.20 |          |  915.70
        03-07        |  915.70 |     5.10 |          |  910.60
        03-08        |  910.60 |    70.00 |   -49.50 |  791.10
      `,
    );
  });

  it('unlisted pending transactions in the first balances do not change the opening balance', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 441.00           # 500 booked, 59 held
        03-02  balance 349.00           # 59 held and 92 held
        03-03   -59.00 booked
        03-03  balance 349.00           # 441 booked, 92 held
        03-04  balance 349.00
        03-06  balance 441.00           # released
        03-07  balance 441.00
        03-08  balance 441.00
        03-09  balance 441.00
        03-12  balance 441.00
      `),
      `
        day          |  start | cash out |    end
        03-01..03-02 | 500.00 |          | 500.00
        03-03        | 500.00 |    59.00 | 441.00
        03-04..03-12 | 441.00 |          | 441.00
      `,
    );
  });
});
