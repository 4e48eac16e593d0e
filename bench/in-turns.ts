import { showProgress } from './progress.js';

/**
 * Measures everything in every round, in turn, so that a noisy moment of the machine meets all of them. A round before the
 * first only warms up.
 *
 * @param things what is measured, by the name that is shown
 * @returns the measurements of each, one a round
 */
export async function inTurns<Thing, Measured>(
  things: Record<string, Thing>,
  rounds: number,
  measure: (thing: Thing, isWarmUp: boolean) => Promise<Measured>,
): Promise<Record<string, Measured[]>> {
  const measured: Record<string, Measured[]> = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [name, thing] of Object.entries(things)) {
      showProgress(`round ${round} of ${rounds}: ${name}`);
      const value = await measure(thing, round === 0);
      if (round > 0) (measured[name] ??= []).push(value);
    }
  }
  showProgress('');
  return measured;
}
