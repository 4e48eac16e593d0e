import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import type { CpuSeconds } from './cpu-seconds.js';
import { inTurns } from './in-turns.js';
import { median, medianRatio } from './median.js';

const run = promisify(execFile);

const CONNECTIONS = 16;
/** wrk counts an answer that takes two seconds as failed, and a machine may be that busy. */
const WAIT = ['--timeout', '60s'];
/** With fewer cores the servers need all of them. */
const CORES_TO_SPARE = 4;

export interface Question {
  url: string;
  headers: Record<string, string>;
  /** Posted as JSON when given. */
  body?: unknown;
}

interface Counted {
  requests: number;
  micros: number;
  refused: number;
  failed: number;
}

/** What a server did under load. */
export interface Rate {
  perSecond: number;
  /** Processor time of a request, in milliseconds: of the server and of PostgreSQL. */
  serverMs: number;
  databaseMs: number;
}

/**
 * Keeps the last core for the load, so that what is measured does not share it. To be called before anything is started:
 * processes take over the cores of the one that starts them.
 */
export async function leaveACoreToTheLoad(): Promise<void> {
  if (availableParallelism() < CORES_TO_SPARE) return;
  await run('taskset', ['-acp', `0-${availableParallelism() - 2}`, String(process.pid)]);
}

/**
 * Asks a server on 16 connections, each again as soon as it has its answer. The load comes from wrk, which takes a tenth
 * of a core where a load generator of Node.js takes a whole one from the server.
 */
export async function load({ url, headers, body }: Question, seconds: number): Promise<Counted> {
  const asked = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const wrk = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, ...WAIT, '-s', 'bench/wrk.lua', ...asked, url];
  const pinned = availableParallelism() < CORES_TO_SPARE ? [] : ['taskset', '-c', String(availableParallelism() - 1)];
  const [command, ...args] = [...pinned, ...wrk];
  const { stdout } = await run(command!, args, {
    env: { ...process.env, ...(body !== undefined && { BODY: JSON.stringify(body) }) },
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Error('This bench asks with wrk: apt-get install wrk', { cause: error });
    throw error;
  });
  const counted = JSON.parse(stdout.trim().split('\n').at(-1)!) as Counted;
  const { refused, failed } = counted;
  if (refused || failed) throw new Error(`${url}: ${refused} refusals and ${failed} failures`);
  return counted;
}

/** @returns what came of each question in every round, see {@link inTurns} */
export function compare(
  questions: Record<string, Question>,
  { rounds, seconds }: { rounds: number; seconds: number },
  cpu: CpuSeconds,
): Promise<Record<string, Rate[]>> {
  return inTurns(questions, rounds, async (question, isWarmUp) => {
    const before = await cpu.now();
    const { requests, micros } = await load(question, isWarmUp ? Math.min(seconds, 2) : seconds);
    const after = await cpu.now();
    const msOf = (part: 'servers' | 'database') => ((after[part] - before[part]) * 1000) / requests;
    return { perSecond: requests / (micros / 1e6), serverMs: msOf('servers'), databaseMs: msOf('database') };
  });
}

/** What the columns of {@link tell} are. */
export const COLUMNS = `${'requests/s'.padStart(56)}   ratio   CPU ms: server   PostgreSQL`;

/** Prints the medians: the rate, its ratio to the peer's of the same round, processor time of a request. */
export function tell(answers: Record<string, Rate[]>, peer: string): void {
  const rates = (name: string) => answers[name]!.map(({ perSecond }) => perSecond);
  for (const [name, rounds] of Object.entries(answers)) {
    const figures = [
      median(rates(name)).toFixed(0).padStart(10),
      medianRatio(rates(name), rates(peer)).toFixed(2).padStart(8),
      median(rounds.map(({ serverMs }) => serverMs))
        .toFixed(3)
        .padStart(17),
      median(rounds.map(({ databaseMs }) => databaseMs))
        .toFixed(3)
        .padStart(13),
    ];
    console.log(name.padEnd(46) + figures.join(''));
  }
}
