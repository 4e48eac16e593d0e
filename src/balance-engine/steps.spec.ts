import fc from 'fast-check';
import { busyLedger } from '../../test/support/any-ledger.js';
import { unexplainedLedger } from '../../test/support/unexplained-ledger.js';
import { inSlices } from '../time/work-slices.js';
import { derive, deriveInSteps } from './derive-history.js';

/** The processor time that a step may take beside a busy test run; alone it is a tenth. */
const STEP_MS = 50;

describe('a derivation in steps', () => {
  it('gives what it gives at once, and at least a step per report', async () => {
    await fc.assert(
      fc.asyncProperty(busyLedger, async (ledger) => {
        const sliced = await inSlices(deriveInSteps(ledger));
        expect(sliced!.history).toEqual(derive(ledger)!.history);
        let count = 0;
        const steps = deriveInSteps(ledger);
        while (!steps.next().done) count++;
        expect(count).toBeGreaterThanOrEqual(sliced!.observations.length);
      }),
      { numRuns: 10 },
    );
  });

  it('has no step that keeps requests waiting where no report fits', () => {
    const steps = deriveInSteps(unexplainedLedger(300));
    const took: number[] = [];
    for (;;) {
      const begun = process.cpuUsage();
      const isDone = steps.next().done;
      const { user, system } = process.cpuUsage(begun);
      took.push((user + system) / 1_000);
      if (isDone) break;
    }
    // The first steps are compiled while they run; the garbage of a few is collected by other threads at the same time.
    const slow = took.slice(20).filter((ms) => ms > STEP_MS);
    expect(slow.length).toBeLessThanOrEqual(took.length / 100);
  });
});
