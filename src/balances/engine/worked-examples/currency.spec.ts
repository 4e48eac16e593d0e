import { expectDays } from '../../../../test/support/days-text.js';
import { ledger } from '../../../../test/support/ledger-text.js';

describe('the decimals of a currency', () => {
  it('amounts in a currency without decimals are counted in whole units', () => {
    expectDays(
      ledger(`
        depository in JPY
        03-01  +100,000
        03-02  -980
        03-02  balance 120,020
      `),
      `
        day   |  start | cash in | cash out |    end
        03-01 |  21000 |  100000 |          | 121000   # 120020 + 980 - 100000
        03-02 | 121000 |         |      980 | 120020
      `,
    );
  });

  it.each(['KWD', 'BHD'])('amounts in a currency with three decimals are counted to the thousandth (%s)', (code) => {
    expectDays(
      ledger(`
        depository in ${code}
        03-01  +10.125
        03-02  -0.001
        03-02  balance 12.345
      `),
      `
        day   |  start | cash in | cash out |    end
        03-01 |  2.221 |  10.125 |          | 12.346   # 12.345 + 0.001 - 10.125
        03-02 | 12.346 |         |    0.001 | 12.345
      `,
    );
  });

  it('amounts in a currency with four decimals are counted to the last of them', () => {
    expectDays(
      ledger(`
        depository in CLF
        03-01  +0.0001
        03-01  balance 1.0000
      `),
      `
        day   |  start | cash in |    end
        03-01 | 0.9999 |  0.0001 | 1.0000
      `,
    );
  });
});
