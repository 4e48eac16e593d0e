import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Drill, judge } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { embeddedServerOf, embeddedSettings, startEmbedded } from './harness/embedded.js';
import { childrenOf } from './harness/processes.js';
import { seconds, timed, until } from './harness/waiting.js';

const LIFE_SECONDS = '120';

/** A living process of the user that PostgreSQL runs as. @returns its id */
function startStranger(context: DrillContext, uid: number): number {
  const stranger = spawn('sleep', [LIFE_SECONDS], { uid, stdio: 'ignore' });
  context.onEnd(() => void stranger.kill('SIGKILL'));
  return stranger.pid!;
}

/** A dead process that nobody has collected. @returns its id */
async function startZombie(context: DrillContext, uid: number): Promise<number> {
  const parent = spawn('sh', ['-c', `sleep 0 & exec sleep ${LIFE_SECONDS}`], { uid, stdio: 'ignore' });
  context.onEnd(() => void parent.kill('SIGKILL'));
  return until(() => childrenOf(parent.pid!)[0] ?? null, 'there is a zombie', 10_000);
}

export const drill: Drill = {
  name: 'stale-postmaster-pid',
  expectation:
    'A postmaster.pid left by a power cut does not keep the service from starting when its number belongs to another process, or to a dead one.',
  sentence: 11,
  isFast: true,
  async run(context) {
    const { service, dataDir } = await startEmbedded(context);
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const text = await readFile(file, 'utf8');
    const { uid } = await stat(join(dataDir, 'postgres'));
    await service.stopWithin(30_000);
    await until(async () => (await embeddedServerOf(dataDir)) === null, 'PostgreSQL has stopped', 20_000);
    const figures = [];
    const demands: Record<string, boolean> = {};
    for (const [name, start] of [
      ['another process', startStranger] as const,
      ['a dead process', startZombie] as const,
    ]) {
      const pid = await start(context, uid);
      await writeFile(file, text.replace(/^\d+/, String(pid)));
      const attempt = context.startServiceWith(embeddedSettings(dataDir));
      const { ms, value } = await timed(attempt.catch((error: Error) => error));
      const isUp = !(value instanceof Error);
      demands[`starts beside ${name}`] = isUp;
      figures.push(
        `${name}: ${isUp ? `listening after ${seconds(ms)}` : `did not start: ${value.message.slice(-160)}`}`,
      );
      if (isUp) await value.stopWithin(30_000);
    }
    return judge(figures.join('; '), demands);
  },
};
