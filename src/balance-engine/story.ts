import type { DayNumber } from './ledger.js';

/** A difference between bank and feed that goes away within this time was a matter of timing. */
export const SETTLING_DAYS = 10;

/** How long a purchase is held before it is booked: another amount may be another hold. */
export const HOLD_DAYS = 6;

/** How long a balance may lag behind a change of level. */
const LAG_DAYS = 2;

/** What a story costs, relative to one lasting change that no entry explains. */
const COST = {
  lasting: 20,
  /** One that only undoes what was just listed. */
  echo: 32,
  /** To begin with something else than the first balance as it stands: in doubt, rows stay as they were. */
  beginning: 4,
  /** To begin with another level after all: the first balances had what was listed some days later. */
  corrected: 20,
  /** The same where the first balance can be read so by itself. */
  resumed: 10,
  /** A time of not being met: less than a change and its way back, so that what goes away by itself was timing. */
  excursion: 26,
  /** One that only undoes the change before it: that one did not last. */
  undone: 13,
  /** Each time it becomes another amount. */
  otherAmount: 15,
  /** The same for a level that was met once; twice as often, half of it. */
  unproven: 20,
  /** An observation soon after a change of level is still of the time before it. */
  lagging: 3,
} as const;

/** From an observation on, what no entry explains of the balance: the opening balance and everything that came unlisted. */
export interface Level {
  from: number;
  amountMinor: number;
}

/** What the observations of an account leave room for. */
export interface Evidence {
  /** The day of each observation, in order. */
  days: Float64Array;
  /** What it costs to believe that an observation meets a level; -1 when nothing could explain it. */
  cost: (index: number, amountMinor: number) => number;
  /** What the likeliest reading costs: less is never asked. */
  usualBits: number;
  /** What the likeliest reading costs with one entry turned round: what is met for less is met by a reading alone. */
  turnedBits: number;
  /** The level by itself: what entries leave unexplained of an observation where no story helps. */
  plain: (index: number) => number;
  /** The same by the plainest reading, balance and list as they stand. */
  asItStands: (index: number) => number;
  /** What it costs to believe that an observation meets no level because its entries are still to be listed. */
  pending: (index: number) => number;
  /** Every level that an observation meets, and what it costs to begin with it. */
  beginnings: (index: number) => ReadonlyMap<number, number>;
  /** Whether a change of level only undoes entries that were first listed with the observation: the balance had them. */
  isEcho: (index: number, change: number) => boolean;
}

/** One way to tell the observations so far: a sequence of levels, the last of which is in force. */
export interface Story {
  level: Level;
  before: Story | null;
  cost: number;
  /** By how many observations it was met. */
  met: number;
  /** What lagging observations cost until the level is met again: it could as well have been none. */
  depositBits: number;
  /** While no observation meets the level, the last day to wait for one; `null` when the last one did. */
  waitsUntil: DayNumber | null;
  unmetFrom: number;
  /** By how much observations differ from the level while they do not meet it. */
  offMinor: number;
}

/**
 * The stories in which the level changes at an observation, to any that it meets for less than a price.
 *
 * @param told what was the best story before the observation; `null` at the first one
 */
export function newStories(told: Story | null, evidence: Evidence, index: number, below: number): Story[] {
  const stories: Story[] = [];
  for (const [amountMinor, price] of evidence.beginnings(index)) {
    if (price < below) stories.push(newStory(told, evidence, { from: index, amountMinor }, price));
  }
  return stories;
}

function newStory(told: Story | null, evidence: Evidence, level: Level, price: number): Story {
  const { days, asItStands, isEcho } = evidence;
  const { from: index, amountMinor } = level;
  if (!told) return storyOf(level, null, price + (amountMinor === asItStands(index) ? 0 : COST.beginning));
  const isUndone = isEcho(index, amountMinor - told.level.amountMinor);
  if (days[index]! - days[0]! <= SETTLING_DAYS) {
    // The first balances may have had it already: then nothing changed at all.
    const first = { from: 0, amountMinor };
    const begun = begunCost(evidence, level);
    if (begun >= 0) return storyOf(first, null, price + Math.max(told.cost, begun) + COST.resumed);
    if (isUndone && !told.before) return storyOf(first, null, price + told.cost + COST.corrected);
  }
  return storyOf(level, told, price + told.cost + (isUndone ? COST.echo : COST.lasting));
}

