import { join } from 'node:path';
import { type Drill, judge, judgeAll } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { embeddedSettings } from './harness/embedded.js';
import { areAll, ask, tally } from './harness/http.js';
import { processesNaming } from './harness/processes.js';
import { poll } from './harness/waiting.js';

const STOP_MS = 30_000;
const GONE_MS = 20_000;

/** @param order 0: the one started first stops first */
async function play(context: DrillContext, order: 0 | 1): Promise<string> {
  const name = order === 0 ? 'first stops first' : 'second stops first';
  const dataDir = join(context.folder.path, `two-${order}`);
  const first = await context.startServiceWith(embeddedSettings(dataDir));
  const second = await context.startServiceWith(embeddedSettings(dataDir));
  const both = [first, second] as const;
  const ready = await Promise.all(both.map(({ url }) => ask(`${url}/health/ready`)));
  const [leaver, stayer] = [both[order], both[1 - order]!];
  const left = await leaver.stopWithin(STOP_MS);
  const stillReady = [await ask(`${stayer.url}/health/ready`)];
  const stopped = await stayer.stopWithin(STOP_MS);
  const isGone = await poll(() => processesNaming(dataDir).length === 0, GONE_MS);
  const figure =
    `${name}: ready ${tally(ready)}, then the other ${tally(stillReady)}; ` +
    `exits ${left?.code} and ${stopped?.code}; ${isGone ? 'nothing left' : 'PostgreSQL left'}`;
  return judge(figure, {
    'both serve': areAll(ready, 200) && areAll(stillReady, 200),
    'both stop': left?.code === 0 && stopped?.code === 0,
    'nothing is left': isGone !== null,
  });
}

export const drill: Drill = {
  name: 'two-starts',
  expectation:
    'Two starts on one data directory both serve, and leave no PostgreSQL behind, whichever of them stops first.',
  sentence: 11,
  isFast: false,
  run: (context) => judgeAll([0, 1] as const, (order) => play(context, order)),
};
