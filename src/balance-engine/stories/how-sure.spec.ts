import { expectDays } from '../../../test/days-text.js';
import { asOf, ledger, type WrittenLedger } from '../../../test/ledger-text.js';
import { dateOfDayNumber } from '../../time/calendar-date.js';
import { certaintyRanges } from '../certainty.js';
import { deriveHistory } from '../derive-history.js';

const NAMES = ['known', 'estimated', 'unknown'];

/** The ranges of a history, as `03-01..03-04 known`. */
function sureness(written: WrittenLedger): string[] {
  const date = (day: number) => dateOfDayNumber(day).slice(5);
  return certaintyRanges(deriveHistory(written)!).map(
    ({ from, until, certainty }) => `${date(from)}..${date(until)} ${NAMES[certainty]}`,
  );
}

describe('the days before the first report', () => {
  const FEED = ledger(`
    depository
    03-01  +100.00 gift, listed 03-10
    03-10  balance 500.00
    03-11  -20.00 tea
    03-11  balance 480.00
    03-12  -30.00 wine
    03-12  balance 450.00
  `);

  it('are estimated until the list has explained two movements of the balance', () => {
    expect(sureness(asOf(FEED, '03-11'))).toEqual(['03-01..03-09 estimated', '03-10..03-11 known']);
    expect(sureness(FEED)).toEqual(['03-01..03-12 known']);
  });

  it('are estimated for a week where the balance does not move', () => {
    const still = ledger(`
      depository
      03-01  +100.00 gift, listed 03-10
      03-10  balance 500.00
      03-16  balance 500.00
      03-17  balance 500.00
    `);
    expect(sureness(asOf(still, '03-16'))).toEqual(['03-01..03-09 estimated', '03-10..03-16 known']);
    expect(sureness(still)).toEqual(['03-01..03-17 known']);
  });

  it('are estimated where something moved the balance unlisted later on', () => {
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

  it('are estimated where two equal transactions are listed, until balances have shown that equal ones are two', () => {
    const pair = ledger(`
      depository
      03-01  +100.00 gift, listed 03-10
      03-04  -25.00 tickets, listed 03-10
      03-04  -25.00 tickets, listed 03-10   # a second one, or the first once more: no balance shows it
      03-10  balance 500.00
      03-11  -20.00 tea
      03-11  balance 480.00
      03-12  -30.00 wine
      03-12  balance 450.00
      03-13  -4.00 bus
      03-13  -4.00 bus
      03-13  balance 442.00                 # both
    `);
    expect(sureness(asOf(pair, '03-12'))).toEqual(['03-01..03-03 estimated', '03-04..03-12 known']);
    expect(sureness(pair)).toEqual(['03-01..03-13 known']);
  });

  it('are estimated before a pair of equal transactions until enough others were listed once', () => {
    const listed = (count: number) => {
      const rows = Array.from({ length: count }, (_, index) => `04-01  -1.${10 + index} fare`);
      return ledger(`
        depository
        03-01  +100.00 gift, listed 03-10
        03-04  -25.00 tickets, listed 03-10
        03-04  -25.00 tickets, listed 03-10
        03-10  balance 500.00
        03-11  -20.00 tea
        03-11  balance 480.00
        ${rows.join('\n')}
        04-01  balance ${(480 - count * 1.1 - ((count - 1) * count) / 200).toFixed(2)}
      `);
    };
    expect(sureness(listed(60))[0]).toBe('03-01..03-03 estimated');
    expect(sureness(listed(90))[0]).toMatch(/^03-01\.\..* known$/);
  });
});

describe('two transactions that are listed twice one after the other', () => {
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

  it('are two facts, each of its own day', () => {
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

describe('a balance that turns into its own opposite', () => {
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

  it('is put right while it lasts', () => {
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

  it('is money from the day on which it is booked', () => {
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
