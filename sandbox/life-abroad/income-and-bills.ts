import { bankText, type EntryText, type Habit } from '../life/diary.js';
import type { DiaryDay } from '../life/day.js';
import { onTheDay } from '../life/income-and-bills.js';
import { randomStream, wholeBetween } from '../random.js';
import type { AbroadKey } from './accounts.js';

interface Standing {
  account: AbroadKey;
  dueOn: number;
  /** Lowest and highest amount; equal for a fixed one. */
  cents: readonly [number, number];
  text: EntryText;
}

const STANDING: readonly Standing[] = [
  standing('current', 25, 291_240, transferText('ATELIER MOREL SARL', 'SALARIS')),
  standing('current', 1, -108_000, transferText('VVE KEIZERSKADE 12', 'HUUR')),
  standing('current', 5, [-14_200, -8_600], transferText('POLDERSTROOM NV', 'TERMIJNBEDRAG ENERGIE')),
  standing('current', 9, -4_450, transferText('GLASNET BV', 'INTERNET')),
  standing('current', 12, -13_975, transferText('ZORGZAAM VERZEKERINGEN', 'PREMIE')),
  standing('card', 4, -1_399, bankText('CINEFIL STREAMING', 'Cinéfil')),
  standing('card', 17, -1_050, bankText('MELODIA', 'Melodia')),
  standing('sterling', 3, [38_000, 61_000], bankText('BGC HARROW & FINCH LTD', 'Harrow & Finch')),
  standing('sterling', 15, -1_200, bankText('DD ALLOTMENT SOCIETY', 'Allotment Society')),
  standing('yen', 25, 38_400, bankText('振込 カ)アオバシヤ', '青葉社')),
  standing('yen', 27, -4_180, bankText('口座振替 ミナトデンワ', '港電話')),
];

export function standingHabits(seed: string): Habit<AbroadKey>[] {
  return STANDING.map(({ account, dueOn, cents, text }) => (day) => {
    if (!day.due.has(dueOn)) return [];
    const random = randomStream(`${seed} ${text.description} ${text.memo} ${day.number}`);
    return [onTheDay(account, day, wholeBetween(random, ...cents), text)];
  });
}

/** The savings' interest, once a quarter. */
export const quarterlyInterest: Habit<AbroadKey> = (day, diary) => {
  if (!isEndOfQuarter(day)) return [];
  const interest = Math.round((diary.cashMinor('savings', day.number - 1) * 2) / 400);
  return interest > 0 ? [onTheDay('savings', day, interest, bankText('RÄNTA', 'Ränta'))] : [];
};

function isEndOfQuarter({ isLastOfMonth, month }: DiaryDay): boolean {
  return isLastOfMonth && month % 3 === 0;
}

function standing(
  account: AbroadKey,
  dueOn: number,
  cents: number | readonly [number, number],
  text: EntryText,
): Standing {
  return { account, dueOn, cents: typeof cents === 'number' ? [cents, cents] : cents, text };
}

/** The bank gives a raw memo of several lines and no name. */
function transferText(party: string, purpose: string): EntryText {
  return bankText('', '', `SEPA OVERBOEKING\nNAAM: ${party}\nOMSCHRIJVING: ${purpose}`);
}
