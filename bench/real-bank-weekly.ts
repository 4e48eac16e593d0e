import { FAULTLESS, FAULTY, playAccount, type PlayedAccount } from '../test/support/real-bank/play-weekly.js';
import { readBankFile } from '../test/support/real-bank/bank-file.js';
import { derive } from '../test/support/simulator/play.js';
import { showProgress } from './progress.js';

/**
 * Plays a bank's own books week by week, without faults and with rows delivered twice and dated back, and counts the
 * accounts that are wrong without saying so.
 */
export function playWeekly(file: string, most = Infinity): void {
  const accounts = [...readBankFile(file, '2026-01-01')].slice(0, most);
  for (const [title, bank] of [
    ['weekly syncs', FAULTLESS],
    ['weekly syncs, 2 % of rows twice, 10 % dated back', FAULTY],
  ] as const) {
    const played: PlayedAccount[] = [];
    for (const [name, rows] of accounts) {
      played.push(playAccount(name, rows, bank, derive));
      showProgress(`${title}: ${played.length} of ${accounts.length} accounts`);
    }
    showProgress('');
    const sum = (of: (one: PlayedAccount) => number) => played.reduce((total, one) => total + of(one), 0);
    const count = (is: (one: PlayedAccount) => boolean) => played.filter(is).length;
    const total = sum(({ score }) => score.knowable + score.others);
    const right = sum(({ score }) => score.right + score.othersRight);
    const marked = sum(({ score }) => score.marked);
    console.log(title);
    console.log(`  accounts, account-days                ${played.length}, ${sum(({ days }) => days)}`);
    console.log(`  account-days over all syncs, exact    ${total}, ${right}`);
    console.log(
      `  wrong, marked as not certain          ${sum(({ score }) => score.wrongMarked + score.othersWrongMarked)}`,
    );
    console.log(`  wrong silently                        ${sum((one) => one.everSilentlyWrong)}`);
    console.log(`  marked, with reason                   ${marked}, ${sum(({ score }) => score.markedRightly)}`);
    console.log(`  accounts silently wrong at the end    ${count((one) => one.silentlyWrong > 0)}`);
    console.log(`  accounts silently wrong at any sync   ${count((one) => one.everSilentlyWrong > 0)}`);
  }
}
