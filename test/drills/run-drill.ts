import { DEFAULT_TIMEOUT_MS, type Drill, ExpectationNotMetError } from './drill.js';
import { DrillContext } from './harness/context.js';
import { within } from './harness/waiting.js';

export interface Outcome {
  hasPassed: boolean;
  figure: string;
}

/** All rounds of one drill. */
export interface Result {
  drill: Drill;
  times: number;
  passed: number;
  figures: Outcome[];
}

/** Never rejects. A drill that does not end is stopped with everything it has started. */
export async function runDrill(drill: Drill, progress: (text: string) => void): Promise<Outcome> {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = drill;
  const context = new DrillContext(progress);
  const failed = (error: unknown): Outcome => ({ hasPassed: false, figure: figureOf(error) });
  try {
    const played = drill.run(context).then((figure): Outcome => ({ hasPassed: true, figure }), failed);
    return (await within(played, timeoutMs)) ?? { hasPassed: false, figure: `not over in ${timeoutMs / 1000} s` };
  } finally {
    await context.end();
  }
}

function figureOf(error: unknown): string {
  if (error instanceof ExpectationNotMetError) return error.message;
  return `the drill broke: ${error instanceof Error ? error.message : String(error)}`;
}
