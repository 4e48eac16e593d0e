import { expectDays } from '../../../../test/support/days-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';
import { deriveHistory } from '../derive-history.js';

describe.each(['property', 'vehicle', 'other_asset', 'investment', 'crypto'])(
  'a value reported as 0 or with the opposite sign (%s)',
  (type) => {
    const figures = (...odd: string[]) =>
      ledger(
        `${type}\n${['300.00', '300.00', ...odd].map((figure, day) => `03-0${day + 1} balance ${figure}`).join('\n')}`,
      );

    it.each(['0.00', '-300.00', '-310.00'])('a value of %s is ignored once the previous value is back', (odd) => {
      const back = figures(odd, '300.00', '305.00');
      expectDays(
        asOf(back, '03-04'),
        `
      day          |  start |    end
      03-01..03-04 | 300.00 | 300.00
    `,
      );
      expect(sureness(back)).toEqual(['03-01..03-02 known', '03-03..03-03 estimated', '03-04..03-05 known']);
    });

    it('the newest value is estimated and shown as reported if it is 0', () => {
      const newest = figures('0.00', '0.00');
      expect(sureness(newest)).toEqual(['03-01..03-02 known', '03-03..03-04 estimated']);
      expectDays(
        newest,
        `
      day          |  start | ${type === 'investment' || type === 'crypto' ? 'cash adj' : 'non-cash adj'} |    end
      03-01..03-02 | 300.00 |         | 300.00
      03-03        | 300.00 | -300.00 |   0.00
      03-04        |   0.00 |         |   0.00
    `,
      );
    });

    it('a value of 0 that has lasted is known, and estimated again once the previous value returns', () => {
      const sold = ledger(`
      ${type}
      03-01  balance 300.00
      03-02  balance 0.00
      03-08  balance 0.00
      03-13  balance 0.00
      03-14  balance 300.00
    `);
      const gaps = ['03-03..03-07 unknown', '03-08..03-08 known', '03-09..03-12 unknown', '03-13..03-13 known'];
      expect(sureness(asOf(sold, '03-13'))).toEqual(['03-01..03-02 known', ...gaps]);
      expect(sureness(sold).filter((range) => range.endsWith('known') && !range.endsWith('unknown'))).toEqual([
        '03-01..03-01 known',
        '03-14..03-14 known',
      ]);
      expect(sureness(sold)).toContain('03-08..03-08 estimated');
    });

    it('a value of 0 is known if it is followed by a value other than the previous one', () => {
      expect(sureness(figures('0.00', '900.00'))).toEqual(['03-01..03-04 known']);
    });
  },
);

describe('a balance of 0 that transactions explain', () => {
  it('a balance of 0 that transactions explain is known', () => {
    expect(
      sureness(
        ledger(`
          crypto
          03-01  balance 300.00
          03-02  -300.00 to a wallet
          03-02  balance 0.00
          03-04  +300.00 back again
          03-03  balance 0.00
          03-04  balance 300.00
        `),
      ),
    ).toEqual(['03-01..03-04 known']);
  });
});

describe('a portfolio with faulty reports', () => {
  const BEGINNING = `
    investment
    03-01  balance 3000.00, holding 10 ACME 2000.00
    03-02  balance 3000.00, holding 10 ACME 2000.00
  `;

  it.each([
    ['the positions', '3000.00, holding 10 ACME 0.00'],
    ['the positions and the balance', '1000.00, holding 10 ACME 0.00'],
  ])('a portfolio keeps its last price if the price is missing for one sync in %s', (_, odd) => {
    const written = ledger(`${BEGINNING}
      03-03  balance ${odd}
      03-04  balance 3010.00, holding 10 ACME 2010.00
    `);
    expectDays(
      written,
      `
      day          |   start | market |    cash | non-cash |     end
      03-01..03-03 | 3000.00 |        | 1000.00 |  2000.00 | 3000.00
      03-04        | 3000.00 |  10.00 | 1000.00 |  2010.00 | 3010.00
    `,
    );
    expect(sureness(written)).toEqual(['03-01..03-02 known', '03-03..03-03 estimated', '03-04..03-04 known']);
    expect(sureness(asOf(written, '03-03')).at(-1)).toMatch(/03-03 estimated$/);
  });

  it.each(['0.00, holding 10 ACME 2000.00', '0.00, holding nothing', '-3000.00, holding 10 ACME 2000.00', '0.00'])(
    'a portfolio keeps its cash if its balance is wrong for one sync: %s',
    (odd) => {
      const written = ledger(`${BEGINNING}
        03-03  balance ${odd}
        03-04  balance 3010.00, holding 10 ACME 2010.00
      `);
      expectDays(
        written,
        `
        day          |   start | market |    cash | non-cash |     end
        03-01..03-03 | 3000.00 |        | 1000.00 |  2000.00 | 3000.00
        03-04        | 3000.00 |  10.00 | 1000.00 |  2010.00 | 3010.00
      `,
      );
      expect(sureness(written)).toEqual(['03-01..03-02 known', '03-03..03-03 estimated', '03-04..03-04 known']);
      expect(sureness(asOf(written, '03-03')).at(-1)).toMatch(/03-03 estimated$/);
    },
  );

  it.each(['', ', holding 10 ACME 0.00'])('portfolios with unreadable positions end as reported: 3150.00%s', (held) => {
    const unread = ledger(`${BEGINNING}
      03-03   +50.00 deposit
      03-03  balance 3150.00${held}
      03-04  balance 3140.00, holding 10 ACME 2090.00
    `);
    const told = `
      day          |   start | cash in | market |    cash | non-cash |     end
      03-01..03-02 | 3000.00 |         |        | 1000.00 |  2000.00 | 3000.00
      03-03        | 3000.00 |   50.00 | 100.00 | 1050.00 |  2100.00 | 3150.00
    `;
    expectDays(asOf(unread, '03-03'), told);
    expectDays(unread, `${told}\n03-04 | 3150.00 | | -10.00 | 1050.00 | 2090.00 | 3140.00`);
    expect(sureness(unread)).toEqual(['03-01..03-02 known', '03-03..03-03 estimated', '03-04..03-04 known']);
  });

  it('a portfolio whose positions cannot be read every third day ends at its reported balance each day', () => {
    const days = Array.from({ length: 9 }, (_, index) => index + 1);
    const lines = days.map((day) => {
      const held = day % 3 === 2 ? '' : `, holding 10 ACME ${1000 + 10 * day}.00`;
      return `03-0${day}  balance ${1500 + 10 * day}.00${held}`;
    });
    const { columns } = deriveHistory(ledger(['investment', ...lines].join('\n')))!;
    const ends = columns.endCash.map((cash, row) => cash + columns.endNonCash[row]!);
    expect([...ends]).toEqual(days.map((day) => 1500_00 + 10_00 * day));
  });

  it('a portfolio day is estimated if its only report has the positions of the day before', () => {
    const stale = ledger(`${BEGINNING}
      03-03  balance 3100.00, holding 10 ACME 2000.00        # the market rose; the positions are yesterday's
      03-04  balance 3090.00, holding 10 ACME 2090.00
    `);
    expect(sureness(stale)).toEqual(['03-01..03-02 known', '03-03..03-03 estimated', '03-04..03-04 known']);
  });
});
