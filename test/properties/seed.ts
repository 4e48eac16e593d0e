import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { TIER } from '../support/tier.js';
import type { PropertyRun } from './property-run.js';

/** Every run of the tests draws the same examples, so that it fails for a change and never by chance. */
export const STATED_SEED = 20_260_315;

/** Of a property that does not say a number itself. */
const EXAMPLES = TIER === 'test' ? 20 : 100;

/** `npm run properties` draws others; it names them here. */
const run = JSON.parse(process.env.PROPERTY_RUN ?? 'null') as PropertyRun | null;

if (run) {
  const { seed, numRuns, countFile } = run;
  let examples = 0;
  fc.configureGlobal({ seed, numRuns, beforeEach: () => void examples++ });
  afterAll(() => appendFileSync(countFile, `${examples}\n`));
} else {
  fc.configureGlobal({ seed: STATED_SEED, numRuns: EXAMPLES });
}
