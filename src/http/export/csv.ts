/** What a spreadsheet takes for the beginning of a formula; in East Asian locales the full-width signs, too. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * Text that people or banks wrote, made harmless for spreadsheets: an apostrophe in front keeps it text. Amounts and
 * dates are ours and need it not.
 */
export function formulaSafe(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export type CsvCell = string | number | boolean | null;

/** One line of RFC 4180, with its CRLF. `null` is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  let line = '';
  for (const cell of cells) {
    if (typeof cell === 'string') line += csvText(cell);
    else if (cell !== null) line += cell;
    line += ',';
  }
  return `${line.slice(0, -1)}\r\n`;
}

/** A cell of text, in quotes where it needs them. */
export function csvText(text: string): string {
  if (!/[",\r\n]/.test(text)) return text;
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}
