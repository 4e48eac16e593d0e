import { holdAgainst, tell } from '../../../../test/support/findings-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

const FEE = ledger(`
  depository
  03-01  +1,000.00 salary
  03-01  balance 1000.00
  03-02  balance 1000.00
  03-03  balance 987.60
  03-05   -50.00 groceries
  03-05  balance 937.60
  03-20  balance 937.60
`);

describe('findings of a difference between balance and transactions', () => {
  it('an open difference has a finding with its first day and its amount', () => {
    expect(tell(asOf(FEE, '03-05'))).toEqual([
      "Since 3 March 2026 the bank's balance is $12.40 lower than its transactions explain. It may still sort itself out.",
    ]);
    expect(holdAgainst(asOf(FEE, '03-05'))).toEqual([
      '03-01: reported 1000.00, derived 1000.00, difference 0.00',
      '03-02: reported 1000.00, derived 1000.00, difference 0.00',
      '03-03: reported 987.60, derived 1000.00, difference -12.40',
      '03-05: reported 937.60, derived 950.00, difference -12.40',
    ]);
  });

  it('a difference that has lasted has a finding of its day and no longer counts as open at later balances', () => {
    expect(tell(FEE)).toEqual(["On 3 March 2026 the bank's balance fell by $12.40, which no transaction explains."]);
    expect(holdAgainst(FEE).slice(2)).toEqual([
      '03-03: reported 987.60, derived 987.60, difference 0.00',
      '03-05: reported 937.60, derived 937.60, difference 0.00',
      '03-20: reported 937.60, derived 937.60, difference 0.00',
    ]);
  });

  it('a difference that went away has no finding and is shown only at the reports that had it', () => {
    const gone = ledger(`
      depository
      03-01  balance 1000.00
      03-02  balance 1000.00
      03-03  balance 940.00
      03-04  balance 1000.00
    `);
    expect(tell(gone)).toEqual([]);
    expect(holdAgainst(gone)[2]).toBe('03-03: reported 940.00, derived 1000.00, difference -60.00');
  });

  it('several open differences have one finding, dated to the day of the first', () => {
    const twice = ledger(`
      depository
      03-01  balance 1000.00
      03-02  balance 1000.00
      03-05  balance 990.00
      03-07  balance 985.00
    `);
    expect(tell(twice)).toEqual([
      "Since 5 March 2026 the bank's balance is $15.00 lower than its transactions explain. It may still sort itself out.",
    ]);
  });

  it('the finding of a difference of a credit card describes it as a change of the debt', () => {
    const interest = ledger(`
      credit_card
      03-01  balance -100.00
      03-02  balance -100.00
      03-10  balance -101.90
      03-25  balance -101.90
    `);
    const unsure =
      'The bank does not say whether its balance is owed or a credit. Until its transactions show otherwise, it counts as owed.';
    expect(tell(asOf(interest, '03-10'))).toEqual([
      unsure,
      'Since 10 March 2026 the reported debt is $1.90 higher than its transactions explain. It may still sort itself out.',
    ]);
    expect(holdAgainst(asOf(interest, '03-10')).at(-1)).toBe('03-10: reported 101.90, derived 100.00, difference 1.90');
    expect(tell(interest)).toEqual([
      unsure,
      'On 10 March 2026 the reported debt rose by $1.90, which no transaction explains.',
    ]);
  });

  it('a difference of twice a transaction is named as its opposite sign', () => {
    const refund = ledger(`
      depository
      03-01  balance 100.00
      03-02  -10.00 tea
      03-02  balance 90.00
      03-03  -20.00 refund         # listed as a purchase
      03-03  balance 110.00
      03-04  -5.00 jam
      03-04  balance 105.00
      03-05  -7.00 figs
      03-05  balance 98.00
      03-20  balance 98.00
    `);
    expect(tell(refund)).toEqual([
      'On 3 March 2026 a transaction of $20.00 is listed with the opposite sign: the balance moved the other way. The history corrects it.',
    ]);
  });

  it('the finding of a difference states its amount in the currency of the account', () => {
    const yen = ledger(`
      depository in JPY
      03-01  balance 1000
      03-02  balance 1000
      03-03  balance 1700
    `);
    expect(tell(yen)[0]).toContain('¥700 higher');
  });
});

describe('findings of transactions listed late', () => {
  it('a transaction listed a day after the balance includes it leaves neither a finding nor a difference', () => {
    const late = ledger(`
      depository
      03-01  balance 1000.00
      03-02  balance 1000.00
      03-03   -40.00 dinner, listed 03-04
      03-03  balance 960.00
      03-04  balance 960.00
    `);
    expect(tell(late)).toEqual([]);
    expect(holdAgainst(late)[2]).toBe('03-03: reported 960.00, derived 960.00, difference 0.00');
  });
});

