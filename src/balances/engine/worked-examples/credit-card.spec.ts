import { expectDays } from '../../../../test/support/days-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const DEBT_AS_POSITIVE = ledger(`
  credit_card
  03-01  balance 500.00
  03-02  -100.00 shoes
  03-02  balance 600.00      # a purchase raises it: this bank reports what is owed
  03-03  +50.00 payment
  03-03  balance 550.00
`);

const OWED = `
  day   |  start | cash in | cash out |    end
  03-01 | 500.00 |         |          | 500.00
  03-02 | 500.00 |         |   100.00 | 600.00   # 500 + 100 owed
  03-03 | 600.00 |   50.00 |          | 550.00   # 600 - 50 owed
`;

describe('a credit card', () => {
  it('the balance of a credit card is the amount owed: a purchase raises it, a payment lowers it', () => {
    expectDays(
      ledger(`
        credit_card
        03-01  -100.00 shoes
        03-02   +50.00 payment
        03-02  balance -550.00
      `),
      `
        day   |  start | cash in | cash out |    end
        03-01 | 500.00 |         |   100.00 | 600.00   # 550 + 50 - 100 = 500 owed before
        03-02 | 600.00 |   50.00 |          | 550.00
      `,
    );
  });

  it('a card balance reported as a positive number is owed once a purchase was seen to raise it', () => {
    expectDays(DEBT_AS_POSITIVE, OWED);
  });

  it('a card balance reported as a negative number is owed', () => {
    const { observations, ...rest } = DEBT_AS_POSITIVE;
    const negative = observations.map((report) => ({ ...report, balanceMinor: -report.balanceMinor }));
    expectDays({ ...rest, observations: negative }, OWED);
  });

  it('a first card balance reported as a positive number is credit until a transaction shows the sign convention', () => {
    expectDays(
      asOf(DEBT_AS_POSITIVE, '03-01'),
      `
        day   |   start |     end
        03-01 | -500.00 | -500.00   # nothing owed, 500 to be had
      `,
    );
  });

  it('a card with only negative reported balances is in debt although a transaction contradicts that sign', () => {
    expectDays(
      ledger(`
        credit_card
        03-01  balance -300.00
        03-02   -50.00 shoes
        03-02  balance -250.00     # less is owed than before: 50 were paid that nothing lists
      `),
      `
        day   |  start | cash out | cash adj |    end
        03-01 | 250.00 |          |          | 250.00   # the shoes are taken for part of the 300
        03-02 | 250.00 |    50.00 |   -50.00 | 250.00   # 250 + 50 - 50
      `,
    );
  });

  it('an overpaid credit card is in credit, with a negative debt', () => {
    expectDays(
      ledger(`
        credit_card
        03-01  -100.00 shoes
        03-01  balance -100.00
        03-02  +130.00 payment
        03-02  balance 30.00
      `),
      `
        day   |  start | cash in | cash out |    end
        03-01 |   0.00 |         |   100.00 | 100.00
        03-02 | 100.00 |  130.00 |          | -30.00   # 100 - 130
      `,
    );
  });

  it('an overpaid credit card is in credit at a bank that reports debts as positive numbers', () => {
    expectDays(
      ledger(`
        credit_card
        03-01  -100.00 shoes
        03-01  balance 100.00
        03-02  -20.00 socks
        03-02  balance 120.00      # a purchase raises it
        03-03  +150.00 payment
        03-03  balance -30.00      # 30 more than was owed
      `),
      `
        day   |  start | cash in | cash out |    end
        03-01 |   0.00 |         |   100.00 | 100.00
        03-02 | 100.00 |         |    20.00 | 120.00
        03-03 | 120.00 |  150.00 |          | -30.00
      `,
    );
  });

  it('a card that is paid too much is in credit at a bank that reports debts as positive', () => {
    const card = ledger(`
      credit_card
      02-10  -60.00 shoes
      02-14  -140.00 coat
      02-25  +400.00 payment
      03-01  balance -200.00
      03-02  -11.50 tea
      03-02  balance -188.50     # a purchase raises it
      03-03  -20.00 socks
      03-03  balance -168.50
    `);
    expect(sureness(asOf(card, '03-01'))).toEqual(['02-10..03-01 estimated']);
    expect(sureness(card)).toEqual(['02-10..03-03 known']);
    expectDays(
      card,
      `
        day          |  start | cash in | cash out |     end
        02-10        |   0.00 |         |    60.00 |   60.00
        02-11..02-13 |  60.00 |         |          |   60.00
        02-14        |  60.00 |         |   140.00 |  200.00
        02-15..02-24 | 200.00 |         |          |  200.00
        02-25        | 200.00 |  400.00 |          | -200.00
        02-26..03-01 |-200.00 |         |          | -200.00
        03-02        |-200.00 |         |    11.50 | -188.50
        03-03        |-188.50 |         |    20.00 | -168.50
      `,
    );
  });

  it('of a card whose list and balances could both be in the opposite sign it stays unknown what is owed', () => {
    const turned = ledger(`
      credit_card
      03-01  balance 200.00
      03-02  +60.00 shoes
      03-02  balance 260.00
      03-03  +20.00 socks
      03-03  balance 280.00
      03-04  +40.00 coat
      03-04  balance 320.00
    `);
    expect(sureness(turned)).toEqual(['03-01..03-04 estimated']);
    expect(tell(turned)).toEqual([
      'The bank does not say whether its balance is owed or a credit. Until its transactions show otherwise, it counts as credit.',
    ]);
  });

  it('interest that is never listed raises the debt of a credit card on the day the balance shows it', () => {
    expectDays(
      ledger(`
        credit_card
        03-01  -100.00 shoes
        03-01  balance -100.00
        03-02  balance -100.00
        03-10  balance -101.90     # interest
        03-25  balance -101.90
      `),
      `
        day          |  start | cash out | cash adj |    end
        03-01        |   0.00 |   100.00 |          | 100.00
        03-02..03-09 | 100.00 |          |          | 100.00
        03-10        | 100.00 |          |     1.90 | 101.90
        03-11..03-25 | 101.90 |          |          | 101.90
      `,
    );
  });
});
