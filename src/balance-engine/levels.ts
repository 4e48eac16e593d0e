import { continueStory, type Evidence, type Level, newStories, paidBy, type Story } from './story.js';

/** A story this much dearer than the best is not followed any more: room for one that has to wait at once, in bits. */
const HOPELESS = 40;

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
    const paid = best ? paidBy(best, evidence, index) : Infinity;
    if (!best || paid > evidence.usualBits) {
      stories = withNew(stories, newStories(before, evidence, index, paid));
      best = cheapest(stories)!;
    }
    if (best.cost >= limit) return null;
    const hopeless = best.cost + HOPELESS;
    if (stories.length > 1) stories = stories.filter(({ cost }) => cost <= hopeless);
  }
  return { levels: best ? [...told(best, evidence), ...openLevels(best, evidence)] : [], cost: best?.cost ?? 0 };
}

/** A level is told once: as it goes on, or from the beginning where that is cheaper. */
function withNew(stories: readonly Story[], fresh: readonly Story[]): Story[] {
  const byLevel = new Map(stories.map((story) => [story.level.amountMinor, story]));
  for (const story of fresh) {
    const same = byLevel.get(story.level.amountMinor);
    if (!same || (story.level.from === 0 && story.cost < same.cost)) byLevel.set(story.level.amountMinor, story);
  }
  return [...byLevel.values()];
}

function cheapest(stories: readonly Story[]): Story | null {
  let best: Story | null = null;
  for (const story of stories) if (!best || story.cost < best.cost) best = story;
  return best;
}

/**
 * While a difference is open, every day keeps the balance that was reported, read as the one after it where that is
 * possible without doubting an entry, else as the one before.
 */
function openLevels({ waitsUntil, unmetFrom }: Story, evidence: Evidence, until = evidence.days.length): Level[] {
  if (waitsUntil === null) return [];
  const { cost, plain, turnedBits } = evidence;
  const readAs = (index: number, amountMinor: number | undefined, otherwise: number) => {
    const price = amountMinor === undefined ? -1 : cost(index, amountMinor);
    return price >= 0 && price < turnedBits ? amountMinor! : otherwise;
  };
  const amounts: number[] = [];
  for (let index = unmetFrom; index < until; index++) amounts.push(readAs(index, amounts.at(-1), plain(index)));
  for (let place = amounts.length - 2; place >= 0; place--) {
    amounts[place] = readAs(unmetFrom + place, amounts[place + 1], amounts[place]!);
  }
  return amounts.map((amountMinor, place) => ({ from: unmetFrom + place, amountMinor }));
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
