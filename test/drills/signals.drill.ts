import { join } from 'node:path';
import { copyPreparedCluster } from '../support/prepared-cluster.js';
import { type Drill, judge, judgeAll } from './drill.js';
import type { DrillContext } from './harness/context.js';
import { embeddedLog, embeddedSettings } from './harness/embedded.js';
import { type DrillProcess, membersOfGroup, processesNaming } from './harness/processes.js';
import { pause, poll, seconds } from './harness/waiting.js';

const START_MS = 120_000;
const STOP_MS = 40_000;
const SHUT_DOWN = 'database system is shut down';

const STARTED = {
  start: /^listening on (http:\S+)$/m,
  demo: /Serving until you press Ctrl-C/,
} as const;

interface Case {
  script: keyof typeof STARTED;
  signal: 'SIGINT' | 'SIGTERM';
  /** npm passes it on itself; here it comes to the whole group a second time, too. */
  isTwice: boolean;
}

const CASES: Case[] = (['start', 'demo'] as const).flatMap((script) =>
  (['SIGTERM', 'SIGINT'] as const).flatMap((signal) =>
    [false, true].map((isTwice): Case => ({ script, signal, isTwice })),
  ),
);

/** What systemd does: to the group, which npm passes on. */
const SHORT: Case[] = [{ script: 'start', signal: 'SIGTERM', isTwice: true }];

async function play(context: DrillContext, { script, signal, isTwice }: Case): Promise<string> {
  const name = `${signal}${isTwice ? ' twice' : ''} to npm ${script === 'start' ? 'start' : 'run demo'}`;
  context.progress(name);
  const dataDir = join(context.folder.path, `${script}-${signal}-${isTwice}`);
  await copyPreparedCluster(dataDir);
  const settings = { ...embeddedSettings(dataDir), npm_config_update_notifier: 'false' };
  const npm = context.startProgram('npm', ['run', script], settings);
  await npm.printed(STARTED[script], START_MS);
  const startedAt = performance.now();
  npm.signalGroup(signal);
  if (isTwice) {
    await pause(200);
    npm.signalGroup(signal);
  }
  const ending = await npm.endedWithin(STOP_MS);
  const isGone = await poll(() => isNothingLeft(npm, dataDir), STOP_MS);
  const ms = performance.now() - startedAt;
  const logs = await Promise.all([dataDir, join(dataDir, 'demo')].map(embeddedLog));
  const isGraceful = logs.some((log) => log.includes(SHUT_DOWN));
  const end = ending ? `exit ${ending.code ?? ending.signal}` : 'no exit';
  const figure = `${name}: ${end}, ${isGone ? `nothing left after ${seconds(ms)}` : 'PostgreSQL left'}`;
  return judge(figure, {
    'it ends as a graceful stop does': ending !== null && (ending.code === 0 || ending.signal === signal),
    'nothing is left': isGone !== null,
    'PostgreSQL was shut down in order': isGraceful,
  });
}

function isNothingLeft(npm: DrillProcess, dataDir: string): boolean {
  return membersOfGroup(npm.pid).length === 0 && processesNaming(dataDir).length === 0;
}

export const drill: Drill = {
  name: 'signals',
  expectation:
    'SIGINT and SIGTERM to the process group of npm start and npm run demo, once or twice, are graceful stops that leave no process behind.',
  sentence: 11,
  isFast: true,
  timeoutMs: 600_000,
  run: (context) => judgeAll(context.isShort ? SHORT : CASES, (one) => play(context, one)),
};
