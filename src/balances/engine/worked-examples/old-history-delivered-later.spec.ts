import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const HOURS_LATER = ledger(`
  depository
  02-10  +300.00 wages, listed 03-10 20:00
  02-20  -120.00 rent, listed 03-10 20:00
  03-09   -10.00 coffee beans
  03-10  08:00 balance 500.00     # the first sync brings a few days only
  03-10  20:00 balance 500.00     # the second brings the year; the balance holds still
`);

describe('old transactions delivered after the first sync', () => {
  it('the history begins with the oldest transaction that the first sync delivers', () => {
    expectDays(
      { ...HOURS_LATER, entries: HOURS_LATER.entries.filter(({ amountMinor }) => amountMinor === -1_000) },
      `
        day   |  start | cash out |    end
        03-09 | 510.00 |    10.00 | 500.00
        03-10 | 500.00 |          | 500.00
      `,
    );
  });

  it('old transactions delivered after the first sync change the days before it, and none after it', () => {
    expectDays(
      HOURS_LATER,
      `
        day          |  start | cash in | cash out |    end
        02-10        | 330.00 |  300.00 |          | 630.00   # 500 + 10 + 120 - 300 = 330
        02-11..02-19 | 630.00 |         |          | 630.00
        02-20        | 630.00 |         |   120.00 | 510.00
        02-21..03-08 | 510.00 |         |          | 510.00
        03-09        | 510.00 |         |    10.00 | 500.00
        03-10        | 500.00 |         |          | 500.00
      `,
    );
  });

  it('late transactions were in the first balance if they are older than the bank usually lists late, even by one day', () => {
    expectDays(
      ledger(`
        depository
        03-06  -115.00 coat, listed 03-16 20:00
        03-06    -2.00 tea, listed 03-16 20:00
        03-07   -53.00 books, listed 03-16 20:00
        03-10  08:00 balance 445.00, holds -29.00 -92.00
        03-10   -92.00 shoes, listed 03-12
        03-12  balance 382.00, holds -92.00
        03-13  balance 359.00, holds -92.00 -23.00
        03-08   -19.00 wine, listed 03-14
        03-13   -92.00 shoes, listed 03-14
        03-14  balance 340.00, holds -23.00
        03-11   -29.00 bread, listed 03-15
        03-15  balance 311.00, holds -23.00
        03-15   -26.00 cheese, listed 03-15 20:00
        03-15  20:00 balance 308.00
        03-16  08:00 balance 308.00
        03-16  20:00 balance 308.00            # all of it was in the first balance
      `),
      `
        day          |  start | cash out |    end
        03-06        | 736.00 |   117.00 | 619.00
        03-07        | 619.00 |    53.00 | 566.00
        03-08        | 566.00 |    19.00 | 547.00
        03-09        | 547.00 |          | 547.00
        03-10        | 547.00 |    92.00 | 455.00
        03-11        | 455.00 |    29.00 | 426.00
        03-12        | 426.00 |          | 426.00
        03-13        | 426.00 |    92.00 | 334.00
        03-14        | 334.00 |          | 334.00
        03-15        | 334.00 |    26.00 | 308.00
        03-16        | 308.00 |          | 308.00
      `,
    );
  });

  it('old transactions delivered days after the first sync were in the first balance, unlike the new ones', () => {
    const days = ledger(`
      depository
      02-10  +300.00 wages, listed 03-12
      03-09  -10.00 coffee beans
      03-10  balance 500.00
      03-11   -5.00 tea
      03-11  balance 495.00
      03-12   -2.00 sugar
      03-12  balance 493.00      # the wages of February are listed today and were in the first balance
    `);
    expectDays(
      asOf(days, '03-11'),
      `
        day   |  start | cash out |    end
        03-09 | 510.00 |    10.00 | 500.00
        03-10 | 500.00 |          | 500.00
        03-11 | 500.00 |     5.00 | 495.00
      `,
    );
    expectDays(
      days,
      `
        day          |  start | cash in | cash out |    end
        02-10        | 210.00 |  300.00 |          | 510.00
        02-11..03-08 | 510.00 |         |          | 510.00
        03-09        | 510.00 |         |    10.00 | 500.00
        03-10        | 500.00 |         |          | 500.00
        03-11        | 500.00 |         |     5.00 | 495.00
        03-12        | 495.00 |         |     2.00 | 493.00
      `,
    );
  });

  it('an unlisted fee at the sync that delivers old transactions is an adjustment of its day', () => {
    expectDays(
      ledger(`
        depository
        02-10  +300.00 wages, listed 03-12
        03-10  balance 500.00
        03-11  balance 500.00
        03-12  balance 499.41      # a fee of 0.59; the wages are weeks old and were in the balance
      `),
      `
        day          |  start | cash in | cash adj |    end
        02-10        | 200.00 |  300.00 |          | 500.00
        02-11..03-11 | 500.00 |         |          | 500.00
        03-12        | 500.00 |         |    -0.59 | 499.41
      `,
    );
  });

  it('old transactions delivered three weeks later count, though several equal the first ones listed', () => {
    const followed = ledger(`
      depository
      02-17  -20.00 tea, listed 03-22
      02-18  -20.00 tea, listed 03-22
      02-19  -20.00 tea, listed 03-22
      02-20  -20.00 tea
      02-22  -20.00 tea
      02-24  -20.00 tea
      03-01  balance 500.00
      03-08  balance 500.00
      03-15  balance 500.00
      03-22  balance 500.00
    `);
    expectDays(
      followed,
      `
        day          |  start | cash out |    end
        02-17        | 620.00 |    20.00 | 600.00
        02-18        | 600.00 |    20.00 | 580.00
        02-19        | 580.00 |    20.00 | 560.00
        02-20        | 560.00 |    20.00 | 540.00
        02-21        | 540.00 |          | 540.00
        02-22        | 540.00 |    20.00 | 520.00
        02-23        | 520.00 |          | 520.00
        02-24        | 520.00 |    20.00 | 500.00
        02-25..03-22 | 500.00 |          | 500.00
      `,
    );
  });
});
