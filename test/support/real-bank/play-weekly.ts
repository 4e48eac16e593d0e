import { randomStream } from '../../../sandbox/random.js';
import { daysBetween } from '../../../src/platform/time/calendar-date.js';
import { type Bank, PERFECT_BANK } from '../simulator/bank.js';
import { changeRows } from '../simulator/change-rows.js';
import { Diary } from '../simulator/diary.js';
import { syncMoments } from '../simulator/feed.js';
import type { Member } from '../simulator/household.js';
import { type Engine, play } from '../simulator/play.js';
import { emptyScore, type Score } from '../simulator/score.js';
import { FIRST_DAY, FIRST_SYNC_DAY, type Span } from '../simulator/span.js';
import type { TrueAccount } from '../simulator/truth.js';
import type { BankRow } from './bank-file.js';

/** Real books, told by a bank with the faults that hurt most: rows delivered twice, and rows dated back. */
export const FAULTY: Bank = {
  ...PERFECT_BANK,
  syncEveryDays: 7,
  backDating: { share: 0.1, days: [1, 5] },
  rows: { ...PERFECT_BANK.rows, doubled: 0.02 },
};

export const FAULTLESS: Bank = { ...PERFECT_BANK, syncEveryDays: 7 };

const SEED = 'real bank';

export interface PlayedAccount {
  account: string;
  score: Score;
  /** Past days that were wrong after the last sync and not marked as uncertain; and the same over all syncs. */
  silentlyWrong: number;
  everSilentlyWrong: number;
  days: number;
}

/** Syncs a real account week by week for as long as its books go. */
export function playAccount(name: string, rows: readonly BankRow[], bank: Bank, engine: Engine): PlayedAccount {
  const days = daysBetween(rows[0]!.date, rows.at(-1)!.date) + 1;
  const span: Span = { first: FIRST_DAY, last: FIRST_DAY + days };
  const member: Member = { account: toTrueAccount(name, rows, bank), bank };
  const played = { account: name, score: emptyScore(), silentlyWrong: 0, everSilentlyWrong: 0, days };
  const lastSync = syncMoments(member, FIRST_SYNC_DAY, span.last, SEED).at(-1);
  play(member, span, SEED, engine, played.score, (_member, _day, { observation }, verdict) => {
    if (verdict !== 'wrong' && verdict !== 'wrong, not determined') return;
    played.everSilentlyWrong++;
    if (observation.observedAt === lastSync) played.silentlyWrong++;
  });
  return played;
}

/** The bank rounds in steps of 0.10. Amounts are taken as what the printed balance moved by: then it is true throughout. */
function toTrueAccount(name: string, rows: readonly BankRow[], bank: Bank): TrueAccount {
  const random = randomStream(`real bank/${name}`);
  const diary = new Diary(bank, random);
  let before = 0;
  for (const { date, balanceMinor } of rows) {
    diary.book(FIRST_DAY + daysBetween(rows[0]!.date, date), balanceMinor - before);
    before = balanceMinor;
  }
  const { movements, holds } = diary;
  const empty = { stakes: [], prices: new Map(), valuations: new Map() };
  const account: TrueAccount = {
    name,
    type: 'depository',
    openingMinor: 0,
    movements,
    extraRows: [],
    holds,
    accruesPerDayMinor: 0,
    ...empty,
  };
  changeRows(account, bank, random);
  return account;
}
