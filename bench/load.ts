import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { median } from './median.js';
import { showProgress } from './progress.js';

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

/**
 * Asks every question in every round, in turn, so that a noisy moment of the machine meets all of them.
 *
 * @returns requests a second by question and round
 */
export async function compare(
  questions: Record<string, Question>,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Record<string, number[]>> {
  const answers: Record<string, number[]> = {};
  for (let round = 0; round <= rounds; round++) {
    for (const [name, question] of Object.entries(questions)) {
      showProgress(`round ${round} of ${rounds}: ${name}`);
      // The first round only warms up.
      const rate = await requestsPerSecond(question, round === 0 ? Math.min(seconds, 2) : seconds);
      if (round > 0) (answers[name] ??= []).push(rate);
    }
  }
  showProgress('');
  return answers;
}

/** Prints each median with the median of its ratios to the peer's rate of the same round. */
export function tell(answers: Record<string, number[]>, peer: string): void {
  for (const [name, rates] of Object.entries(answers)) {
    const ratios = rates.map((rate, round) => rate / answers[peer]![round]!);
    console.log(`${name.padEnd(44)} ${median(rates).toFixed(0).padStart(6)}/s   ${median(ratios).toFixed(2)}`);
  }
}
