import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Score } from '../test/support/simulator/score.js';

export interface Household {
  kind: string;
  seed: number;
  lifeDays: number;
  /** Whether walking back is scored beside the engine. */
  isWalkingBack: boolean;
}

export interface HouseholdScores {
  kind: string;
  seed: number;
  engine: Score;
  walkingBack: Score | null;
}

/** Scores every household, as many at a time as there are cores; each result is told as it comes. */
export async function scoreAll(
  households: readonly Household[],
  onScored: (scores: HouseholdScores) => void,
): Promise<void> {
  const left = [...households].reverse();
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), left.length) }, () => work(left, onScored)));
}

function work(left: Household[], onScored: (scores: HouseholdScores) => void): Promise<void> {
  const worker = new Worker(new URL('./history-scores-worker.ts', import.meta.url));
  return new Promise((resolve, reject) => {
    const next = () => {
      const household = left.pop();
      if (household) worker.postMessage(household);
      else worker.terminate().then(() => resolve(), reject);
    };
    worker.on('error', reject);
    worker.on('message', (scores: HouseholdScores) => {
      onScored(scores);
      next();
    });
    next();
  });
}
