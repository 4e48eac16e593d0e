import { parentPort } from 'node:worker_threads';
import { derive, scoreHousehold } from '../test/support/simulator/play.js';
import { walkBack } from '../test/support/simulator/walk-back.js';
import type { Household, HouseholdScores } from './history-scores-pool.js';

// Scores one household after the other, as told.

parentPort!.on('message', ({ kind, seed, lifeDays, isWalkingBack }: Household) => {
  const scores: HouseholdScores = {
    kind,
    seed,
    engine: scoreHousehold(kind, seed, derive, lifeDays),
    walkingBack: isWalkingBack ? scoreHousehold(kind, seed, walkBack, lifeDays) : null,
  };
  parentPort!.postMessage(scores);
});
