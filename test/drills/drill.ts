import type { DrillContext } from './harness/context.js';

/** One fault played against the built service with real processes and a real PostgreSQL server. */
export interface Drill {
  /** As the file is called. */
  name: string;
  /** What must be true, in one sentence. */
  expectation: string;
  /** The number of the promise in docs/inside/reliability.md that this proves. */
  sentence: number;
  /** Runs only when it is named. */
  isOptional?: boolean;
  /** Default: {@link DEFAULT_TIMEOUT_MS}. */
  timeoutMs?: number;
  /**
   * Plays the fault once.
   *
   * @returns what was seen, as a short text
   * @throws ExpectationNotMetError with what was seen
   */
  run(context: DrillContext): Promise<string>;
}

export const DEFAULT_TIMEOUT_MS = 240_000;

/** The expectation is not met; the message is the figure. */
export class ExpectationNotMetError extends Error {}

/**
 * @param figure what was seen
 * @param conditions by what they demand
 * @returns the figure when all are true
 * @throws ExpectationNotMetError with the figure and the conditions that are false
 */
export function judge(figure: string, conditions: Record<string, boolean>): string {
  const broken = Object.entries(conditions).filter(([, isMet]) => !isMet);
  if (broken.length === 0) return figure;
  throw new ExpectationNotMetError(`${figure} [not met: ${broken.map(([demand]) => demand).join('; ')}]`);
}

/**
 * Plays every case, also when an earlier one fails.
 *
 * @returns the figures of all
 * @throws ExpectationNotMetError with the figures of all when one has failed
 */
export async function judgeAll<T>(cases: readonly T[], play: (one: T) => Promise<string>): Promise<string> {
  const figures: string[] = [];
  let failures = 0;
  for (const one of cases) {
    const figure = await play(one).catch((error: Error) => {
      failures++;
      return error.message;
    });
    figures.push(figure);
  }
  if (failures === 0) return figures.join('. ');
  throw new ExpectationNotMetError(`${failures} of ${cases.length} failed. ${figures.join('. ')}`);
}
