import type { DayNumber } from './ledger.js';

/** A difference between bank and feed that goes away within this time was a matter of timing. */
export const SETTLING_DAYS = 10;

/** How long a balance may lag behind a change of level. */
const LAG_DAYS = 2;

/** What a story costs, relative to one lasting change that no entry explains. */
export const COST = {
  lasting: 20,
  /** One that only undoes what was just listed. */
  echo: 32,
  /** To begin with something else than the first balance as it stands: in doubt, rows stay as they were. */
  beginning: 4,
  /** To begin with another level after all: the first balances had what was listed some days later. */
  corrected: 20,
  /** A time of not being met: less than a change and its way back, so that what goes away by itself was timing. */
  excursion: 26,
  /** Each time it becomes another amount. */
  otherAmount: 15,
  /** The same for a level that was met once; twice as often, half of it. */
  unproven: 20,
  /** An observation soon after a change of level is still of the time before it. */
  lagging: 3,
  /** A story this much dearer than the best is not followed any more: room for one that has to wait at once. */
  hopeless: 40,
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
  /** What the likeliest reading costs with one entry turned round: what is met for less is met by a reading alone. */
  turnedBits: number;
  /** The level by itself: what entries leave unexplained of an observation where no story helps. */
  plain: (index: number) => number;
  /** What it costs to believe that an observation meets no level because its entries are still to be listed. */
  pending: (index: number) => number;
  /** Every level that an observation meets, and what it costs to begin with it. */
  beginnings: (index: number) => ReadonlyMap<number, number>;
  /** Whether a change of level only undoes entries that were first listed with the observation: the balance had them. */
  isEcho: (index: number, change: number) => boolean;
}

interface Story {
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
 * The cheapest story: the one with the fewest lasting changes that no entry explains, in which every observation is met
 * to the minor unit or lies in a time of settling.
 *
 * @param limit what another explanation costs: `null` as soon as this one is not cheaper
 */
export function findLevels(evidence: Evidence, limit = Infinity): { levels: Level[]; cost: number } | null {
  let stories: Story[] = [];
  let best: Story | null = null;
  for (let index = 0; index < evidence.days.length; index++) {
    const before: Story | null = best && { ...best };
    stories = stories.filter((story) => continueStory(story, evidence, index));
    best = cheapest(stories);
    if (!best || best.waitsUntil !== null || best.depositBits > 0) {
      stories.push(...newStories(stories, before, evidence, index));
      best = cheapest(stories)!;
    }
    if (best.cost >= limit) return null;
    const hopeless = best.cost + COST.hopeless;
    if (stories.length > 1) stories = stories.filter(({ cost }) => cost <= hopeless);
  }
  return { levels: best ? [...told(best, evidence), ...openLevels(best, evidence)] : [], cost: best?.cost ?? 0 };
}

/** The stories in which the level changes at an observation, to any that it meets. */
function newStories(stories: readonly Story[], before: Story | null, evidence: Evidence, index: number): Story[] {
  const known = new Set(stories.map(({ level }) => level.amountMinor));
  return [...evidence.beginnings(index)]
    .filter(([amountMinor]) => !known.has(amountMinor))
    .map(([amountMinor, price]) => newStory(before, evidence, index, amountMinor, price));
}

function newStory(
  before: Story | null,
  { days, plain, isEcho }: Evidence,
  index: number,
  amountMinor: number,
  price: number,
): Story {
  const level = { from: index, amountMinor };
  const fresh = { level, before, met: 1, depositBits: 0, waitsUntil: null, unmetFrom: 0, offMinor: 0 };
  if (!before) return { ...fresh, cost: price + (amountMinor === plain(index) ? 0 : COST.beginning) };
  const cost = price + before.cost;
  if (!isEcho(index, amountMinor - before.level.amountMinor)) return { ...fresh, cost: cost + COST.lasting };
  // Soon after the beginning the first balances had it already: there was no change at all.
  const isBeginning = !before.before && days[index]! - days[0]! <= SETTLING_DAYS;
  if (isBeginning) return { ...fresh, level: { from: 0, amountMinor }, before: null, cost: cost + COST.corrected };
  return { ...fresh, cost: cost + COST.echo };
}

/** Takes a story on to the next observation; `false` when it cannot go on. */
function continueStory(story: Story, evidence: Evidence, index: number): boolean {
  const { days, cost, plain, pending } = evidence;
  const { amountMinor } = story.level;
  const price = cost(index, amountMinor);
  const day = days[index]!;
  if (price >= 0) {
    story.cost += price - story.depositBits;
    story.depositBits = 0;
    story.waitsUntil = null;
    story.met++;
    return true;
  }
  const laggingPrice = lagCost(story, evidence, index);
  if (laggingPrice >= 0) {
    const depositBits = story.depositBits || COST.excursion;
    story.cost += laggingPrice + depositBits - story.depositBits;
    story.depositBits = depositBits;
    return true;
  }
  if (story.waitsUntil === null) {
    story.cost += Math.min(pending(index), COST.excursion) + COST.unproven / story.met;
    story.waitsUntil = day + SETTLING_DAYS;
    story.unmetFrom = index;
    story.offMinor = plain(index) - amountMinor;
    return true;
  }
  const offPrice = cost(index, amountMinor + story.offMinor);
  if (offPrice < 0) story.offMinor = plain(index) - amountMinor;
  story.cost += offPrice < 0 ? COST.otherAmount : offPrice;
  return day <= story.waitsUntil;
}

/** What it costs to believe that a balance is still of the time before the level; -1 when it is not. */
function lagCost({ level, before, waitsUntil }: Story, { days, cost }: Evidence, index: number): number {
  if (!before || waitsUntil !== null || days[index]! - days[level.from]! > LAG_DAYS) return -1;
  const price = cost(index, before.level.amountMinor);
  return price < 0 ? -1 : price + COST.lagging;
}

function cheapest(stories: readonly Story[]): Story | null {
  let best: Story | null = null;
  for (const story of stories) if (!best || story.cost < best.cost) best = story;
  return best;
}

/** While a difference is open, every day keeps the balance that was reported, read as the one after it where it can be. */
function openLevels({ waitsUntil, unmetFrom }: Story, evidence: Evidence, until = evidence.days.length): Level[] {
  const { cost, plain, turnedBits } = evidence;
  const levels: Level[] = [];
  if (waitsUntil === null) return levels;
  for (let from = until - 1; from >= unmetFrom; from--) {
    const later = levels[0]?.amountMinor;
    const price = later === undefined ? -1 : cost(from, later);
    levels.unshift({ from, amountMinor: price >= 0 && price < turnedBits ? later! : plain(from) });
  }
  return levels;
}

/** A difference that was open when the level changed did not go away: its days keep what was reported too. */
function told(story: Story, evidence: Evidence): Level[] {
  const levels: Level[] = [];
  for (let part: Story | null = story; part; part = part.before) {
    const open = part.before ? openLevels(part.before, evidence, part.level.from) : [];
    levels.unshift(...open, part.level);
  }
  return levels.filter(({ amountMinor }, index) => amountMinor !== levels[index - 1]?.amountMinor);
}
