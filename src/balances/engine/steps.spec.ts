import fc from 'fast-check';
import { busyLedger } from '../../../test/support/any-ledger.js';
import { inSlices } from '../../platform/time/work-slices.js';
import { derive, deriveInSteps } from './derive-history.js';

describe('deriveInSteps', () => {
  it('deriving a history in steps gives the same history as deriving it at once, with at least one step per report', async () => {
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
});
