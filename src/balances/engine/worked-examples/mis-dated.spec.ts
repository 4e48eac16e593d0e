import { expectDays } from '../../../../test/support/days-text.js';
import { tell } from '../../../../test/support/findings-text.js';
import { asOf, ledger } from '../../../../test/support/ledger-text.js';
import { sureness } from '../../../../test/support/sureness-text.js';

const PROVEN = `
  depository
  03-01  +100.00 gift, listed 03-10
  03-10  balance 500.00
  03-11   -20.00 tea
  03-11  balance 480.00
  03-12   -30.00 wine
  03-12  balance 450.00
  03-13  balance 450.00
`;
const DAYS = `
  day          |  start | cash in | cash out |    end
  03-01        | 400.00 |  100.00 |          | 500.00
  03-02..03-10 | 500.00 |         |          | 500.00
  03-11        | 500.00 |         |    20.00 | 480.00
  03-12        | 480.00 |         |    30.00 | 450.00
  03-13..03-14 | 450.00 |         |          | 450.00
`;
const WITHDRAWN = 'The bank withdrew $12.34 that it had listed on 5 January 2026: it no longer counts.';

describe('a transaction with a wrong date long before all others', () => {
  it('a transaction with a wrong old date leaves only a finding once it is withdrawn', () => {
    const written = ledger(`
      ${PROVEN}
      01-05   -12.34 [9] lunch, listed 03-13, until 03-14
      03-14  balance 450.00
      03-16   -10.00 bread
      03-16  balance 440.00
      03-17   -10.50 cheese
      03-17  balance 429.50
    `);
    expectDays(asOf(written, '03-14'), DAYS);
    expect(sureness(written)).toEqual(['03-01..03-17 known']);
    expect(tell(written)).toEqual([WITHDRAWN]);
  });

  it('a transaction listed for weeks with a wrong old date leaves only a finding once it is withdrawn', () => {
    const written = ledger(`
      ${PROVEN}
      01-05   -12.34 [9] lunch, listed 03-13, until 04-02
      04-02  balance 450.00
      04-03  balance 450.00
      04-20  balance 450.00
    `);
    expectDays(written, DAYS.replace('03-13..03-14', '03-13..04-20'));
    expect(tell(written)).toEqual([WITHDRAWN]);
  });

  it('a transaction with a wrong old date counts on its right day once the bank corrects it', () => {
    const written = ledger(`
      ${PROVEN}
      01-05   -12.34 [9] lunch, listed 03-13, until 03-14
      03-14   -12.34 [9] lunch, listed 03-14
      03-14  balance 437.66
    `);
    expectDays(
      written,
      `
        ${DAYS.replace('03-13..03-14', '03-13')}
        03-14        | 450.00 |         |    12.34 | 437.66
      `,
    );
    expect(tell(written)).toEqual([]);
  });
});
