import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';

const BOOKED_LATE = ledger(`
  depository
  03-01 07:00 balance 500.00 of 03-01
  03-02 07:00 balance 500.00 of 03-02
  03-01 -100.00 shoes, listed 03-03 07:00
  03-03 07:00 balance 500.00 of 03-02      # the evening of the 2nd, before the shoes were booked
  03-01  -30.00 wine, listed 03-04 07:00
  03-04 07:00 balance 500.00 of 03-02      # still that evening
  03-05 07:00 balance 370.00 of 03-05
`);

const ALWAYS_ONE_DAY = ledger(`
  depository
  03-01 07:00 balance 500.00 of 02-01
  03-02 -20.00 bread, listed 03-02 07:00
  03-02 07:00 balance 480.00 of 02-01      # whatever day it says, it has the bread
  03-03 -30.00 wine, listed 03-03 07:00
  03-03 07:00 balance 450.00 of 02-01      # and the wine
  03-04 -40.00 cheese, listed 03-04 07:00
  03-04 07:00 balance 410.00 of 02-01
`);

describe('a balance dated to an earlier day', () => {
  it('a balance dated to an earlier day is compared with the transactions of that day, so no past row changes', () => {
    expectDays(
      asOf(BOOKED_LATE, '03-04'),
      `
        day   |  start | cash out | cash adj |    end
        03-01 | 500.00 |   130.00 |          | 370.00
        03-02 | 370.00 |          |          | 370.00
        03-03 | 370.00 |          |          | 370.00
        03-04 | 370.00 |          |   130.00 | 500.00   # the newest balance, which is without both
      `,
    );
  });

  it('a balance dated to an earlier day leaves no trace once a current one is reported', () => {
    expectDays(
      BOOKED_LATE,
      `
        day          |  start | cash out |    end
        03-01        | 500.00 |   130.00 | 370.00
        03-02..03-05 | 370.00 |          | 370.00
      `,
    );
  });

  it('a balance dated to an earlier day is compared with the newest transactions if that explains more', () => {
    expectDays(
      ALWAYS_ONE_DAY,
      `
        day   |  start | cash out |    end
        03-01 | 500.00 |          | 500.00
        03-02 | 500.00 |    20.00 | 480.00
        03-03 | 480.00 |    30.00 | 450.00
        03-04 | 450.00 |    40.00 | 410.00
      `,
    );
  });
});

describe('a market value dated to an earlier day', () => {
  it.each(['', ', holding 10 ACME 2000.00'])(
    'days on which an old portfolio value is repeated are unknown (balance%s)',
    (held) => {
      const cached = ledger(`
      investment
      03-01  balance 3000.00 of 03-01${held}
      03-02  balance 3000.00 of 03-02${held}
      03-03  balance 3000.00 of 03-03${held}
      03-04  balance 3020.00 of 03-04${held.replace('2000', '2020')}
      03-05  balance 3020.00 of 03-04${held.replace('2000', '2020')}
      03-06  balance 3020.00 of 03-04${held.replace('2000', '2020')}
      03-07  balance 3050.00 of 03-07${held.replace('2000', '2050')}
    `);
      expect(sureness(cached)).toEqual(['03-01..03-04 known', '03-05..03-06 unknown', '03-07..03-07 known']);
    },
  );

  it('a new portfolio value dated to the day before is estimated, as the bank may be in another timezone', () => {
    const dayBehind = ledger(`
      crypto
      03-02  balance 3000.00 of 03-01
      03-03  balance 3050.00 of 03-02
      03-04  balance 3100.00 of 03-03     # what 3 March was worth, or 4 March where the bank is
      03-05  balance 3075.00 of 03-03     # as it was
      03-06  balance 3080.00 of 03-06
    `);
    expect(sureness(dayBehind)).toEqual(['03-02..03-04 estimated', '03-05..03-05 unknown', '03-06..03-06 known']);
  });

  it('a portfolio day is unknown if its value is two days old, and known if one of two values is of that day', () => {
    const some = ledger(`
      investment
      03-01        balance 1000.00 of 03-01
      03-05        balance 1020.00 of 03-03
      03-06 07:00  balance 1030.00 of 03-05
      03-06        balance 1040.00 of 03-06
    `);
    expect(sureness(some)).toEqual(['03-01..03-01 known', '03-02..03-05 unknown', '03-06..03-06 known']);
  });

  it('a property keeps its valuation on days without a report while later reports repeat it', () => {
    const house = ledger(`
      property
      03-01  balance 300,000.00 of 02-01
      03-02  balance 300,000.00 of 02-01
      03-20  balance 300,000.00 of 02-01
      03-25  balance 310,000.00 of 03-23     # since when is not known: what was said on 22 March may be something else
      03-28  balance 310,000.00 of 03-27     # said again, and perhaps something else between
    `);
    expect(sureness(house)).toEqual([
      '03-01..03-20 known',
      '03-21..03-24 unknown',
      '03-25..03-25 known',
      '03-26..03-27 unknown',
      '03-28..03-28 known',
    ]);
  });

  it('a property value of 0 is estimated, because it may mean that no value was reported', () => {
    const house = ledger(`
      property
      03-01  balance 300,000.00 of 03-01
      03-02  balance 0.00 of 03-01
      03-04  balance 0.00 of 03-01
      03-05  balance 300,000.00 of 03-05
    `);
    expect(sureness(house)[1]).toBe('03-02..03-02 estimated');
    expect(sureness(house)[2]).toBe('03-03..03-03 unknown');
  });

  it('unlisted interest is dated by the own day of the balance, though the day of the sync explains the balances as well', () => {
    expectDays(
      ledger(`
        depository
        03-01  +500.00 gift, listed 03-02
        03-02  balance 500.00 of 03-01
        03-03  balance 500.00 of 03-02
        03-04  balance 501.25 of 03-03     # interest of the 3rd
        03-05  balance 501.25 of 03-04
        03-20  balance 501.25 of 03-19
      `),
      `
        day          |  start | cash in | cash adj |    end
        03-01        |   0.00 |  500.00 |          | 500.00
        03-02        | 500.00 |         |          | 500.00
        03-03        | 500.00 |         |     1.25 | 501.25
        03-04..03-20 | 501.25 |         |          | 501.25
      `,
    );
  });
});
