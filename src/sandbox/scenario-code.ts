import { randomBytes } from 'node:crypto';

/** The scenario that a code plays: `healthy` of `healthy-k3j2`; `null` when the text cannot be a code. */
export function scenarioOfCode(code: string): string | null {
  return /^([a-z0-9-]+)-[a-z0-9]{1,64}$/.exec(code)?.[1] ?? null;
}

/** The part of a code that tells it from others of its scenario. */
export function freshCode(): string {
  return randomBytes(8).toString('hex');
}
