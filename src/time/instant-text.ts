/**
 * An instant in the form of the API: `2026-03-02T06:17:04.211Z`.
 *
 * @param unixSeconds with a fraction, as PostgreSQL's `date_part('epoch', …)` gives it
 */
export function instantText(unixSeconds: number): string {
  return new Date(Math.round(unixSeconds * 1000)).toISOString();
}
