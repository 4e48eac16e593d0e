import { findDrills } from '../drills/find-drills.js';
import { runDrill } from '../drills/run-drill.js';

/** Longer than a drill may take by itself. */
const TIMEOUT_MS = 300_000;

const drills = await findDrills();

// They look at processes by way of /proc.
const describeOnLinux = process.platform === 'linux' ? describe : describe.skip;

describeOnLinux('the drills', () => {
  it.each(drills.filter(({ isFast }) => isFast).map((drill) => [drill.name, drill] as const))(
    '%s, in its shorter form',
    async (_, drill) => {
      const { hasPassed, figure } = await runDrill(drill, true, () => undefined);
      expect([drill.expectation, hasPassed ? 'holds' : figure]).toEqual([drill.expectation, 'holds']);
    },
    TIMEOUT_MS,
  );
});
