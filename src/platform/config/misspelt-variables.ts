/** An unknown environment variable with a name like a known one. */
export interface Misspelt {
  given: string;
  likely: string;
}

/** Shorter names, such as HOST and PORT, are like those of other programs. */
const MIN_CHARS = 6;
const MAX_EDITS = 2;

/** @param known names of our variables */
export function findMisspelt(given: readonly string[], known: readonly string[]): Misspelt[] {
  const names = new Set(known);
  return given
    .filter((name) => name.length >= MIN_CHARS && !names.has(name))
    .flatMap((name) => {
      const likely = likeliest(name.toUpperCase().replaceAll('-', '_'), known);
      return likely ? [{ given: name, likely }] : [];
    });
}

function likeliest(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .filter((candidate) => candidate.length >= MIN_CHARS)
    .map((candidate) => ({ candidate, edits: editsBetween(name, candidate) }))
    .filter(({ edits }) => edits <= MAX_EDITS)
    .sort((a, b) => a.edits - b.edits);
  // The unit may be missing, as in PROVIDER_TIMEOUT. A single word is too short for this guess.
  return (
    nearest?.candidate ?? (name.includes('_') ? known.find((candidate) => candidate.startsWith(`${name}_`)) : undefined)
  );
}

/** Damerau-Levenshtein distance. */
function editsBetween(from: string, to: string): number {
  if (Math.abs(from.length - to.length) > MAX_EDITS) return Infinity;
  let [beforeLast, last]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const change = last![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swap = isSwapped ? beforeLast![j - 2]! + 1 : Infinity;
      row.push(Math.min(last![j]! + 1, row[j - 1]! + 1, change, swap));
    }
    [beforeLast, last] = [last, row];
  }
  return last!.at(-1)!;
}
