/** What a spreadsheet would take for the beginning of a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Text that people or banks wrote, made harmless for spreadsheets: an apostrophe in front keeps it text. Amounts and
 * dates are ours and need it not.
 */
export function formulaSafe(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** One line of RFC 4180, with its CRLF. `null` is an empty cell. */
export function csvLine(cells: readonly (string | number | boolean | null)[]): string {
  return `${cells.map((cell) => quoted(String(cell ?? ''))).join(',')}\r\n`;
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
