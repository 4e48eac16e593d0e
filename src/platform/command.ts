/** Operand and options by name; a given flag is `yes`. */
export type Values = Record<string, string | undefined>;

/** An invalid command line: one sentence on stderr, exit code 2. */
export class UsageError extends Error {}

/** A refused command: one sentence on stderr, exit code 1. */
export class RefusedError extends Error {}

/** The items of a list like "a, b". */
export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}
