import type { Ledger } from '../../../src/balances/engine/ledger.js';
import { Books } from './books.js';
import { type Report, report, reportOf, syncMoments } from './feed.js';
import { inventHousehold, type Member } from './household.js';
import { KINDS } from './kinds.js';
import { knowableDays } from './knowable.js';
import { Knowledge } from './knowledge.js';
import { ledgerAt, type ListedRow, listRows } from './listed-rows.js';
import { derive, play, trueEndOf } from './play.js';
import { emptyScore } from './score.js';
import { FIRST_SYNC_DAY, spanOf } from './span.js';
import { DAY_MS } from './truth.js';

/** An account of a simulated household, and how its books may be told otherwise. */
export interface SecondTruth {
  scenario: string;
  seed: number;
  account: string;
  /** The last day, counted from the first sync, at whose end the engine tells a day otherwise than the simulator. */
  until: number;
  retell: (books: Books) => void;
}

export interface Comparison {
  /** All that is told until then: by the simulator's books, and by the second ones. */
  feed: Ledger;
  secondFeed: Ledger;
  /** The rows that are wrong by the simulator's books, and what the second ones say there. */
  told: Row[];
  secondlyTrue: Row[];
  /** Whether the scores count some of these days by the second books as well: then no engine is right by both. */
  isScoredTwice: boolean;
}

/** A day, counted from the first sync, and its end balance in the stored sign, as told by a sync. */
type Row = [sync: number, day: number, endMinor: number];

/** Plays an account until a day by the simulator's books and by the second ones, through the same code. */
export function compare({ scenario, seed, account, until, retell }: SecondTruth): Comparison {
  const name = `${scenario}/${seed}`;
  const span = spanOf(until);
  const invent = () => inventHousehold(name, KINDS[scenario]!, span).find((member) => member.account.name === account)!;
  const member = invent();
  const books = new Books(invent().account, member.bank);
  retell(books);
  const moments = syncMoments(member, FIRST_SYNC_DAY, span.last, name);
  const balanceOf = (moment: number) => report(member, moment, name).balanceOf;
  const first = feedOf(member, moments, balanceOf, name);
  const second = feedOf(books, moments, (moment) => books.balanceOf.get(moment) ?? balanceOf(moment), name);
  const told: Row[] = [];
  const secondlyTrue: Row[] = [];
  let isScoredTwice = false;
  const trueEnd = trueEndOf(member, span, moments.at(-1)!);
  const secondEnd = trueEndOf(books, span, moments.at(-1)!);
  play(member, span, name, derive, emptyScore(), (_member, day, { observation }, verdict, offMinor) => {
    if (verdict !== 'wrong' && verdict !== 'wrong, marked') return;
    const where = [observation.observedAt / DAY_MS - FIRST_SYNC_DAY, day - FIRST_SYNC_DAY] as const;
    told.push([...where, trueEnd(day) + offMinor]);
    secondlyTrue.push([...where, secondEnd(day)]);
    isScoredTwice ||= isKnowable(books, second, moments.indexOf(observation.observedAt), span.first, day);
  });
  return { feed: first.ledger, secondFeed: second.ledger, told, secondlyTrue, isScoredTwice };
}

interface Feed {
  reports: readonly Report[];
  rows: readonly ListedRow[];
  ledger: Ledger;
}

function feedOf(member: Member, moments: readonly number[], balanceOf: (moment: number) => number, seed: string): Feed {
  const reports = moments.map((moment) => reportOf(member, moment, balanceOf(moment), seed));
  const rows = listRows(member, moments);
  const observations = reports.map(({ observation }) => observation);
  return { reports, rows, ledger: ledgerAt(member, rows, observations, moments.at(-1)!) };
}

function isKnowable(member: Member, { reports, rows }: Feed, sync: number, firstDay: number, day: number): boolean {
  const knowledge = new Knowledge(member, rows, FIRST_SYNC_DAY);
  for (const report of reports.slice(0, sync + 1)) knowledge.add(report);
  return knowableDays(knowledge, firstDay, reports[sync]!.observation.day)[day - firstDay] === 1;
}
