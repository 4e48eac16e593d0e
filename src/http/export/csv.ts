/** The first character of a formula in spreadsheets; full-width signs in East Asian locales. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * Protects spreadsheets from formulas in text of people or banks: a leading apostrophe keeps it text. Our own amounts
 * and dates need no protection.
 */
export function formulaSafe(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

type CsvCell = string | number | boolean | null;

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

/** A cell of text, quoted if necessary. */
function csvText(text: string): string {
  if (!/[",\r\n]/.test(text)) return text;
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}
