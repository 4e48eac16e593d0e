import { expectDays } from '../../../test/support/days-text.js';
import { tell } from '../../../test/support/findings-text.js';
import { ledger } from '../../../test/support/ledger-text.js';
import { sureness } from '../../../test/support/sureness-text.js';

describe('stated balances', () => {
  it('the days between two statements that agree are known, also before the first sync', () => {
    const written = ledger(`
      depository in USD
      03-01..03-20 in a file
      03-02 states 100.00
      03-03           -20.00  groceries
      03-05           +50.00  salary
      03-06 states 130.00
      03-08           -10.00  lunch
      03-20  balance  120.00
    `);
    expectDays(
      written,
      `
      day          |  start | cash in | cash out |    end
      03-02        | 100.00 |         |          | 100.00
      03-03        | 100.00 |         |    20.00 |  80.00
      03-04        |  80.00 |         |          |  80.00
      03-05        |  80.00 |   50.00 |          | 130.00
      03-06..03-07 | 130.00 |         |          | 130.00
      03-08        | 130.00 |         |    10.00 | 120.00
      03-09..03-20 | 120.00 |         |          | 120.00
    `,
    );
    expect(sureness(written)[0]).toBe('03-02..03-20 known');
    expect(tell(written)).toEqual([]);
  });

  it('an old balance that does not lead to the list of the bank moves nothing that the bank lists', () => {
    const written = ledger(`
      depository in USD
      03-01..03-02 in a file
      03-01           +10.00  gift
      03-02 states 500.00
      03-06..03-09 at the bank
      03-07           -20.00  groceries
      03-09  balance  80.00
    `);
    expectDays(
      written,
      `
      day          |  start | cash in | cash out | cash adj |    end
      03-01        | 490.00 |   10.00 |          |          | 500.00
      03-02..03-05 | 500.00 |         |          |          | 500.00
      03-06        | 500.00 |         |          |  -400.00 | 100.00
      03-07        | 100.00 |         |    20.00 |          |  80.00
      03-08..03-09 |  80.00 |         |          |          |  80.00
    `,
    );
    expect(sureness(written).slice(0, 3)).toEqual([
      '03-01..03-01 estimated',
      '03-02..03-02 known',
      '03-03..03-05 unknown',
    ]);
    expect(tell(written)).toEqual([
      "Nothing was reported from 3 March 2026 to 5 March 2026. After that the bank's balance was $400.00 lower than its transactions explain.",
    ]);
  });

  it('a statement that disagrees is met on its day, and the days after it are what the bank lists', () => {
    const written = ledger(`
      depository in USD
      03-01..03-20 in a file
      03-02 states 100.00
      03-04           -20.00  groceries
      03-06 states 75.00      # 5.00 less than the list has
      03-08  balance  80.00
      03-09  balance  80.00
    `);
    expectDays(
      written,
      `
      day          |  start | cash out | cash adj |    end
      03-02..03-03 | 100.00 |          |          | 100.00
      03-04        | 100.00 |    20.00 |          |  80.00
      03-05        |  80.00 |          |          |  80.00
      03-06        |  80.00 |          |    -5.00 |  75.00
      03-07        |  75.00 |          |     5.00 |  80.00
      03-08..03-20 |  80.00 |          |          |  80.00
    `,
    );
    expect(tell(written)).toEqual([
      'A statement says $75.00 for 6 March 2026, and what the bank and its transactions say is $80.00.',
    ]);
  });

  it('a statement counts against the bank on a day of the bank only if the person says so', () => {
    const facts = (stated: string) =>
      ledger(`
        depository in USD
        03-01  balance  80.00
        03-02  balance  80.00
        03-03  balance  80.00
        ${stated}
      `);
    expectDays(facts('03-02 states 75.00'), 'day | start | end\n 03-01..03-03 | 80.00 | 80.00');
    expect(tell(facts('03-02 states 75.00'))).toEqual([
      'A statement says $75.00 for 2 March 2026, and what the bank and its transactions say is $80.00.',
    ]);
    expectDays(
      facts('03-02 states 75.00 for sure'),
      `
      day   | start | cash adj |   end
      03-01 | 80.00 |          | 80.00
      03-02 | 80.00 |    -5.00 | 75.00
      03-03 | 75.00 |     5.00 | 80.00
    `,
    );
  });

  it('the debt of a card is stated as what is owed is', () => {
    const written = ledger(`
      credit_card in USD
      03-01..03-04 in a file
      03-01 states -100.00
      03-02           -20.00  shoes
      03-04 states -120.00
    `);
    expectDays(
      written,
      `
      day          |  start | cash out |    end
      03-01        | 100.00 |          | 100.00
      03-02        | 100.00 |    20.00 | 120.00
      03-03..03-04 | 120.00 |          | 120.00
    `,
    );
    expect(sureness(written)).toEqual(['03-01..03-04 known']);
  });

  it('a house without a bank is worth what was last stated, and only stated days are known', () => {
    const written = ledger(`
      property in USD
      03-01 states 200,000.00
      03-03 states 210,000.00
      03-01..03-04 in a file
    `);
    expectDays(
      written,
      `
      day          |      start | non-cash adj |   non-cash |        end
      03-01..03-02 | 200,000.00 |              | 200,000.00 | 200,000.00
      03-03        | 200,000.00 |    10,000.00 | 210,000.00 | 210,000.00
      03-04        | 210,000.00 |              | 210,000.00 | 210,000.00
    `.replaceAll(',', ''),
    );
    expect(sureness(written)).toEqual([
      '03-01..03-01 known',
      '03-02..03-02 unknown',
      '03-03..03-03 known',
      '03-04..03-04 unknown',
    ]);
    expect(tell(written)).toEqual(['The value before 1 March 2026 is unknown.']);
  });

  it('days that no list has are unknown, and days that a file lists before the first balance are estimated', () => {
    const written = ledger(`
      depository in USD
      03-01..03-05 in a file
      03-08..03-10 at the bank
      03-02           -20.00  groceries
      03-10  balance  120.00
    `);
    expect(sureness(written)[0]).toBe('03-02..03-07 unknown');
  });

  it('a month between two files, over which the balance stayed the same, is known', () => {
    const written = ledger(`
      depository in USD
      03-01..03-05 in a file
      03-05           -20.00  groceries
      03-05 states 80.00
      04-01..04-03 in a file
      03-31 states 80.00
      04-03            -5.00  lunch
      04-03 states 75.00
    `);
    expect(sureness(written)).toEqual(['03-05..04-03 known']);
  });

  it('a brokerage begins with the first stated value, and what the bank lists first is an adjustment', () => {
    const written = ledger(`
      investment in USD
      03-01 states 1000.00
      03-03  balance  1500.00, holding 10 ACME 1500.00
    `);
    expectDays(
      written,
      `
      day          |   start | cash adj | non-cash adj |    cash | non-cash |     end
      03-01..03-02 | 1000.00 |          |              | 1000.00 |          | 1000.00
      03-03        | 1000.00 | -1000.00 |      1500.00 |         |  1500.00 | 1500.00
    `,
    );
  });
});
