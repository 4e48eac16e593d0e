import { expectDays } from '../../../test/days-text.js';
import { asOf, ledger } from '../../../test/ledger-text.js';

const HOURS_LATER = ledger(`
  depository
  02-10  +300.00 wages, listed 03-10 20:00
  02-20  -120.00 rent, listed 03-10 20:00
  03-09   -10.00 coffee beans
  03-10  08:00 balance 500.00     # the first sync brings a few days only
  03-10  20:00 balance 500.00     # the second brings the year; the balance holds still
`);

describe('old history delivered after the first sync', () => {
  it('begins where the first sync begins', () => {
    expectDays(
      { ...HOURS_LATER, entries: HOURS_LATER.entries.filter(({ amountMinor }) => amountMinor === -1_000) },
      `
        day   |  start | cash out |    end
        03-09 | 510.00 |    10.00 | 500.00
        03-10 | 500.00 |          | 500.00
      `,
    );
  });

  it('was in the first balance already: it moves the days before it, never those after', () => {
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

  it('may come days later, while new entries go on', () => {
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

  it('is told apart from what comes unlisted at the same time', () => {
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
});
