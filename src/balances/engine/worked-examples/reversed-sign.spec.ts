import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';
import { ESTIMATED, KNOWN } from '../certainty.js';
import { deriveHistory } from '../derive-history.js';

const movements = (sign: '' | '-') => `
  03-01  balance ${sign}500.00
  03-02  -20.00 tea
  03-02  balance ${sign}480.00
  03-03  -30.00 wine
  03-03  balance ${sign}450.00
  03-04  +70.00 wages
  03-04  balance ${sign}520.00
  03-05  -5.00 milk
  03-05  balance ${sign}515.00
`;
const DAYS = `
  day   |  start | cash in | cash out |    end
  03-01 | 500.00 |         |          | 500.00
  03-02 | 500.00 |         |    20.00 | 480.00
  03-03 | 480.00 |         |    30.00 | 450.00
  03-04 | 450.00 |   70.00 |          | 520.00
  03-05 | 520.00 |         |     5.00 | 515.00
`;

describe('an account reported with the opposite sign', () => {
  it('negative balances that fall when money comes in are corrected to the opposite sign', () => {
    const reversed = ledger(`depository\n${movements('-')}`);
    expectDays(reversed, DAYS);
    expect(tell(reversed)).toEqual([
      'Since 1 March 2026 the bank reports the balances of this account with the opposite sign. The history corrects them.',
    ]);
  });

  it('balances in whole units are corrected from the day on which their sign was reversed', () => {
    const rounded = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.40 tea
      03-02  balance 480.00
      03-03  -30.40 wine
      03-03  balance 449.00
      03-04  +70.70 wages
      03-04  balance -520.00
      03-05  -5.30 milk
      03-05  balance -515.00
      03-06  -15.30 fish
      03-06  balance -499.00
      03-07  -75.10 shoes
      03-07  balance -424.00
    `);
    expect(tell(rounded).join()).toContain('Since 4 March 2026 the bank reports the balances of this account');
    expect(deriveHistory(rounded)!.columns.endCash.slice(0, -1)).toEqual(
      Float64Array.of(500_00, 479_60, 449_20, 519_90, 514_60, 499_30),
    );
  });

  it('transactions with the opposite sign are corrected if the balances are positive', () => {
    const plain = ledger(`depository\n${movements('')}`);
    const reversed = { ...plain, entries: plain.entries.map((one) => ({ ...one, amountMinor: -one.amountMinor })) };
    expectDays(reversed, DAYS);
    expect(tell(reversed)).toEqual([
      'Since 1 March 2026 the bank reports the transactions of this account with the opposite sign. The history corrects them.',
    ]);
  });

  it('transactions are corrected from the day on which their sign was reversed although the account is overdrawn later', () => {
    // Spent 10.00 a day; from the fifth on the bank lists it as 10.00 in.
    const days = Array.from({ length: 20 }, (_, day) => ({ date: `03-${10 + day}`, balance: 60 - 10 * day, day }));
    const text = days.map(
      ({ date, balance, day }) =>
        (day > 0 ? `${date}  ${day < 5 ? '-' : '+'}10.00 tea\n` : '') + `${date}  balance ${balance}.00`,
    );
    const overdrawn = ledger(`depository\n${text.join('\n')}`);
    const { columns, certainty } = deriveHistory(overdrawn)!;
    expect([...columns.endCash]).toEqual(days.map(({ balance }) => balance * 100));
    expect([...columns.cashOutflows]).toEqual(days.map(({ day }) => (day > 0 ? 10_00 : 0)));
    expect([...certainty]).toEqual(days.map(() => KNOWN));
    expect(tell(overdrawn)).toEqual([
      'Since 15 March 2026 the bank reports the transactions of this account with the opposite sign. The history corrects them.',
    ]);
  });

  it('balances whose sign was reversed in a gap are estimated, and corrected once two transactions confirm it', () => {
    // 500.00 on 2 March; nothing is asked until April, when 530.00 are told as -530.00, and what was listed meanwhile is lost.
    const turned = ledger(`
      depository
      03-01  balance 520.00
      03-02  -20.00 tea
      03-02  balance 500.00
      04-01  balance -530.00
      04-03  -30.00 wine
      04-03  balance -500.00
      04-20  balance -500.00
      04-21  -5.00 milk
      04-21  balance -495.00
      04-22  +70.00 wages
      04-22  balance -565.00
    `);
    expect(sureness(asOf(turned, '04-20')).at(-1)).toBe('04-01..04-20 estimated');
    expect([...deriveHistory(turned)!.columns.endCash].slice(-3)).toEqual([500_00, 495_00, 565_00]);
    expect(tell(turned)).toEqual([
      'Since 1 April 2026 the bank reports the balances of this account with the opposite sign. The history corrects them.',
      "Nothing was reported from 3 March 2026 to 31 March 2026. After that the bank's balance was $30.00 higher than its transactions explain.",
    ]);
  });

  it('one overpayment does not change the sign of a credit card whose transactions have the opposite sign', () => {
    // Spent 10.00 a day; the bank lists it as 10.00 in. The last payment is 5.00 more than was owed.
    const days = Array.from({ length: 20 }, (_, day) => ({ date: `03-${10 + day}`, owed: 100 + 10 * day }));
    const text = days.map(
      ({ date, owed }, day) => (day > 0 ? `${date}  10.00 tea\n` : '') + `${date}  balance -${owed}.00`,
    );
    const card = ledger(`credit_card\n${text.join('\n')}\n03-30  -295.00 payment\n03-30  balance 5.00`);
    expect([...deriveHistory(card)!.columns.endCash].slice(-2)).toEqual([290_00, -5_00]);
    expect(tell(card)[0]).toContain('the transactions of this account with the opposite sign');
  });

  it('days are estimated if balances on both sides of zero and mixed flows leave open which sign is reversed', () => {
    const days = (opening: number, amounts: readonly number[]) => {
      let balance = opening;
      const text = amounts.map((amount, day) => {
        balance += amount;
        const row = day > 0 ? `03-${12 + day}  ${amount < 0 ? amount : `+${amount}`}.00 tea or wages\n` : '';
        return `${row}03-${12 + day}  balance ${-balance}.00`;
      });
      return deriveHistory(ledger(`depository\n${text.join('\n')}`))!.certainty;
    };
    const spending = [0, ...Array.from({ length: 11 }, () => -10)];
    const all = (certainty: number) => spending.map(() => certainty);
    // Mostly in credit; or listed as what is spent, which rows in the other sign would not be.
    expect([...days(105, spending)]).toEqual(all(KNOWN));
    expect([...days(75, spending)]).toEqual(all(KNOWN));
    // Neither tells whether the balances are in the other sign or the transactions.
    expect([...days(75, [0, -40, 20, -40, 20, -40, 20, -40, 20, -40, 20, -40])]).toEqual(all(ESTIMATED));
  });

  it('balances are corrected however often their sign is reversed, with or without a 0 in between', () => {
    const turning = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.00 tea
      03-02  balance 480.00
      03-03  balance -480.00             # in the other sign for two days
      03-04  balance -480.00
      03-05  balance 480.00
      03-10  +100.00 gift
      03-10  balance 580.00
      03-11  balance 0.00                # none
      03-12  balance -580.00             # in the other sign for good
      03-20  -30.00 wine
      03-20  balance -550.00
      03-28  +70.00 wages
      03-28  balance -620.00
      04-05  balance -620.00
    `);
    expectDays(
      turning,
      `
        day          |  start | cash in | cash out |    end
        03-01        | 500.00 |         |          | 500.00
        03-02        | 500.00 |         |    20.00 | 480.00
        03-03..03-09 | 480.00 |         |          | 480.00
        03-10        | 480.00 |  100.00 |          | 580.00
        03-11..03-19 | 580.00 |         |          | 580.00
        03-20        | 580.00 |         |    30.00 | 550.00
        03-21..03-27 | 550.00 |         |          | 550.00
        03-28        | 550.00 |   70.00 |          | 620.00
        03-29..04-05 | 620.00 |         |          | 620.00
      `,
    );
    expect(tell(turning)).toEqual([
      'Since 11 March 2026 the bank reports the balances of this account with the opposite sign. The history corrects them.',
    ]);
  });

  it('the reversed balance of a brokerage account is corrected for securities and cash together', () => {
    const reversed = ledger(`
      investment
      03-01  balance 10,000.00, holding 50 ACME 5000.00
      03-02  -1,000.00 withdrawal
      03-02  balance -9,000.00, holding 50 ACME 5000.00
      03-03  balance -9,000.00, holding 50 ACME 5000.00
    `);
    expectDays(
      reversed,
      `
        day   |    start | cash out |    cash | non-cash |      end
        03-01 | 10000.00 |          | 5000.00 |  5000.00 | 10000.00
        03-02 | 10000.00 |  1000.00 | 4000.00 |  5000.00 |  9000.00
        03-03 |  9000.00 |          | 4000.00 |  5000.00 |  9000.00
      `,
    );
    expect(tell(reversed)).toContain(
      'Since 2 March 2026 the bank reports the balances of this account with the opposite sign. The history corrects them.',
    );
  });
});
