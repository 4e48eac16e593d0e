import { randomBytes } from 'node:crypto';

/** The scenario of a code: `healthy` of `healthy-k3j2`; `null`: it is no code. */
export function scenarioOfCode(code: string): string | null {
  return /^([a-z0-9-]+)-[a-z0-9]{1,64}$/.exec(code)?.[1] ?? null;
}

/** The unique part of a code. */
export function freshCode(): string {
  return randomBytes(8).toString('hex');
}
