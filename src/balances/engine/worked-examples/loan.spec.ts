import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

describe('a loan', () => {
  it.each(['-', ''])('a loan balance is the amount owed, without cash, for either sign: %s17,550', (sign) => {
    expectDays(
      ledger(`
        loan
        03-02   -1,000.00 drawn
        03-05     +450.00 instalment
        03-05  balance ${sign}17,550.00
      `),
      `
        day          |    start | non-cash in | non-cash out | cash |      end
        03-02        | 17000.00 |             |      1000.00 |    0 | 18000.00   # 17550 + 450 - 1000 = 17000
        03-03..03-04 | 18000.00 |             |              |    0 | 18000.00
        03-05        | 18000.00 |      450.00 |              |    0 | 17550.00
      `,
    );
  });

  it('interest that is never listed increases a loan on the day the balance shows it', () => {
    expectDays(
      ledger(`
        loan
        03-01  balance 18000.00
        03-02  balance 18000.00
        03-05  +450.00 instalment
        03-05  balance 17550.00
        03-10  balance 17610.00     # 60 of interest
        03-25  balance 17610.00
      `),
      `
        day          |    start | non-cash in | non-cash adj |      end
        03-01..03-04 | 18000.00 |             |              | 18000.00
        03-05        | 18000.00 |      450.00 |              | 17550.00
        03-06..03-09 | 17550.00 |             |              | 17550.00
        03-10        | 17550.00 |             |        60.00 | 17610.00
        03-11..03-25 | 17610.00 |             |              | 17610.00
      `,
    );
  });

  it('what is listed of escrow does not move a mortgage whose balance without a date no transaction ever explained', () => {
    expectDays(
      ledger(`
        loan
        03-01  balance 1800.00
        03-03  -27.00 insurance, from escrow
        03-03  balance 1800.00
        03-06  -119.00 taxes, from escrow
        03-06  balance 1800.00
        03-09  balance 1800.00
        03-12  balance 1800.00
        03-15  +80.00 payment
        03-15  balance 1775.00
        03-18  balance 1775.00
      `),
      `
        day          |   start | non-cash in | non-cash out | non-cash adj |     end
        03-01..03-02 | 1800.00 |             |              |              | 1800.00
        03-03        | 1800.00 |             |        27.00 |       -27.00 | 1800.00
        03-04..03-05 | 1800.00 |             |              |              | 1800.00
        03-06        | 1800.00 |             |       119.00 |      -119.00 | 1800.00
        03-07..03-14 | 1800.00 |             |              |              | 1800.00
        03-15        | 1800.00 |       80.00 |              |        55.00 | 1775.00
        03-16..03-18 | 1775.00 |             |              |              | 1775.00
      `,
    );
  });

  it.each([
    ['-', ''],
    ['', '-'],
  ])('an overpaid loan is in credit for either sign convention: reported %s200.00, then %s50.00', (owed, credit) => {
    expectDays(
      ledger(`
        loan
        03-01  balance ${owed}500.00
        03-02  +300.00 instalment
        03-02  balance ${owed}200.00
        03-03  +250.00 all of it, and 50 too much
        03-03  balance ${credit}50.00
        03-04  -20.00 interest
        03-04  balance ${credit}30.00
      `),
      `
        day   |  start | non-cash in | non-cash out |    end
        03-01 | 500.00 |             |              | 500.00
        03-02 | 500.00 |      300.00 |              | 200.00
        03-03 | 200.00 |      250.00 |              | -50.00
        03-04 | -50.00 |             |        20.00 | -30.00
      `,
    );
  });

  it('loan balances that change on two consecutive days are not taken for statement balances', () => {
    // 60 of interest is never listed, and the balance stood still when the second instalment came.
    const told = (from: number, to: number, balance: string) =>
      Array.from({ length: to - from + 1 }, (_, index) => `03-${String(from + index).padStart(2, '0')}  ${balance}`);
    expectDays(
      ledger(`
        loan
        02-10  +320.00 instalment, listed 03-01
        ${told(1, 9, 'balance 18000.00').join('\n')}
        03-10  +320.00 instalment
        03-10  balance 17680.00
        ${told(11, 25, 'balance 17740.00').join('\n')}
        03-20  +320.00 instalment
        ${told(26, 31, 'balance 17420.00').join('\n')}
      `),
      `
        day          |    start | non-cash in | non-cash adj |      end
        02-10        | 18320.00 |      320.00 |              | 18000.00
        02-11..03-09 | 18000.00 |             |              | 18000.00
        03-10        | 18000.00 |      320.00 |              | 17680.00
        03-11        | 17680.00 |             |        60.00 | 17740.00
        03-12..03-19 | 17740.00 |             |              | 17740.00
        03-20        | 17740.00 |      320.00 |              | 17420.00
        03-21..03-31 | 17420.00 |             |              | 17420.00
      `,
    );
  });

  it('a liability of type other_liability is derived like a loan', () => {
    expectDays(
      ledger(`
        other_liability
        03-02  +100.00 paid back
        03-02  balance -500.00
      `),
      `
        day   |  start | non-cash in |    end
        03-02 | 600.00 |      100.00 | 500.00
      `,
    );
  });
});
