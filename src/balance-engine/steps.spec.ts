import fc from 'fast-check';
import { busyLedger } from '../../test/any-ledger.js';
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
    const days = 300;
    const observations = Array.from({ length: days }, (_, index) => ({
      observedAt: index * 86_400_000,
      day: index,
      balanceMinor: ((index * 7919) % 10_007) * 13,
      balanceDay: null,
      pendingMinor: [-100, -250, -371],
      holdings: null,
    }));
    const entries = Array.from({ length: days * 4 }, (_, index) => ({
      key: String(index),
      day: index >> 2,
      amountMinor: -(((index * 31) % 997) + 1),
      listedFrom: (index >> 2) * 86_400_000,
      listedUntil: null,
    }));
    const steps = deriveInSteps({ accountType: 'depository', until: days - 1, entries, observations });
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
