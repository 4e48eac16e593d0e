import type { CalendarDate } from '../../../kit.js';

export type FileFormat = 'csv' | 'ofx' | 'camt.053' | 'mt940' | 'qif';

/** What a reader finds in a file. Nothing of it is stored before a person has accepted it. */
export interface StatementFile {
  format: FileFormat;
  accounts: FileAccount[];
  /** What a person should know of the file, in its order. At most 100 are listed. */
  problems: FileProblem[];
  /** How many problems there are, those included that are not listed. */
  problemCount: number;
  /** What nothing in the file decides. While something is asked, the file cannot be accepted. */
  asks: FileQuestion[];
  /** What was rightly left out, such as rows that the bank calls declined. Nothing of it is a problem. */
  notes?: FileProblem[];
  /** How the bytes were read, with the first lines that would read otherwise in another encoding. Of `readFile`. */
  encoding?: { name: string; lines: string[] };
  /** Of CSV: what a preview needs in which a person chooses columns. */
  csv?: CsvPreview;
}

export interface CsvPreview {
  separator: string;
  /** `null`: the file has no header line. */
  header: string[] | null;
  /** The first rows below the header. */
  firstRows: string[][];
  /** The columns that were taken, chosen or found. */
  columns: Partial<Record<FileColumn, number>>;
}

export interface FileAccount {
  /** What the file says of the account. */
  hint: { id?: string; name?: string; kind?: string; currency?: string };
  /** In the file's order. */
  rows: FileRow[];
  balances: FileBalance[];
}

export interface FileRow {
  /** Of the file, from 1: the first line of the row. */
  line: number;
  /** The booking day, as written. */
  day: CalendarDate;
  /** Holder's view: money in is positive. In the minor unit of the account's currency. */
  amountMinor: number;
  description: string;
  payee: string | null;
  /** The file's own id of the row, where it has one that is no placeholder. */
  fileId: string | null;
  /** Shown, and not counted. */
  pending: boolean;
}

export interface FileBalance {
  line: number;
  day: CalendarDate;
  /** `opening` is before the first row, `closing` at the end of the day, `cash` the money part of an investment account. */
  kind: 'opening' | 'closing' | 'interim' | 'available' | 'cash';
  amountMinor: number;
  /**
   * Of an opening balance: the day at whose end it holds, which is the one before the first row. Its own day says less:
   * some banks write the first day of the statement, and others the last day before it. `null`: there are no rows, or
   * older ones.
   */
  endOf?: CalendarDate | null;
}

export interface FileProblem {
  /** Of the file, from 1; `null`: of the file as a whole. */
  line: number | null;
  /** A sentence for a person. */
  message: string;
}

export interface FileQuestion {
  choice: 'date_order' | 'decimal' | 'sign' | 'columns' | 'balance_unit';
  /** A sentence for a person, with what the file has. */
  message: string;
}

/** What a person chose in a preview, or what is remembered of files like this one. */
export interface FileChoices {
  /** A name of iconv-lite. */
  encoding?: string;
  date_order?: DateOrder;
  /** Of amounts such as `1.000`: the sign before the decimals. */
  decimal?: DecimalSign;
  /** `flip`: the file lists money out as positive. */
  sign?: 'as_written' | 'flip';
  /** Of an OFX balance without a decimal sign: whether it is in cents. */
  balance_unit?: 'as_written' | 'minor';
  /** Whether the first line of CSV names the columns. */
  header?: boolean;
  /** Of CSV: the place of each column, from 0. */
  columns?: Partial<Record<FileColumn, number>>;
}

export type DateOrder = 'dmy' | 'mdy' | 'ymd';

export type DecimalSign = '.' | ',';

export type FileColumn =
  | 'date'
  | 'amount'
  | 'debit'
  | 'credit'
  | 'direction'
  | 'text'
  | 'payee'
  | 'balance'
  | 'fee'
  | 'currency'
  | 'account'
  | 'id'
  | 'status';

export interface ReadOptions {
  choices: FileChoices;
  /** Of the account into which it is imported, for files that name none. */
  currency: string;
  /** The day in the person's time zone: a row more than two years later is a problem. */
  today: CalendarDate;
  /** Of the account into which it is imported: a card's file often lists charges as positive. */
  isCard?: boolean;
}

export type Reader = (text: string, options: ReadOptions) => StatementFile;

/** Nothing of a file can be imported. Its message is a sentence for a person. */
export class UnreadableFileError extends Error {
  override readonly name = 'UnreadableFileError';

  constructor(
    message: string,
    readonly line: number | null = null,
  ) {
    super(message);
  }
}

/** A file of more rows is refused. */
export const MAX_ROWS = 200_000;
const MAX_LISTED_PROBLEMS = 100;
const MAX_TEXT = 4_000;

/** Lists the first hundred problems and counts all of them. */
export class Problems {
  readonly listed: FileProblem[] = [];
  count = 0;

  add(line: number | null, message: string): void {
    this.count++;
    if (this.listed.length < MAX_LISTED_PROBLEMS) this.listed.push({ line, message });
  }
}

/** A text of a file as it is stored: blanks folded, without control characters, not endless. */
export function cleanText(text: string): string {
  return text
    .slice(0, 2 * MAX_TEXT)
    .replace(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}

/** Joins what a file, or the files of a zip, say of the same account in several statements, in the given order. */
export function mergeAccounts(accounts: readonly FileAccount[]): FileAccount[] {
  const byHint = new Map<string, FileAccount>();
  for (const account of accounts) {
    const { id, name, currency } = account.hint;
    const key = JSON.stringify([id ?? name ?? null, currency ?? null]);
    const known = byHint.get(key);
    if (known === undefined) {
      byHint.set(key, { hint: { ...account.hint }, rows: [...account.rows], balances: [...account.balances] });
      continue;
    }
    known.hint = { ...account.hint, ...known.hint };
    for (const row of account.rows) known.rows.push(row);
    for (const balance of account.balances) known.balances.push(balance);
  }
  return [...byHint.values()];
}
