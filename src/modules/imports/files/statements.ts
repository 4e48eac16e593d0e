import { addDays, type CalendarDate, currencyCode, currencyText, minorDigits } from '../../../kit.js';
import { minorOf, writtenAmount } from './amounts.js';
import {
  cleanText,
  type FileAccount,
  type FileBalance,
  type FileRow,
  MAX_ROWS,
  mergeAccounts,
  type Problems,
  type ReadOptions,
  UnreadableFileError,
} from './statement-file.js';

/** What a bank says of one account in one piece: rows, mostly between two balances. */
export interface Statement {
  hint: FileAccount['hint'];
  /** In which its amounts are. */
  currency: string;
  rows: FileRow[];
  balances: FileBalance[];
  /** The balances between which the rows lie; of a page, they may be interim ones. */
  opening: FileBalance | null;
  closing: FileBalance | null;
}

/** Words that stand where a format wants a reference and the bank has none. */
const PLACEHOLDERS = /^(?:non-?ref|no-?ref|notprovided|notavailable|none|null|n\/a|eref|kref|-+)?\+?$/i;

const MAX_ID = 255;

/** The bank's own id of a row; `null`: it has none. */
export function idOf(reference: string | undefined): string | null {
  const id = cleanText(reference ?? '').slice(0, MAX_ID);
  return PLACEHOLDERS.test(id) ? null : id;
}

/** The currency of a statement; one that nobody knows is a problem, and then the account's stands in. */
export function currencyOf(text: string | undefined, line: number, options: ReadOptions, problems: Problems): string {
  const code = currencyCode(text);
  if (code === null && text !== undefined && text.trim() !== '') {
    problems.add(
      line,
      `The currency "${text.trim().slice(0, 20)}" is not known. Amounts are read in ${options.currency}.`,
    );
  }
  return code ?? options.currency;
}

/** Whatever is repeated in a file without end, a row, a balance, or an element within them: it is refused in time. */
export function refuseMoreThanRows(count: number): void {
  if (count > MAX_ROWS) throw new UnreadableFileError(`The file has more than ${MAX_ROWS} rows.`);
}

export function digitsOf(currency: string): number {
  return minorDigits(currency) ?? 2;
}

/** An amount of a format that has one decimal sign; or why it cannot be read, as the end of a sentence. */
export function plainMinor(text: string, decimal: '.' | ',', currency: string): number | string {
  const written = writtenAmount(text);
  return written === null ? 'is no amount' : minorOf(written, decimal, digitsOf(currency));
}

export function moneyText(minor: number, currency: string): string {
  return minorDigits(currency) === undefined ? `${minor} ${currency}` : currencyText(minor, currency);
}

/** By how much the rows miss the closing balance; `null`: the statement lacks one of its balances. */
export function differenceOf({
  opening,
  closing,
  rows,
}: Omit<Statement, 'hint' | 'balances' | 'currency'>): number | null {
  if (opening === null || closing === null) return null;
  let sum = opening.amountMinor;
  for (const { amountMinor, pending } of rows) if (!pending) sum += amountMinor;
  return closing.amountMinor - sum;
}

/**
 * The accounts of a file's statements. What a file says twice is taken once: whole statements, and rows that share id,
 * day, amount, and text. A statement that does not add up is a problem, and counts all the same.
 */
export function accountsOf(statements: readonly Statement[], problems: Problems): FileAccount[] {
  const known = new Map<string, Set<string>>();
  const taken: Statement[] = [];
  for (const statement of statements) {
    const seen = known.get(accountKey(statement)) ?? new Set<string>();
    known.set(accountKey(statement), seen);
    if (isRepeated(statement, seen)) {
      problems.add(statement.opening!.line, 'This statement occurs twice in the file. It is taken once.');
      continue;
    }
    taken.push({ ...withEnds(statement), rows: withoutCopies(statement, seen, problems) });
  }
  findGaps(taken, problems);
  return mergeAccounts(taken.map(({ hint, rows, balances }) => ({ hint, rows, balances })));
}

/** With the day at whose end each opening balance holds that has none yet, given the rows that follow it. */
export function withEnds<T extends Pick<FileAccount, 'rows' | 'balances'>>(account: T): T {
  let first: CalendarDate | null = null;
  for (const { day, pending } of account.rows) if (!pending && (first === null || day < first)) first = day;
  const balances = account.balances.map((balance) => {
    if (balance.kind !== 'opening' || balance.endOf !== undefined) return balance;
    return { ...balance, endOf: first === null || first < balance.day ? null : addDays(first, -1) };
  });
  return { ...account, balances };
}

function accountKey({ hint }: Statement): string {
  return JSON.stringify([hint.id ?? hint.name ?? null, hint.currency ?? null]);
}

/** Only with both balances: two reports without any may rightly be alike. */
function isRepeated({ rows, balances, opening, closing }: Statement, seen: Set<string>): boolean {
  if (opening === null || closing === null) return false;
  const facts = [...balances, ...rows].map(({ day, amountMinor }) => [day, amountMinor]);
  return isKnown(JSON.stringify(facts), seen);
}

function isKnown(key: string, seen: Set<string>): boolean {
  if (seen.has(key)) return true;
  seen.add(key);
  return false;
}

/** Alike rows of a statement whose balances need all of them are no copies: then the bank's ids are not unique. */
function withoutCopies(statement: Statement, seen: Set<string>, problems: Problems): FileRow[] {
  const { rows, closing, currency } = statement;
  const needsAll = differenceOf(statement) === 0;
  const counts = new Map<string, number>();
  const keys = rows.map(({ fileId, day, amountMinor, description, pending }) => {
    if (fileId === null) return null;
    const key = JSON.stringify([fileId, day, amountMinor, description, pending]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return needsAll ? `${key}${counts.get(key)}` : `${key}1`;
  });
  const own = new Set<string>();
  const distinct = rows.filter((_, place) => keys[place] === null || !isKnown(keys[place]!, own));
  const difference = differenceOf({ ...statement, rows: distinct });
  if (difference !== null && difference !== 0) {
    const figure = moneyText(Math.abs(difference), currency);
    problems.add(
      closing!.line,
      `The rows do not lead from the opening to the closing balance: they differ by ${figure}.`,
    );
  }
  return rows.filter(({ line }, place) => {
    if (keys[place] === null || !isKnown(keys[place]!, seen)) return true;
    problems.add(line, 'This row occurs twice: id, day, amount, and text are the same. It is taken once.');
    return false;
  });
}

/** Each statement of an account begins where another ends; the first need not. */
function findGaps(statements: readonly Statement[], problems: Problems): void {
  const accounts = Map.groupBy(statements, accountKey);
  for (const [, ofAccount] of accounts) {
    const closings = new Set(ofAccount.flatMap(({ closing }) => (closing === null ? [] : [closing.amountMinor])));
    const sorted = ofAccount
      .filter(({ opening, closing }) => opening !== null && closing !== null)
      .sort((one, other) =>
        one.closing!.day < other.closing!.day ? -1 : Number(one.closing!.day > other.closing!.day),
      );
    sorted.slice(1).forEach(({ opening, currency }, place) => {
      const before = sorted[place]!.closing!;
      if (closings.has(opening!.amountMinor)) return;
      const figure = moneyText(Math.abs(opening!.amountMinor - before.amountMinor), currency);
      problems.add(
        opening!.line,
        `The statement before ends on ${before.day} with a balance that differs by ${figure}. One between may be missing.`,
      );
    });
  }
}
