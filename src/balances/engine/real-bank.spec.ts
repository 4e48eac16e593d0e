import { readBankFile } from '../../../test/support/real-bank/bank-file.js';
import { FAULTLESS, FAULTY, playAccount } from '../../../test/support/real-bank/play-weekly.js';
import { derive } from '../../../test/support/simulator/play.js';

/** Books of a real bank, synced once a week for more than a year. `npm run real-bank -- --weekly FILE` plays all of a file. */
describe("a real bank's books, synced weekly", () => {
  const accounts = [...readBankFile('test/data/bank-1993-1994-sample.csv.gz', '2026-01-01')];

  it('every determined day of the books of a real bank is right after every weekly sync', () => {
    for (const [account, rows] of accounts) {
      const { score, everSilentlyWrong } = playAccount(account, rows, FAULTLESS, derive);
      expect({ account, everSilentlyWrong, right: score.right }).toEqual({
        account,
        everSilentlyWrong: 0,
        right: score.knowable,
      });
    }
  });

  it('no day of a real bank is wrong and unmarked if transactions are listed twice or back-dated', () => {
    const silent = accounts.filter(([name, rows]) => playAccount(name, rows, FAULTY, derive).everSilentlyWrong > 0);
    expect(silent.map(([name]) => name)).toEqual([]);
  });
});
