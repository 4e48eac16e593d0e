import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { asOf, dayOf, ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';

describe('the certainty of the days after the newest report', () => {
  const PROVEN = ledger(`
    depository
    03-10  balance 500.00
    03-11  -20.00 tea
    03-11  balance 480.00
    03-12  -30.00 wine
    03-12  balance 450.00 of 03-11
  `);

  it('days after the newest report are known if the last sync listed all transactions', () => {
    expect(sureness({ ...asOf(PROVEN, '03-20'), completeOn: dayOf('03-20') })).toEqual(['03-10..03-20 known']);
  });

  it('days on which balance and list both stand still are estimated after ten days of a busy account', () => {
    const days = Array.from({ length: 12 }, (_, index) => 10 + index);
    const busy = days.flatMap((day) => [`03-${day}  -1.00 tea`, `03-${day}  balance ${510 - day}.00`]).join('\n');
    const still = ledger(`depository\n${busy}\n03-30  balance 489.00\n03-31  balance 489.00`);
    expect(sureness({ ...asOf(still, '03-30'), completeOn: dayOf('03-30') })).toEqual(['03-10..03-30 known']);
    expect(sureness({ ...asOf(still, '03-31'), completeOn: dayOf('03-31') })).toEqual([
      '03-10..03-21 known',
      '03-22..03-31 estimated',
    ]);
  });

  it('days after the newest report are unknown if the last sync did not list all transactions', () => {
    const silent = asOf(PROVEN, '03-20');
    expect(sureness(silent)).toEqual(['03-10..03-12 known', '03-13..03-20 unknown']);
    expect(sureness({ ...silent, completeOn: null })).toEqual(['03-10..03-11 known', '03-12..03-20 unknown']);
  });
});

describe('the certainty of the day of the newest balance', () => {
  const BEHIND = ledger(`
    depository
    03-01  balance 1000.00
    03-02  -40.00 dinner
    03-02  balance 1000.00
    03-03  -10.00 tea
    03-03  balance 960.00
    03-04   -5.00 milk
    03-04  balance 950.00      # each balance is of the day before
    03-05   -7.00 bread        # and none is reported any more
    03-06   -8.00 soap
  `);

  it('the newest day is estimated if its balance lags behind the listed transactions', () => {
    expect(sureness(asOf(BEHIND, '03-04'))).toEqual(['03-01..03-03 known', '03-04..03-04 estimated']);
  });

  it('a day whose balance lagged behind stays estimated if no later balance is reported, and has a timing finding', () => {
    expect(sureness(BEHIND)).toEqual(['03-01..03-03 known', '03-04..03-04 estimated', '03-05..03-06 known']);
    expect(tell(BEHIND)).toEqual([
      "On 4 March 2026 the bank's balance was $5.00 higher than its transactions explain, because the balance and the transactions were taken at different times. This will sort itself out.",
    ]);
  });

  it('the newest day is estimated while its balance includes pending transactions', () => {
    const including = ledger(`
      depository
      03-01  balance 500.00
      03-02  balance 460.00, holds -40.00
      03-03  balance 445.00, holds -40.00 -15.00
      03-04   -40.00 the first is booked
      03-04  balance 445.00, holds -15.00
      03-05  balance 460.00
      03-06  balance 440.00, holds -20.00
    `);
    expect(sureness(including)).toEqual(['03-01..03-05 known', '03-06..03-06 estimated']);
  });
});

describe('the certainty of a day whose transaction is listed after its report', () => {
  it('a day of an investment account without listed holdings is estimated if its transaction came after its report', () => {
    const dividend = ledger(`
      investment
      03-01 12:00 balance 500.00
      03-02 12:00 balance 500.00
      03-02 +7.50 dividend, listed 03-03 12:00   # in the evening
      03-03 12:00 balance 507.50
    `);
    expect(sureness(dividend)).toEqual(['03-01..03-01 known', '03-02..03-02 estimated', '03-03..03-03 known']);
  });

  it('a day is estimated whose report differs from its row, though the difference has gone', () => {
    const roundUp = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.00 tea
      03-02  balance 480.00
      03-03  -30.00 wine
      03-03  balance 450.00
      03-04  balance 449.01                      # rounded up by 0.99, unlisted
      03-05  balance 449.01
      03-06  -0.99 round-ups of the week
      03-06  balance 449.01
      03-07  balance 449.01
    `);
    expect(sureness(roundUp)).toEqual(['03-01..03-03 known', '03-04..03-05 estimated', '03-06..03-07 known']);
  });
});

describe('the certainty of the days before the first report', () => {
  const FEED = ledger(`
    depository
    03-01  +100.00 gift, listed 03-10
    03-10  balance 500.00
    03-11  -20.00 tea
    03-11  balance 480.00
  `);

  it('days before the first report are estimated until the transactions have explained a change of the balance', () => {
    expect(sureness(asOf(FEED, '03-10'))).toEqual(['03-01..03-09 estimated', '03-10..03-10 known']);
    expect(sureness(FEED)).toEqual(['03-01..03-11 known']);
  });

  it('days before the first report are estimated up to two equal transactions of an amount that is listed on no other day', () => {
    const twice = ledger(`
      depository
      02-01   -2.80 bus, listed 03-10
      02-01   -2.80 bus, listed 03-10
      02-04   -2.80 bus, listed 03-10
      02-10  +99.00 gift, listed 03-10
      02-10  +99.00 GIFT, listed 03-10
      03-10  balance 500.00
      03-11  -20.00 tea
      03-11  balance 480.00
      03-12  -30.00 wine
      03-12  balance 450.00
      03-19   -4.00 milk
      03-19   -4.00 milk               # true twins: the balance has both
      03-19  balance 442.00
    `);
    expect(sureness(asOf(twice, '03-12'))).toEqual(['02-01..02-09 estimated', '02-10..03-12 known']);
    expect(sureness(twice)).toEqual(['02-01..03-19 known']);
  });

  it('days before the first report are estimated for ten days if the balance does not change', () => {
    const still = ledger(`
      depository
      03-01  +100.00 gift, listed 03-10
      03-10  balance 500.00
      03-19  balance 500.00
      03-20  balance 500.00
    `);
    expect(sureness(asOf(still, '03-19'))).toEqual(['03-01..03-09 estimated', '03-10..03-19 known']);
    expect(sureness(still)).toEqual(['03-01..03-20 known']);
  });

  it('all days are estimated if transactions are listed and the balance never changes, as it may be of the last statement', () => {
    const statement = ledger(`
      depository
      02-20  +100.00 gift, listed 03-01
      03-01  balance 500.00
      03-03  -25.55 tea
      03-03  balance 500.00
      03-06  -26.37 wine
      03-06  balance 500.00
      03-11  balance 500.00
    `);
    expect(sureness(statement)).toEqual(['02-20..03-11 estimated']);
  });

  it('days before the first report are estimated if the balance changed later without a transaction', () => {
    const fees = ledger(`
      depository
      03-01  +100.00 gift, listed 03-10
      03-10  balance 500.00
      03-11  -20.00 tea
      03-11  balance 480.00
      03-12  -30.00 wine
      03-12  balance 450.00
      03-13  balance 447.50            # a fee that nothing lists
      03-20  balance 447.50
      03-27  balance 447.50
    `);
    expect(sureness(fees)[0]).toBe('03-01..03-09 estimated');
  });
});

describe('transactions listed twice one after the other', () => {
  const FEED = ledger(`
    depository
    03-01  balance 500.00
    03-02  -20.00 tea
    03-02  balance 480.00
    03-03  -30.00 wine
    03-03  balance 450.00
    03-02  -20.00 tea, listed 03-05    # once more, days later
    03-05  balance 450.00
    03-03  -30.00 wine, listed 03-06   # and the other, too
    03-06  balance 450.00
    03-07  -5.00 milk
    03-07  balance 445.00
    03-08  -6.00 bread
    03-08  balance 439.00
    03-16  balance 439.00
    03-24  balance 439.00
  `);

  it('two transactions that are listed twice one after the other have one adjustment each, on their own days', () => {
    expectDays(
      FEED,
      `
        day          |  start | cash out | cash adj |    end
        03-01        | 500.00 |          |          | 500.00
        03-02        | 500.00 |    40.00 |    20.00 | 480.00
        03-03        | 480.00 |    60.00 |    30.00 | 450.00
        03-04..03-06 | 450.00 |          |          | 450.00
        03-07        | 450.00 |     5.00 |          | 445.00
        03-08        | 445.00 |     6.00 |          | 439.00
        03-09..03-24 | 439.00 |          |          | 439.00
      `,
    );
  });
});

describe('a balance that changes its sign', () => {
  const FEED = ledger(`
    depository
    03-01  balance 500.00
    03-02  -20.00 tea
    03-02  balance 480.00
    03-03  balance -480.00             # nothing moved since
    03-04  balance -480.00
    03-05  -80.00 shoes
    03-05  balance -400.00
    03-06  balance 400.00
  `);

  it('balances reported with the opposite sign for some days are corrected on those days', () => {
    expectDays(
      FEED,
      `
        day          |  start | cash out |    end
        03-01        | 500.00 |          | 500.00
        03-02        | 500.00 |    20.00 | 480.00
        03-03..03-04 | 480.00 |          | 480.00
        03-05        | 480.00 |    80.00 | 400.00
        03-06        | 400.00 |          | 400.00
      `,
    );
  });
});

describe('interest that accrues in the balance', () => {
  // 0.10 a day since the evening of 1 March, booked as 0.90 on the evening of the 10th.
  const days = Array.from({ length: 9 }, (_, day) => `03-${String(day + 1).padStart(2, '0')}  balance 500.${day}0`);
  const FEED = ledger(`
    depository
    ${days.join('\n    ')}
    03-10  +0.90 interest
    03-10  balance 500.90
    03-11  balance 500.90
  `);

  it('interest that accrues in the balance counts on the day it is posted', () => {
    expectDays(
      FEED,
      `
        day          |  start | cash in |    end
        03-01..03-09 | 500.00 |         | 500.00
        03-10        | 500.00 |    0.90 | 500.90
        03-11        | 500.90 |         | 500.90
      `,
    );
  });
});

describe('the certainty of the days around an unlisted change', () => {
  const OUTAGE = (first: string) =>
    ledger(`
    depository
    03-24  balance 1000.00
    03-26  -26.00 food
    03-26  balance 974.00
    03-28  -20.00 food
    03-28  balance 954.00
    04-20  +400.00 top-up, listed 05-01
    04-26  -25.00 food, listed 05-01
    05-01  balance ${first}
    05-02  balance 1243.00               # 86 of the rows of April are lost
    05-03  balance 1243.00
    05-09  -25.00 food
    05-09  balance 1218.00
    05-20  balance 1218.00
    05-25  balance 1218.00
  `);

  it.each(['1243.00', '1268.00', '0.00'])('days of a gap before an unexplained balance are unknown: %s', (first) => {
    expect(sureness(OUTAGE(first))).toContain('03-29..04-30 unknown');
    expect(tell(OUTAGE(first)).join()).toContain('Nothing was reported from 29 March 2026 to 30 April 2026');
  });

  it('the days around an unlisted change are estimated from the last balance without it', () => {
    const weekly = ledger(`
      depository
      03-30  balance 1130.00
      04-01  -30.00 food
      04-06  balance 1100.00
      04-09  -11.00 food
      04-13  balance 1089.00
      04-15  -14.00 food
      04-20  balance 1050.00           # a fee of 25
      04-22  -20.00 food
      04-27  balance 1005.00           # and another one
      04-29  -5.00 food
      05-04  balance 1000.00
      05-06  -13.00 food
      05-11  balance 987.00
      05-18  balance 987.00
    `);
    expect(sureness(weekly)).toContain('04-13..04-26 estimated');
  });

  it('the days around an unlisted change are estimated from the day that the last balance without it is dated to', () => {
    const dated = ledger(`
      depository
      02-25  balance 1000.00 of 02-25
      02-26  -10.00 tea
      02-26  balance 990.00 of 02-26
      03-05  -15.00 wine
      03-05  balance 975.00 of 03-05
      03-06  balance 975.00 of 03-05
      03-09  -20.00 shoes
      03-09  balance 975.00 of 03-05
      03-10  balance 944.00 of 03-10   # 11 more
    `);
    expect(sureness(dated)).toEqual(['02-25..03-04 known', '03-05..03-10 estimated']);
  });

  it('the days around an unlisted change are estimated from the first transaction that no balance shows', () => {
    const weekly = ledger(`
      depository
      03-16  balance 750.00
      03-20  -20.00 food
      03-23  balance 730.00
      03-25  -23.00 food
      03-30  balance 707.00
      03-31  +25.00 fee back, listed 04-06
      04-06  balance 732.00
      03-31  +25.00 fee back, listed 04-13   # the same again
      04-09  -66.00 food, listed 04-13
      04-09  -66.00 food, listed 04-13       # and this
      04-13  balance 666.00
    `);
    expect(sureness(weekly)).toContain('03-31..04-13 estimated');
  });

  it('days are estimated while two lasting changes explain their balances almost as well as a temporary difference', () => {
    const fees = ledger(`
      depository
      04-23  balance 1040.00
      04-24  -20.00 food
      04-24  balance 1020.00
      04-25  balance 995.00            # a fee of 25,
      04-28  -5.00 food
      04-28  balance 990.00
      05-04  balance 990.00
      05-06  balance 1015.00           # given back
      05-08  balance 1015.00
      05-09  -73.00 food
      05-09  balance 942.00
      05-12  -62.00 food
      05-12  balance 880.00
      05-14  balance 855.00            # and taken again
      05-16  -10.00 food
      05-16  balance 845.00
      05-20  balance 845.00
    `);
    expect(sureness(fees).find((range) => range.endsWith('..05-13 estimated'))).toBeDefined();
  });
});

describe('the certainty of the days before an unlisted change is reversed', () => {
  const LIMIT = ledger(`
    depository
    03-01  balance 500.00
    03-02  -20.00 tea
    03-02  balance 480.00
    03-03  -30.00 wine
    03-03  balance 450.00
    03-04  balance 950.00        # for three weeks the limit of 500.00 is added
    03-08  -50.00 shoes
    03-08  balance 900.00
    03-16  -10.00 milk
    03-16  balance 890.00
    03-24  balance 890.00
    03-25  balance 390.00
    03-28  -15.00 bread
    03-28  balance 375.00
    04-20  balance 375.00
  `);

  it('the days between an unlisted change of the balance and its exact reversal are estimated', () => {
    expect(sureness(LIMIT)).toEqual(['03-01..03-02 known', '03-03..03-24 estimated', '03-25..04-20 known']);
  });
});

describe('the certainty of a transaction listed twice', () => {
  it('a transaction that is listed twice leaves the days since then estimated until a balance can show it', () => {
    const loan = ledger(`
      loan
      01-30  balance -17300.00 of 01-30
      02-03  +380.00 instalment
      02-03  balance -16920.00 of 02-03
      02-20  +39.00 extra
      02-20  balance -16881.00 of 02-20
      04-03  +380.00 instalment, listed 04-06
      04-06  balance -16501.00 of 04-06
      04-03  +380.00 instalment, listed 04-07
      04-07  balance -16501.00 of 04-06      # older than the second row
    `);
    expect(sureness(asOf(loan, '04-06'))).toEqual(['01-30..04-06 known']);
    expect(sureness(loan)).toEqual(['01-30..04-02 known', '04-03..04-07 estimated']);
  });
});

describe('the certainty of two transactions listed twice in one response', () => {
  it('two transactions that one response lists a second time leave the days since the first of them estimated', () => {
    const twins = ledger(`
      depository
      03-20  balance 9600.00
      03-21  -30.00 milk
      03-21  balance 9570.00
      03-22  -30.62 bread
      03-22  balance 9539.38
      03-25  -14.56 kiosk, listed 03-27
      03-27  balance 9524.82
      03-27  -12.01 bus, listed 03-28
      03-28  balance 9512.81
      03-30  balance 9512.81
      03-25  -14.56 kiosk, listed 03-31
      03-27  -12.01 bus, listed 03-31
      03-31  balance 9512.81
    `);
    expect(sureness(twins)).toEqual(['03-20..03-24 known', '03-25..03-31 estimated']);
  });
});

describe('the certainty of the days after the newest balance', () => {
  it('all days are estimated while no balance has shown that the bank lists every transaction', () => {
    const loan = ledger(`
      loan
      03-02  balance -18000.00 of 02-12
      03-03  +380.00 instalment              # seen in no balance yet
      03-05  balance -18000.00 of 02-12
      03-10  balance -18000.00 of 02-12
    `);
    expect(sureness(loan)).toEqual(['03-02..03-10 estimated']);
  });

  it('days after the day of a balance are unknown if neither balance nor list follows the syncs any more', () => {
    const stuck = ledger(`
      depository
      10-01  +900.00 salary
      10-01  balance 900.00 of 10-01
      10-02  -30.00 market
      10-02  balance 870.00 of 10-02
      10-03  -12.50 lunch
      10-03  balance 857.50 of 10-03
      10-04  balance 857.50 of 10-03
      10-05  balance 857.50 of 10-03
      10-06  balance 857.50 of 10-03
    `);
    expect(sureness(stuck)).toEqual(['10-01..10-03 known', '10-04..10-06 unknown']);
  });

  it('days after the day of a statement are not unknown, as the list goes on', () => {
    const statements = ledger(`
      credit_card
      09-28  balance -100.00 of 09-21
      10-01  -30.00 market
      10-01  balance -100.00 of 09-21
      10-20  -20.00 market
      10-22  balance -150.00 of 10-21
      10-25  -10.00 lunch
      10-25  balance -150.00 of 10-21
    `);
    expect(sureness(statements)).not.toContain('10-25..10-25 unknown');
  });
});
