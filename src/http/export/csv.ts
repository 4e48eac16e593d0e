/**
 * Where spreadsheets begin a formula: in a cell, or behind a semicolon or tab, which separates cells in many locales. The
 * signs are full-width in East Asian ones. Some drop blanks before them.
 */
const FORMULA = /(?<=^|[;\t])(?=[\s\u200b]*[=+\-@＝＋－＠]|[\t\r\n])/g;

/**
 * Protects spreadsheets from formulas in text of people or banks: an apostrophe keeps it text. Our own amounts and dates
 * need no protection.
 */
export function formulaSafe(text: string): string {
  return text.replace(FORMULA, "'");
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
  if (!/[",;\t\r\n]/.test(text)) return text;
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : `"${text}"`;
}
