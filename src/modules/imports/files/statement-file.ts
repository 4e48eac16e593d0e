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
  /** `opening` is before the first row of the day, `closing` at its end, `cash` the money part of an investment account. */
  kind: 'opening' | 'closing' | 'interim' | 'available' | 'cash';
  amountMinor: number;
}

export interface FileProblem {
  /** Of the file, from 1; `null`: of the file as a whole. */
  line: number | null;
  /** A sentence for a person. */
  message: string;
}

export interface FileQuestion {
  choice: 'date_order' | 'sign' | 'columns';
  /** A sentence for a person, with what the file has. */
  message: string;
}

/** What a person chose in a preview, or what is remembered of files like this one. */
export interface FileChoices {
  /** A name of iconv-lite. */
  encoding?: string;
  date_order?: 'dmy' | 'mdy' | 'ymd';
  /** `flip`: the file lists money out as positive. */
  sign?: 'as_written' | 'flip';
  /** Whether the first line of CSV names the columns. */
  header?: boolean;
  /** Of CSV: the place of each column, from 0. */
  columns?: Partial<Record<FileColumn, number>>;
}

export type FileColumn = 'date' | 'amount' | 'debit' | 'credit' | 'text' | 'payee' | 'balance' | 'currency' | 'account';

export interface ReadOptions {
  choices: FileChoices;
  /** Of the account into which it is imported, for files that name none. */
  currency: string;
  /** The day in the person's time zone: a row more than two years later is a problem. */
  today: CalendarDate;
}

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
