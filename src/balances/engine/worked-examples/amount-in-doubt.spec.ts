import { doubts } from '../../../../test/support/sureness-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';

describe('the amount in doubt of a day', () => {
  it('days without doubt have no amount in doubt', () => {
    const proven = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.00 tea
      03-02  balance 480.00
      03-03  -30.00 wine
      03-03  balance 450.00
    `);
    expect(doubts(proven)).toEqual([]);
  });

  it('a newest balance that includes pending transactions would be without them', () => {
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
    expect(doubts(including)).toEqual(['03-06..03-06 20.00']);
  });

  it('an open difference is in doubt: before it the balance may have moved already, after it it may not have moved', () => {
    const open = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.00 tea
      03-02  balance 480.00
      03-03  -30.00 wine
      03-03  balance 450.00
      03-04  balance 437.60      # 12.40 are missing
      03-05  balance 437.60
    `);
    expect(doubts(open)).toEqual(['03-03..03-03 -12.40', '03-04..03-05 12.40']);
    expect(doubts(asOf(open, '03-03'))).toEqual([]);
  });

  it('what an unlisted change moved is in doubt on the days on which it may have moved the balance', () => {
    const fee = ledger(`
      depository
      03-01  balance 500.00
      03-02  -20.00 tea
      03-02  balance 480.00
      03-03  -30.00 wine
      03-03  balance 450.00
      03-07  balance 448.10      # a fee of 1.90
      03-12   -8.10 bread
      03-12  balance 440.00
      03-20  -40.00 shoes
      03-20  balance 400.00
    `);
    expect(doubts(fee)).toEqual(['03-03..03-06 -1.90']);
  });

  it('the amounts of a debt are in doubt by what would be owed', () => {
    const card = ledger(`
      loan
      03-01  balance -500.00
      03-02  +20.00 payment
      03-02  balance -480.00
      03-03  +30.00 payment
      03-03  balance -450.00
      03-04  balance -462.40     # interest, unlisted
    `);
    expect(doubts(card)).toEqual(['03-03..03-03 12.40', '03-04..03-04 -12.40']);
  });

  it('a first balance may lack the transactions beside it, and the past is in doubt by as much', () => {
    const first = ledger(`
      depository
      03-01  -20.00 tea
      03-03  balance 450.00
    `);
    expect(doubts(first)).toEqual(['03-01..03-03 -20.00']);
  });

  it('days before the first report that nothing has confirmed are in doubt by an unknown amount', () => {
    const unproven = ledger(`
      depository
      03-01  +100.00 gift, listed 03-10
      03-10  balance 500.00
    `);
    expect(doubts(unproven)).toEqual(['03-01..03-09 ?']);
  });
});
