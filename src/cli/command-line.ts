/** Operand and options as given, by name; a flag that is given is `yes`. */
export type Values = Record<string, string | undefined>;

/** The command line makes no sense: usage on stderr, exit 2. */
export class UsageError extends Error {}

/** Understood, but refused: one sentence on stderr, exit 1. */
export class Refusal extends Error {}

/** The items of a list like "a, b". */
export function listOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
}
