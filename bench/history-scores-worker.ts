import { parentPort } from 'node:worker_threads';
import { derive, scoreHousehold } from '../test/simulator/play.js';
import { walkBack } from '../test/simulator/walk-back.js';
import type { Household, HouseholdScores } from './history-scores-pool.js';

// Scores one household after the other with both engines, as told.

parentPort!.on('message', ({ scenario, seed }: Household) => {
  const scores: HouseholdScores = {
    scenario,
    seed,
    engine: scoreHousehold(scenario, seed, derive),
    walkingBack: scoreHousehold(scenario, seed, walkBack),
  };
  parentPort!.postMessage(scores);
});
