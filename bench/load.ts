import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { inTurns } from './in-turns.js';
import { median, medianRatio } from './median.js';

const CONNECTIONS = 16;

export interface Question {
  url: string;
  headers: Record<string, string>;
  /** Posted as JSON when given. */
  body?: unknown;
}

interface Result {
  requests: { average: number };
  non2xx: number;
  errors: number;
}

/** Requests a second that a server answers to 16 connections, each asking again as soon as it has its answer. */
export async function requestsPerSecond({ url, headers, body }: Question, seconds: number): Promise<number> {
  const args = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  if (body) args.push('-m', 'POST', '-H', 'Content-Type=application/json', '-b', JSON.stringify(body));
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      'bench/node_modules/autocannon/autocannon.js',
      ...['-j', '-c', String(CONNECTIONS), '-d', String(seconds), ...args, url],
    ],
    { maxBuffer: 1 << 24 },
  );
  const { requests, non2xx, errors } = JSON.parse(stdout) as Result;
  if (non2xx || errors) throw new Error(`${url}: ${non2xx} refusals and ${errors} errors`);
  return requests.average;
}

/** @returns requests a second by question and round, see {@link inTurns} */
export function compare(
  questions: Record<string, Question>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<string, number[]>> {
  return inTurns(questions, rounds, (question, isWarmUp) =>
    requestsPerSecond(question, isWarmUp ? Math.min(seconds, 2) : seconds),
  );
}

/** Prints each median with the median of its ratios to the peer's rate of the same round. */
export function tell(answers: Record<string, number[]>, peer: string): void {
  for (const [name, rates] of Object.entries(answers)) {
    const ratio = medianRatio(rates, answers[peer]!);
    console.log(`${name.padEnd(44)} ${median(rates).toFixed(0).padStart(6)}/s   ${ratio.toFixed(2)}`);
  }
}
