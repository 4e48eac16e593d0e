import { PLAIN_BANKS } from '../../../test/support/simulator/bank.js';
import { derive, scoreHousehold } from '../../../test/support/simulator/play.js';
import { tenthInQuickRun } from '../../../test/support/tier.js';

/** Feeds that are complete and right at every moment. */
const FAULTLESS = ['no faults', 'trades without an entry', 'booked late, dated earlier', 'holds beside the balance'];

/** Shorter than in the bench: this is for every run of the tests. */
const LIFE_DAYS = 30;
const MIXTURE_LIFE_DAYS = 25;

/** The share of determined days that have to be right, at banks of which users report. */
const FLOORS: Record<string, number> = {
  're-dated under its id': 1,
  'booked by mistake, withdrawn': 1,
  'two rows merged': 1,
  'tips added': 1,
  'provisional, then replaced': 1,
  'listed twice for good': 1,
  'balance in the other sign': 1,
  'balance 0 now and then': 0.999,
  'weekly syncs': 1,
  'listed a week late': 1,
  'twelve rows a day of few amounts': 1,
};
/** Of the determined days that are wrong, the share that has to be marked as estimated or unknown. */
const MARKED_FLOOR = 0.99;

/**
 * One household per kind of bank, played sync by sync for weeks. `npm run bench:history` scores many more of them and
 * keeps its table in docs/inside/balance-history.md.
 */
describe('the scores of simulated households', () => {
  it.each(tenthInQuickRun(Object.keys(PLAIN_BANKS)))('the history of a simulated household is right: %s', (kind) => {
    const { knowable, right, changed, learned, spoiled } = scoreHousehold(kind, 1, derive, LIFE_DAYS);

    expect(right / knowable).toBeGreaterThanOrEqual(FAULTLESS.includes(kind) ? 1 : 0.9995);
    expect(spoiled).toBe(0);
    expect(changed).toBeLessThan(300);
    if (changed > 0) expect(learned).toBeGreaterThan(0);
  });

  it.each(tenthInQuickRun(Object.entries(FLOORS)))(
    'enough determined days are right at a faulty bank, and the wrong ones are marked (bank: %s, floor: %d)',
    (kind, floor) => {
      const { knowable, right, wrongMarked } = scoreHousehold(kind, 1, derive, MIXTURE_LIFE_DAYS);

      expect(knowable).toBeGreaterThan(0);
      expect(right / knowable).toBeGreaterThanOrEqual(floor);
      expect(wrongMarked).toBeGreaterThanOrEqual((knowable - right) * MARKED_FLOOR);
    },
  );
});