describe('findings of a balance that lags behind', () => {
  it('a balance that lags behind the listed transactions has a timing finding for the newest balance only', () => {
    const behind = ledger(`
      depository
      03-01  balance 1000.00
      03-02   -40.00 dinner
      03-02  balance 1000.00
      03-03   -10.00 tea
      03-03  balance 960.00
      03-04   -5.00 milk
      03-04  balance 950.00      # each balance is of the day before
    `);
    expect(tell(behind)).toEqual([
      "On 4 March 2026 the bank's balance was $5.00 higher than its transactions explain, because the balance and the transactions were taken at different times. This will sort itself out.",
    ]);
    expect(holdAgainst(behind).every((line) => line.endsWith('difference 0.00'))).toBe(true);
  });

  it('a balance that lacks one of the transactions listed with it has a timing finding', () => {
    const lacking = ledger(`
      depository
      03-01  balance 1000.00
      03-02  balance 1000.00
      03-03   -20.00 shoes
      03-03   -30.00 books
      03-03  balance 980.00      # the shoes are in it, the books are not
    `);
    expect(tell(lacking)).toEqual([
      "On 3 March 2026 the bank's balance was $30.00 higher than its transactions explain, because the balance and the transactions were taken at different times. This will sort itself out.",
    ]);
    expect(holdAgainst(lacking).at(-1)).toBe('03-03: reported 980.00, derived 980.00, difference 0.00');
  });
});

describe('findings of a gap in the reports', () => {
  it('a gap has a finding with the difference if the balance after it is not explained', () => {
    const lapsed = ledger(`
      depository
      03-01  balance 1000.00
      03-03  balance 1000.00
      05-02  balance 660.00
      05-03  balance 660.00
    `);
    expect(tell(lapsed)).toEqual([
      "Nothing was reported from 4 March 2026 to 1 May 2026. After that the bank's balance was $340.00 lower than its transactions explain.",
    ]);
  });

  it('a gap has no finding if the transactions explain the balance after it', () => {
    const explained = ledger(`
      depository
      03-01  balance 1000.00
      03-20  -340.00 rent, listed 05-02
      05-02  balance 660.00
    `);
    expect(tell(explained)).toEqual([]);
  });

  it('a gap in the reports of an investment account always has a finding', () => {
    const market = ledger(`
      investment
      03-01  balance 1000.00, holding 10 ACME 1000.00
      05-02  balance 1100.00, holding 10 ACME 1100.00
    `);
    expect(tell(market)).toEqual([
      'The value before 1 March 2026 is unknown.',
      'Nothing was reported from 2 March 2026 to 1 May 2026: these days keep the last known value.',
    ]);
  });
});

describe('findings of the reporting conventions of a bank', () => {
  it('a balance that includes pending transactions has a finding with the amount they add today', () => {
    const including = ledger(`
      depository
      03-01  balance 500.00
      03-02  balance 460.00, holds -40.00
      03-03  balance 445.00, holds -40.00 -15.00
      03-04   -40.00 the first is booked
      03-04  balance 445.00, holds -15.00
      03-05  balance 460.00
    `);
    const habit = "The bank's balance includes pending transactions, which count here once they are posted.";
    expect(tell(asOf(including, '03-04'))).toEqual([`${habit} Today they make the bank's balance $15.00 lower.`]);
    expect(tell(including)).toEqual([habit]);
  });

  it('pending transactions in the balance and a balance that lags behind have separate findings', () => {
    const both = ledger(`
      depository
      03-01  balance 500.00
      03-02  balance 460.00, holds -40.00
      03-03  balance 445.00, holds -40.00 -15.00
      03-04   -40.00 the first is booked
      03-04  balance 445.00, holds -15.00
      03-05  balance 460.00
      03-06   -4.00 tea
      03-06  balance 455.00, holds -5.00       # the hold is in it, the tea is not
    `);
    expect(tell(both)).toEqual([
      expect.stringContaining("Today they make the bank's balance $5.00 lower."),
      expect.stringContaining("On 6 March 2026 the bank's balance was $4.00 higher than its transactions explain"),
    ]);
  });

  it('a debt reported as a positive number has a finding, before and after the sign convention is known', () => {
    const positive = ledger(`
      credit_card
      03-01  balance 500.00
      03-02  -100.00 shoes
      03-02  balance 600.00
      03-03  -10.00 socks
      03-03  balance 610.00
    `);
    expect(tell(asOf(positive, '03-01'))).toEqual([
      'The bank does not say whether its balance is owed or a credit. Until its transactions show otherwise, it counts as credit.',
    ]);
    expect(tell(positive)).toEqual(['The bank reports this debt as a positive number.']);
    expect(holdAgainst(positive).at(-1)).toBe('03-03: reported 610.00, derived 610.00, difference 0.00');
  });
});

describe('findings of what is not known', () => {
  it('a crypto account without listed holdings has findings that its earlier value and its market gains are unknown', () => {
    const unseen = ledger(`
      crypto
      03-01  balance 100.00
      03-02  balance 120.00
    `);
    expect(tell(unseen)).toEqual([
      'The value before 1 March 2026 is unknown.',
      'The provider does not list holdings, so market gains cannot be told from deposits and withdrawals.',
    ]);
    expect(holdAgainst(unseen).at(-1)).toBe('03-02: reported 120.00, derived 120.00, difference 0.00');
  });

  it('an account without a reported balance has no findings', () => {
    expect(tell(asOf(FEE, '02-01'))).toEqual([]);
  });
});
