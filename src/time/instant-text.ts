const MAX_REMEMBERED = 1_000;

// A cache: rows that were written together have the same instants.
const texts = new Map<number, string>();

/**
 * An instant in the form of the API: `2026-03-02T06:17:04.211Z`.
 *
 * @param unixSeconds with a fraction, as PostgreSQL's `date_part('epoch', …)` gives it
 */
export function instantText(unixSeconds: number): string {
  let text = texts.get(unixSeconds);
  if (text === undefined) {
    if (texts.size >= MAX_REMEMBERED) texts.clear();
    texts.set(unixSeconds, (text = new Date(Math.round(unixSeconds * 1000)).toISOString()));
  }
  return text;
}
