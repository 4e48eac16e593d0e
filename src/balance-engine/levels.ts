/** A difference between bank and feed that goes away within this time was a matter of timing. */
export const SETTLING_DAYS = 10;

/** How many observations must meet a level that the one it begins with does not. */
const PROOF = 3;

/** From an observation on, what no entry explains of the balance: the opening balance and everything that came unlisted. */
export interface Level {
  from: number;
  amountMinor: number;
}

/** What the observations of an account leave room for. */
export interface Evidence {
  /** The day of each observation, in order. */
  days: Float64Array;
  /** How far-fetched it is, from 0, that an observation meets a level; -1 when nothing could explain it. */
  strain(index: number, amountMinor: number): number;
  /** Every level that an observation can meet. */
  candidates(index: number): Iterable<number>;
  /** Levels that it does not meet, but that what was listed soon after makes likely. */
  hindsight(index: number): Iterable<number>;
}

/**
 * The history with the fewest unexplained changes. A level holds as long as an observation meets it to the minor unit
 * at least once in a settling time; of the levels that could begin, the one that lasts longest does.
 */
export function findLevels(evidence: Evidence): Level[] {
  const levels: Level[] = [];
  for (let from = 0; from < evidence.days.length;) {
    const { amountMinor, until } = longestLived(evidence, from);
    if (levels.at(-1)?.amountMinor !== amountMinor) levels.push({ from, amountMinor });
    from = until + 1;
  }
  return levels;
}

interface Life {
  amountMinor: number;
  /** The last observation that meets the level. */
  until: number;
  strain: number;
  /** By how many observations it is met. */
  met: number;
}

function longestLived(evidence: Evidence, from: number): Life {
  let longest: Life = { amountMinor: NaN, until: -1, strain: 0, met: 0 };
  for (const candidate of evidence.candidates(from)) {
    const life = lifeOf(evidence, from, candidate);
    if (life.until > longest.until || (life.until === longest.until && life.strain < longest.strain)) longest = life;
  }
  for (const candidate of evidence.hindsight(from)) {
    const life = lifeOf(evidence, from, candidate);
    if (life.until > longest.until && life.met >= PROOF) longest = life;
  }
  return longest;
}

function lifeOf({ days, strain }: Evidence, from: number, amountMinor: number): Life {
  const life: Life = { amountMinor, until: from, strain: 0, met: 0 };
  for (let index = from; index < days.length; index++) {
    const rank = strain(index, amountMinor);
    if (rank >= 0) {
      life.until = index;
      life.strain += rank;
      life.met++;
    } else if (days[index]! - days[life.until + 1]! > SETTLING_DAYS) break;
  }
  return life;
}
