import { CsvError, parse } from 'csv-parse/sync';
import { MAX_ROWS, type Problems, UnreadableFileError } from './statement-file.js';

export interface CsvRecord {
  /** Of the file, from 1: the record's first. */
  line: number;
  cells: string[];
}

export const SEPARATORS = [';', ',', '\t', '|'];
/** In characters. */
const MAX_RECORD = 131_072;
const MAX_COLUMNS = 200;
/** After so many open quotes, the rest is read without quotes. */
const MAX_OPEN_QUOTES = 50;
const LIKE_A_DATE = /^["\s]*(?:\d{1,4}[-/. ](?:\d{1,2}|\p{L}{3,9})[-/. ]\d{2,4}|\d{8}["\s]*$)/u;

/** Line ends of one kind. The parser counts those within quotes twice where they have two characters. */
export function withPlainLineEnds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Excel's own first line, such as `sep=;`; `null`: there is none. */
export function declaredSeparator(text: string): string | null {
  return /^\s*"?sep=(.)"?\s*(?:\n|$)/i.exec(text)?.[1] ?? null;
}

/**
 * The records of a text with plain line ends, without those that are empty. Banks forget to close quotes, and to double
 * those within texts: a record with an open quote is read again without quotes, so that it does not swallow those below.
 */
export function recordsOf(text: string, separator: string, problems: Problems): CsvRecord[] {
  const records: CsvRecord[] = [];
  let linesBefore = 0;
  let rest = text;
  for (let openQuotes = 0; rest !== ''; openQuotes++) {
    const withQuotes = openQuotes < MAX_OPEN_QUOTES;
    const read = readUntilOpenQuote(rest, separator, withQuotes);
    for (const { line, cells } of read.records) records.push({ line: line + linesBefore, cells });
    if (!read.isOpen) break;

    const { from, end, skipped } = nextLine(rest, read.lastLine);
    const line = linesBefore + read.lastLine + skipped + 1;
    const alone = readUntilOpenQuote(rest.slice(from, end), separator, false);
    const [record] = alone.records;
    if (alone.isOpen) problems.add(line, 'The line is longer than 128 KiB, and was left out.');
    else if (record) {
      records.push({ line, cells: record.cells.map((cell) => cell.replace(/^"|"$/g, '')) });
      problems.add(line, 'A quote opens here and is never closed: the line was read without quotes.');
    }
    rest = rest.slice(end + 1);
    linesBefore = line;
  }
  return records;
}

/** `isOpen`: the record below `lastLine` cannot be read. */
function readUntilOpenQuote(text: string, separator: string, withQuotes: boolean) {
  const records: CsvRecord[] = [];
  let lastLine = 0;
  const open = new Error('An open quote.');
  const add = (cells: string[], lines: number) => {
    const breaks = withQuotes ? cells.reduce((sum, cell) => sum + (cell.split('\n').length - 1), 0) : 0;
    if (breaks > 0 && cells.some((cell) => hasRows(cell, separator))) throw open;
    if (cells.length > MAX_COLUMNS) {
      throw new UnreadableFileError(`The file has more than ${MAX_COLUMNS} columns.`, lines);
    }
    if (records.length > MAX_ROWS) throw new UnreadableFileError(`The file has more than ${MAX_ROWS} rows.`);
    lastLine = lines;
    if (cells.some((cell) => cell.trim() !== ''))
      records.push({ line: lines - breaks, cells: cells.map(withoutGuards) });
  };
  try {
    parse(text, {
      delimiter: separator,
      quote: withQuotes ? '"' : null,
      relax_quotes: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD,
      record_delimiter: '\n',
      on_record: (cells: string[], { lines }) => {
        add(cells, lines);
        return null;
      },
    });
  } catch (error) {
    const isOfRecord = error === open || (error instanceof CsvError && OF_RECORD.includes(error.code));
    if (!isOfRecord) throw error;
    return { records, lastLine, isOpen: true };
  }
  return { records, lastLine, isOpen: false };
}

const OF_RECORD: string[] = ['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE'];

/** Whether a cell of several lines has swallowed whole records: lines with separators and a date between them. */
function hasRows(cell: string, separator: string): boolean {
  if (!cell.includes('\n')) return false;
  return cell.split('\n').some((line) => {
    const parts = line.split(separator);
    return parts.length > 1 && parts.some((part) => LIKE_A_DATE.test(part));
  });
}

/** Takes off `="00123"` and `'=1+1`, by which texts are kept from being formulas, and quotes around loose quotes. */
function withoutGuards(cell: string): string {
  if (cell.startsWith('="') && cell.endsWith('"') && cell.length > 2) return cell.slice(2, -1);
  if (/^'[=+@\p{L}-]/u.test(cell)) return cell.slice(1);
  return /^"[^"]*[\s(]".*"$/s.test(cell) ? cell.slice(1, -1) : cell;
}

/** Where the first line with a text lies behind so many lines, and how many lines without one are before it. */
function nextLine(text: string, after: number): { from: number; end: number; skipped: number } {
  let from = 0;
  for (let line = 0; line < after; line++) from = text.indexOf('\n', from) + 1;
  for (let skipped = 0; ; skipped++) {
    const newline = text.indexOf('\n', from);
    const end = newline === -1 ? text.length : newline;
    if (newline === -1 || text.slice(from, end).trim() !== '') return { from, end, skipped };
    from = end + 1;
  }
}
