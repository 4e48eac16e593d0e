import type { ReportedSign } from './account-type.js';
import type { Reports } from './reports.js';

/** Traits of an account's reported balance, learned from its own observations. */
export interface Habits {
  /** What turns a reported balance into the holder's view. */
  sign: 1 | -1;
  /** Whether it includes the pending holds listed beside it. */
  holdsIncluded: boolean;
}

/** In order of what is believed without evidence. */
const HYPOTHESES: readonly Habits[] = [
  { sign: 1, holdsIncluded: false },
  { sign: 1, holdsIncluded: true },
  { sign: -1, holdsIncluded: false },
  { sign: -1, holdsIncluded: true },
];

/** The habits under which most movements of the balance from one observation to the next are explained. */
export function learnHabits(reports: Reports, explained: readonly Float64Array[], sign: ReportedSign): Habits {
  let best = HYPOTHESES[0]!;
  let bestVotes = -1;
  for (const habits of HYPOTHESES) {
    if (habits.sign === -1 && sign !== 'learned') continue;
    const votes = countExplained(reports, explained, habits);
    if (votes > bestVotes) [best, bestVotes] = [habits, votes];
  }
  return best;
}

function countExplained({ count, reported, held }: Reports, explained: readonly Float64Array[], habits: Habits) {
  let votes = 0;
  for (let index = 1; index < count; index++) {
    const moved = (reported[index]! - reported[index - 1]!) * habits.sign;
    const heldMore = habits.holdsIncluded ? held[index]! - held[index - 1]! : 0;
    if (explained.some((sums) => sums[index]! - sums[index - 1]! === moved - heldMore)) votes++;
  }
  return votes;
}

/** For every reading what the entries leave unexplained of each reported balance, in the holder's view. */
export function unexplained(reports: Reports, explained: readonly Float64Array[], habits: Habits): Float64Array[] {
  const { count, reported, held } = reports;
  return explained.map((sums) =>
    Float64Array.from({ length: count }, (_, index) => {
      const included = habits.holdsIncluded ? held[index]! : 0;
      return reported[index]! * habits.sign - included - sums[index]!;
    }),
  );
}