function storyOf(level: Level, before: Story | null, cost: number): Story {
  return { level, before, cost, met: 1, depositBits: 0, waitsUntil: null, unmetFrom: 0, offMinor: 0 };
}

/**
 * What it costs to believe that all balances so far were of a level. One that cannot be read so costs as much as a
 * doubted entry, since a story is told of it that is no better. -1 if the first balance is in more doubt than that
 * saves; or if none of those since can be read so, while what is new is likelier still to be listed: then the entries of
 * the first day add up to it by chance.
 */
function begunCost(evidence: Evidence, { from, amountMinor }: Level): number {
  const { cost, pending, usualBits, turnedBits } = evidence;
  let total = cost(0, amountMinor);
  if (total < 0 || total >= usualBits + COST.resumed) return -1;
  let isBelieved = from === 1 || pending(from) > COST.lasting;
  for (let index = 1; index < from; index++) {
    const price = cost(index, amountMinor);
    if (price >= 0) isBelieved = true;
    total += price < 0 ? turnedBits : price;
  }
  return isBelieved ? total : -1;
}

/** Takes a story on to the next observation; `false` when it cannot go on. */
export function continueStory(story: Story, evidence: Evidence, index: number): boolean {
  const { cost } = evidence;
  const { amountMinor } = story.level;
  const price = cost(index, amountMinor);
  const offPrice = story.waitsUntil === null ? -1 : cost(index, amountMinor + story.offMinor);
  if (price >= 0 && (offPrice < 0 || price <= offPrice)) {
    story.cost += price - story.depositBits;
    story.depositBits = 0;
    story.waitsUntil = null;
    story.met++;
    return true;
  }
  if (offPrice >= 0) {
    story.cost += offPrice;
    return evidence.days[index]! <= story.waitsUntil!;
  }
  const laggingPrice = lagCost(story, evidence, index);
  if (laggingPrice < 0) return isOff(story, evidence, index);
  const depositBits = story.depositBits || COST.excursion;
  story.cost += laggingPrice + depositBits - story.depositBits;
  story.depositBits = depositBits;
  return true;
}

/** From an observation on the level is not met, or by another amount than before; `false` when it was waited for too long. */
function isOff(story: Story, { days, cost, plain, pending }: Evidence, index: number): boolean {
  const { level, before, waitsUntil } = story;
  const day = days[index]!;
  if (before && cost(index, before.level.amountMinor) >= 0) story.cost += COST.undone;
  if (waitsUntil === null) {
    story.cost += Math.min(pending(index), COST.excursion) + COST.unproven / story.met;
    story.unmetFrom = index;
    story.offMinor = plain(index) - level.amountMinor;
    story.waitsUntil = day + SETTLING_DAYS;
    return true;
  }
  story.cost += COST.otherAmount;
  // What is as much as it was at first was there all the time; only what came on top of it was another hold.
  const first = plain(story.unmetFrom);
  const isAsFirst = cost(index, first) >= 0;
  story.offMinor = (isAsFirst ? first : plain(index)) - level.amountMinor;
  story.waitsUntil = isAsFirst ? days[story.unmetFrom]! + SETTLING_DAYS : Math.max(waitsUntil, day + HOLD_DAYS);
  return day <= waitsUntil;
}

/** What it costs to believe that a balance is still of the time before the level; -1 when it is not. */
function lagCost({ level, before, waitsUntil }: Story, { days, cost }: Evidence, index: number): number {
  if (!before || waitsUntil !== null || days[index]! - days[level.from]! > LAG_DAYS) return -1;
  const price = cost(index, before.level.amountMinor);
  return price < 0 ? -1 : price + COST.lagging;
}

/** What a story pays to meet an observation; without end where it does not meet it, or has to show itself again. */
export function paidBy({ level, waitsUntil, depositBits }: Story, { cost }: Evidence, index: number): number {
  return waitsUntil !== null || depositBits > 0 ? Infinity : cost(index, level.amountMinor);
}
