import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';
import { deriveHistory } from '../derive-history.js';

describe('an unreliable reported balance', () => {
  it('a balance of 0 that is reported for one day is ignored', () => {
    expectDays(
      ledger(`
        depository
        02-20  -10.00 tea, listed 03-01
        03-01  balance 0.00               # nothing came
        03-02  balance 500.00
        03-03  balance 500.00
        03-04  balance 0.00               # again
        03-05  balance 500.00
      `),
      `
        day          |  start | cash out |    end
        02-20        | 510.00 |    10.00 | 500.00
        02-21..03-05 | 500.00 |          | 500.00
      `,
    );
  });

  it('a balance that stays the same while new transactions are listed counts as frozen', () => {
    expectDays(
      ledger(`
        depository
        03-01  balance 500.00
        03-02  -10.00 tea
        03-02  balance 490.00
        03-03  -20.00 wine
        03-03  balance 490.00             # frozen
        03-04  -30.00 fish
        03-04  balance 490.00
        03-05  -40.00 coat
        03-05  balance 400.00             # 490 - 20 - 30 - 40
      `),
      `
        day   |  start | cash out |    end
        03-01 | 500.00 |          | 500.00
        03-02 | 500.00 |    10.00 | 490.00
        03-03 | 490.00 |    20.00 | 470.00
        03-04 | 470.00 |    30.00 | 440.00
        03-05 | 440.00 |    40.00 | 400.00
      `,
    );
  });

  it('a balance without a date that stays the same after its list was right counts as frozen, however often it is repeated', () => {
    const frozen = ledger(`
      depository
      03-01  balance 500.00
      03-02  -10.00 tea
      03-02  balance 490.00
      03-03  -20.00 wine
      03-03  balance 490.00             # frozen
      03-04  -30.00 fish
      03-04  balance 490.00
      03-05  balance 490.00
      03-06  balance 490.00
    `);
    expectDays(
      frozen,
      `
        day          |  start | cash out | cash adj |    end
        03-01        | 500.00 |          |          | 500.00
        03-02        | 500.00 |    10.00 |          | 490.00
        03-03        | 490.00 |    20.00 |          | 470.00
        03-04        | 470.00 |    30.00 |          | 440.00
        03-05        | 440.00 |          |          | 440.00
        03-06        | 440.00 |          |    50.00 | 490.00   # the newest report, always
      `,
    );
  });

  describe('balances rounded to tens', () => {
    const tens = `
      depository
      03-01  balance 500.00
      03-02  -12.40 tea
      03-02  balance 490.00
      03-03  -20.30 wine
      03-03  balance 470.00
      03-04  -35.10 shoes
      03-04  balance 430.00
      03-05  -14.90 bread
      03-05  balance 420.00
      03-06  -52.20 fish
      03-06  balance 370.00
    `;

    it('balances rounded to tens are derived like balances rounded to whole units', () => {
      expectDays(
        ledger(tens),
        `
          day   |  start | cash out | cash adj |    end
          03-01 | 500.00 |          |          | 500.00
          03-02 | 500.00 |    12.40 |          | 487.60
          03-03 | 487.60 |    20.30 |          | 467.30
          03-04 | 467.30 |    35.10 |          | 432.20
          03-05 | 432.20 |    14.90 |          | 417.30
          03-06 | 417.30 |    52.20 |     4.90 | 370.00   # at least 365.00
        `,
      );
      expect(sureness(ledger(tens))).toEqual(['03-01..03-05 known', '03-06..03-06 estimated']);
      expect(tell(ledger(tens))).toEqual([]); // what rounding leaves is of no other moment
    });
  });

  it('balances that never follow the transactions are shown as reported, with one finding', () => {
    const reports = Array.from({ length: 28 }, (_, day) => {
      const date = `02-${String(day + 1).padStart(2, '0')}`;
      return `${date} balance ${1000 + ((day * day * 37) % 911)}.00`;
    });
    const written = ledger(`depository\n${reports.join('\n')}`);
    const history = deriveHistory(written)!;

    expect([...history.columns.endCash]).toEqual(written.observations.map(({ balanceMinor }) => balanceMinor));
    expect(tell(written).filter((text) => text.includes('do not follow'))).toHaveLength(1);
    expect(history.findings.length).toBeLessThan(4);
  });
});

describe('a transaction listed twice', () => {
  it('a transaction listed twice is corrected by an adjustment of its own day once the balance shows it', () => {
    const written = ledger(`
      depository
      02-27  balance 500.00
      02-28  balance 500.00
      03-01  balance 500.00
      03-02  -25.00 shoes
      03-02  -25.00 shoes
      03-02  balance 475.00               # one of them
      03-04  balance 475.00
      03-06  balance 475.00
      03-09   -5.00 tea
      03-09  balance 470.00
      03-12  balance 470.00
      03-20  balance 470.00
    `);
    expectDays(
      written,
      `
        day          |  start | cash out | cash adj |    end
        02-27..03-01 | 500.00 |          |          | 500.00
        03-02        | 500.00 |    50.00 |    25.00 | 475.00
        03-03..03-08 | 475.00 |          |          | 475.00
        03-09        | 475.00 |     5.00 |          | 470.00
        03-10..03-20 | 470.00 |          |          | 470.00
      `,
    );
    expect(tell(written)).toContain(
      'On 2 March 2026 two equal transactions are listed, and the balance shows one of them: $25.00 is counted once.',
    );
  });

  it('transactions of several days that are all listed again in one response are each corrected on their own day', () => {
    expectDays(
      ledger(`
        depository
        02-27  balance 500.00
        02-28  balance 500.00
        03-01  balance 500.00
        03-02  -25.00 shoes
        03-02  balance 475.00
        03-03  -10.00 tea
        03-03  +70.00 wages
        03-03  balance 535.00
        03-04  -40.00 wine
        03-04  balance 495.00
        03-02  -25.00 shoes, listed 03-05     # the person connected the bank anew: other ids
        03-03  -10.00 tea, listed 03-05
        03-03  +70.00 wages, listed 03-05
        03-04  -40.00 wine, listed 03-05
        03-05   -5.00 milk
        03-05  balance 490.00
        03-06  balance 490.00
        03-20  balance 490.00
      `),
      `
        day          |  start | cash in | cash out | cash adj |    end
        02-27..03-01 | 500.00 |         |          |          | 500.00
        03-02        | 500.00 |         |    50.00 |    25.00 | 475.00
        03-03        | 475.00 |  140.00 |    20.00 |   -60.00 | 535.00
        03-04        | 535.00 |         |    80.00 |    40.00 | 495.00
        03-05        | 495.00 |         |     5.00 |          | 490.00
        03-06..03-20 | 490.00 |         |          |          | 490.00
      `,
    );
  });

  it('a transaction dated tomorrow that is listed twice counts once in the newest row', () => {
    const tomorrow = ledger(`
      depository
      03-01  balance 1000.00
      03-02  -10.00 tea
      03-02  balance 990.00
      03-03  -20.00 wine
      03-03  balance 970.00
      03-07  -25.00 bus, listed 03-06
      03-07  -25.00 bus, listed 03-06
      03-06  balance 945.00               # one of them
    `);
    expectDays(
      { ...tomorrow, until: tomorrow.until - 1 },
      `
        day          |   start | cash out | cash adj |     end
        03-01        | 1000.00 |          |          | 1000.00
        03-02        | 1000.00 |    10.00 |          |  990.00
        03-03        |  990.00 |    20.00 |          |  970.00
        03-04..03-05 |  970.00 |          |          |  970.00
        03-06        |  970.00 |          |   -25.00 |  945.00
      `,
    );
  });
});
