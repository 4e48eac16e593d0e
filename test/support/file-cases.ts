import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFile } from '../../src/modules/imports/files/read-file.js';
import {
  type FileAccount,
  type FileChoices,
  type FileProblem,
  type ReadOptions,
  type StatementFile,
  UnreadableFileError,
} from '../../src/modules/imports/files/statement-file.js';

const FOLDER = 'test/data/files';

interface ExpectedAccount {
  hint: FileAccount['hint'];
  rows: { day: string; amount: number; text: string; id?: string; payee?: string; status?: 'pending' }[];
  balances: { day: string; kind: string; amount: number }[];
}

/** A file with one oddity of a bank or a few, and what must come out of it. */
export interface FileCase {
  name: string;
  bytes: Buffer;
  format: string;
  title: string;
  choices?: FileChoices;
  expect: {
    accounts?: ExpectedAccount[];
    ask?: string[];
    problems: { line: number | null }[];
    refuse?: string;
  };
}

export function fileCases(): FileCase[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
  return names.map((name) => {
    const file = name.replace(/\.json$/, '');
    const stated = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as Omit<FileCase, 'name' | 'bytes'>;
    return { ...stated, name: file, bytes: readFileSync(join(FOLDER, file)) };
  });
}

export const READ_OPTIONS: ReadOptions = { choices: {}, currency: 'EUR', today: '2026-11-29' };

/** What a reader finds, or why it refuses; in the words of a case. */
export async function found(file: FileCase, choices: FileChoices) {
  try {
    const read = await readFile(file.bytes, { ...READ_OPTIONS, choices });
    return {
      accounts: accountsOf(read, file),
      problems: linesOf(read.problems, file),
      asks: asksOf(read),
      refused: false,
    };
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error;
    const problems = error.line === null ? [] : linesOf([{ line: error.line, message: '' }], file);
    return { accounts: undefined, problems, asks: [], refused: true };
  }
}

export const asksOf = ({ asks }: StatementFile) => asks.map(({ choice }) => choice).sort();

/** A row of several lines may be named by each of them. */
const LINES_OF_A_ROW: Record<string, number> = { csv: 0, mt940: 4, qif: 8, ofx: 12, 'camt.053': 12 };

function linesOf(problems: readonly FileProblem[], { format, expect }: FileCase): (number | null)[] {
  const near = LINES_OF_A_ROW[format] ?? 0;
  return problems.map(({ line }) => {
    if (expect.problems.some((other) => other.line === line)) return line;
    const meant = expect.problems.find((other) => line !== null && Math.abs((other.line ?? Infinity) - line) <= near);
    return meant ? meant.line : line;
  });
}

/** As the case lists them; a member that the case does not name is not checked. */
function accountsOf({ accounts }: StatementFile, { expect }: FileCase): ExpectedAccount[] {
  const expected = expect.accounts ?? [];
  const ordered = expected.flatMap(({ hint }) => accounts.filter((account) => fits(account.hint, hint)).slice(0, 1));
  const inOrder = new Set([...ordered, ...accounts]);
  return [...inOrder].map((account, place) => {
    const wanted = expected[place];
    const hint = Object.fromEntries(
      Object.entries(account.hint).filter(([name]) => Object.hasOwn(wanted?.hint ?? {}, name)),
    );
    return { hint, rows: rowsOf(account, wanted), balances: balancesOf(account, wanted) };
  });
}

function fits(hint: FileAccount['hint'], wanted: FileAccount['hint']): boolean {
  return Object.entries(wanted).every(([name, value]) => hint[name as keyof typeof hint] === value);
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

function rowsOf({ rows }: FileAccount, wanted: ExpectedAccount | undefined): ExpectedAccount['rows'] {
  const left = [...(wanted?.rows ?? [])];
  return rows.map((row) => {
    const place = left.findIndex((other) => {
      const isAlike = other.day === row.day && other.amount === row.amountMinor && (other.id ?? null) === row.fileId;
      return isAlike && plain(row.description).includes(plain(other.text));
    });
    const [other] = place === -1 ? [] : left.splice(place, 1);
    return {
      day: row.day,
      amount: row.amountMinor,
      text: other?.text ?? row.description,
      ...(row.fileId !== null && { id: row.fileId }),
      ...(other?.payee !== undefined && { payee: row.payee ?? '' }),
      ...(row.pending && { status: 'pending' as const }),
    };
  });
}

/** A balance with a time within the day may be listed as the day's last. */
function balancesOf({ balances }: FileAccount, wanted: ExpectedAccount | undefined): ExpectedAccount['balances'] {
  return balances.map(({ day, kind, amountMinor }) => {
    const isClosing = wanted?.balances.some((other) => {
      return other.kind === 'closing' && other.day === day && other.amount === amountMinor;
    });
    return { day, kind: kind === 'interim' && isClosing ? 'closing' : kind, amount: amountMinor };
  });
}

/** In an order of its own, so that equal multisets are equal lists. */
export function sorted<T>(items: readonly T[] | undefined): T[] | undefined {
  const key = (item: T) => JSON.stringify(item, (_, value: unknown) => (isRecord(value) ? byName(value) : value));
  return items && [...items].sort((one, other) => (key(one) < key(other) ? -1 : 1));
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const byName = (value: object) =>
  Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
