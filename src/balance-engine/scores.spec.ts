import { SCENARIOS } from '../../test/simulator/bank.js';
import { derive, scoreHousehold } from '../../test/simulator/play.js';

/** Feeds that at every moment tell all there is to know, and tell it right. */
const FAULTLESS = ['no faults', 'trades without an entry', 'booked late, dated earlier', 'holds beside the balance'];

/** Shorter than in the bench: this is for every run of the tests. */
const LIFE_DAYS = 40;

/**
 * One household per kind of bank, played sync by sync for months. `npm run bench:history` scores hundreds of them and
 * keeps its table in docs/balance-history.md.
 */
describe('the simulated household', () => {
  it.each(Object.keys(SCENARIOS))('has a history that can be trusted: %s', (scenario) => {
    const { knowable, right, changed, learned, spoiled } = scoreHousehold(scenario, 1, derive, LIFE_DAYS);

    expect(right / knowable).toBeGreaterThanOrEqual(FAULTLESS.includes(scenario) ? 1 : 0.9995);
    expect(spoiled).toBe(0);
    expect(changed).toBeLessThan(300);
    if (changed > 0) expect(learned).toBeGreaterThan(0);
  });
});
